"""Overhead over the number of clients: the same device costs many of them less, for they share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from ...row import Row
from .. import words
from ..overhead import CellEstimate, Panel, of_panel, panels
from ..stats import Interval
from .cells import Work, work_of
from .curve import usable
from .modelled import Compared, Modelled, modelled


@dataclass(frozen=True)
class ThreadPoint:
    """One device at one number of clients."""

    estimate: CellEstimate
    work: Work
    expected: Compared | None  # the model's; None without one

    @property
    def threads(self) -> int:
        return self.estimate.threads

    @property
    def overhead(self) -> Interval:
        return Interval(self.estimate.overhead, self.estimate.low, self.estimate.high)


@dataclass(frozen=True)
class ThreadSweep:
    """One engine, workload, profile and size; each device's points with few clients first.

    Each number of clients has an `off` of its own, and a model made of it.
    """

    baseline: CellEstimate
    devices: Mapping[str, tuple[ThreadPoint, ...]]
    models: Mapping[int, Modelled]
    left_out: tuple[str, ...]

    @property
    def subject(self) -> str:
        size = f", {self.baseline.size}" if self.baseline.size else ""
        return f"{words.subject(self.baseline)}{size}"

    @property
    def threads(self) -> tuple[int, ...]:
        return tuple(self.models)

    @property
    def sentences(self) -> list[str]:
        """Per device, from the fewest clients to the most."""
        return [_sentence(device, points) for device, points in self.devices.items()]

    @property
    def failures(self) -> list[str]:
        """Where the model misses, and why there is none where there is none."""
        found = []
        for threads, model in self.models.items():
            said = model.failures if model.parameters else [f"no model: {model.why_not}"]
            found += [f"{_clients(threads)}: {one}" for one in said]
        return found


def thread_sweeps(rows: list[Row]) -> list[ThreadSweep]:
    """One per engine, workload, profile and size that was measured at two numbers or more."""

    def alike(panel: Panel) -> tuple[str, str, str, str]:
        one = panel.rows[0]
        return one["engine"], one["workload"], one["profile"], one.get("size") or ""

    groups = (list(members) for _, members in groupby(sorted(panels(rows), key=alike), alike))
    return [_sweep(members) for members in groups if len(members) > 1]


def _sweep(members: list[Panel]) -> ThreadSweep:
    devices: dict[str, list[ThreadPoint]] = {}
    models: dict[int, Modelled] = {}
    left_out = []
    for panel in sorted(members, key=lambda one: int(one.rows[0]["threads"])):
        estimates = of_panel(panel)
        cells = [one for one in estimates if usable(one) and not one.is_baseline]
        known = [one for one in cells if one.overhead is not None and one.overhead < 1]
        left_out += [
            f"{one.device} with {_clients(one.threads)}: "
            f"{words.FAILED if one.failed else 'no overhead'}"
            for one in cells
            if one not in known
        ]
        threads = panel.rows[0]["threads"]
        models[threads] = modelled(panel, known)
        expected = {one.cell: one for one in models[threads].compared}
        for one in known:
            point = ThreadPoint(one, work_of(panel.rows, one.cell), expected.get(one.cell))
            devices.setdefault(one.device, []).append(point)
    ordered = sorted(devices.items(), key=lambda pair: pair[1][0].work.sync_us or 0.0)
    found = {device: tuple(points) for device, points in ordered}
    return ThreadSweep(estimates[0], found, models, tuple(left_out))


def _sentence(device: str, points: tuple[ThreadPoint, ...]) -> str:
    first, last = points[0], points[-1]
    costs = [f"{_cost(one.overhead)} with {_clients(one.threads)}" for one in (first, last)]
    if len(points) == 1:
        return f"{device}: the log costs {costs[0]}"
    said = f"{device}: the log costs {costs[0]} and {costs[1]}, {_change(first, last)}"
    groups = first.work.commits_per_group, last.work.commits_per_group
    if groups[0] is None or groups[1] is None:
        return said
    return f"{said}; {groups[0]:.1f} and {groups[1]:.1f} commits share a sync"


def _change(first: ThreadPoint, last: ThreadPoint) -> str:
    """By intervals that do not overlap: those of two numbers of clients share no rounds."""
    a, b = first.overhead, last.overhead
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return "without intervals"
    if b.high < a.low:
        return "less"
    return "more" if b.low > a.high else "which cannot be told apart"


def _cost(found: Interval) -> str:
    return f"{words.percent(found.value)} % {words.bounds(found.low, found.high)}"


def _clients(threads: int) -> str:
    return f"{threads} client{'s' if threads != 1 else ''}"
