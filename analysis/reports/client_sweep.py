"""The report of a sweep over clients: what the log costs few and many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ..figures import curves as figures
from ..report import Lines, Part, Report, Table, numbers
from ..results import read, words
from ..sweep.threads import ThreadSweep, thread_sweeps
from . import cells, sweeps


def threads(campaigns: Sequence[Path]) -> Report:
    """Each sweep over clients of these campaigns.

    Errors: UsageError when no workload was measured with two numbers of clients; else as `load`.
    """
    of = read(campaigns)
    every = thread_sweeps(of.rows)
    with_points = [one for one in every if one.devices]
    if every and not with_points:
        raise UsageError(f"{campaigns[0]}: no device has an overhead at any number of clients")
    if not with_points:
        raise UsageError(
            f"{campaigns[0]}: found one number of clients; a sweep over clients has two or more: "
            "see `waltax sweep-threads`"
        )
    content = [_content(one) for one in with_points]
    return Report(
        name="threads",
        parts=[part for one in with_points for part in _parts(one)],
        content=cells.content(of.origin, sweeps=content),
        lines=[_line(one["group"], point) for one in content for point in one["points"]],
        figures={"threads": lambda: figures.threads(with_points, of.origin)},
        warnings=of.warnings,
        folder=of.folder,
        source=of,
    )


def _parts(sweep: ThreadSweep) -> list[Part]:
    points = [point.estimate for points in sweep.devices.values() for point in points]
    return [
        Lines(sweep.sentences, sweep.subject),
        _table(sweep),
        sweeps.notes([f"{said}: left out" for said in sweep.left_out], points),
        sweeps.evidence(points),
    ]


def _table(sweep: ThreadSweep) -> Table:
    columns = numbers("clients", "overhead % [95 %]", "sync us", "commits\na sync", "cores %")
    rows = [
        (
            device,
            str(point.threads),
            cells.interval(point.overhead),
            words.number(point.work.sync_us),
            words.number(point.work.commits_per_group),
            words.percent(point.work.cpu_share),
        )
        for device, points in sweep.devices.items()
        for point in points
    ]
    title = f"{sweep.subject}, profile {sweep.baseline.profile}"
    return Table(title, [cells.DEVICE, *columns], rows)


def _content(sweep: ThreadSweep) -> dict[str, Any]:
    """A sweep for programs. Fractions, not percent; units are in the names."""
    points = [
        {
            "device": device,
            "threads": point.threads,
            "cell": point.estimate.cell,
            "overhead": asdict(point.overhead),
            "sync_us": point.work.sync_us,
            "commits_per_group": point.work.commits_per_group,
            "cpu_share": point.work.cpu_share,
        }
        for device, points in sweep.devices.items()
        for point in points
    ]
    return {
        "group": sweeps.group(sweep.baseline),
        "subject": sweep.subject,
        "points": points,
        "left_out": list(sweep.left_out),
        "sentences": sweep.sentences,
    }


def _line(group: dict[str, Any], point: dict[str, Any]) -> dict[str, Any]:
    line = dict(group)
    for name, value in point.items():
        line |= sweeps.spelled(name, value) if name == "overhead" else {name: value}
    return line
