"""A curve that was measured: the newest of an engine and a workload, or of a campaign named."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...cell import can_be_off, is_point
from ...errors import UsageError, WaltaxError
from . import recipes

if TYPE_CHECKING:
    from ...analysis.sweep import Curve
    from ...row import Row


@dataclass(frozen=True)
class Found:
    """A curve and the campaign that it was measured in."""

    folder: Path
    rows: list[Row]
    curve: Curve

    @property
    def date(self) -> str:
        first = min(
            (one["start_unix_s"] for one in self.rows if one.get("start_unix_s")), default=0
        )
        return time.strftime("%Y-%m-%d", time.localtime(first))

    @property
    def circumstances(self) -> str:
        """When, how much and on what machine, for people."""
        one, points = self.rows[0], self.curve.points
        rounds = min(point.estimate.rounds for point in points)
        parts = [f"measured on {self.date}", f"{len(points)} points", f"{rounds} rounds"]
        if one.get("cores") and one.get("cpu_model"):
            parts.append(f"on {one['cores']} CPUs ({one['cpu_model']})")
        return ", ".join(parts)

    @property
    def relative(self) -> str:
        return os.path.relpath(self.folder)


def find(options: dict[str, Any]) -> Found:
    """The curve asked for: of --campaign, or of the newest campaign that has a whole one.

    Errors: UsageError, with what to type, when there is none.
    """
    given: Path | None = options["campaign"]
    for folder in _named(options) if given is None else [given]:
        rows = _rows(folder, required=given is not None)
        found = [curve for curve in _curves(rows) if _asked(curve, options)]
        if given is None:  # one that was interrupted, or still runs, says little
            found = [curve for curve in found if _is_whole(curve, folder)]
        if len(found) == 1:
            return Found(folder, rows, found[0])
        if found:
            counts = ", ".join(str(curve.threads) for curve in found)
            raise UsageError(
                f"--threads: missing; {os.path.relpath(folder)} has curves of {counts} clients"
            )
    raise UsageError(_none(options))


def _named(options: dict[str, Any]) -> Iterator[Path]:
    """Campaigns that were to measure such a curve, the newest first: their names sort by time."""
    for path in sorted(options["results"].glob("*/rows.jsonl"), reverse=True):
        asked = recipes.read(path.parent)
        points = [is_point(Path(name).stem) for name in asked.devices]
        same = asked.engine == options["engine"] and options["workload"] in asked.workloads
        if same and sum(points) > 1:
            yield path.parent


def devices_of(folder: Path) -> tuple[str, ...]:
    """The devices that a campaign was to measure, by name or file; none if it does not say."""
    return recipes.read(folder).devices


def _rows(folder: Path, *, required: bool) -> list[Row]:
    """Of a folder that nobody named, rows that cannot be read are as good as none."""
    from ... import analysis

    try:
        return analysis.load([folder])
    except WaltaxError:
        if required:
            raise
        return []


def _curves(rows: list[Row]) -> list[Curve]:
    from ...analysis import sweep

    return sweep.curves(rows) if rows else []


def _is_whole(curve: Curve, folder: Path) -> bool:
    """Whether every device of the campaign's grid is a point of the curve, with an interval."""
    planned = sum(is_point(Path(name).stem) for name in devices_of(folder))
    known = [point for point in curve.points if point.estimate.low is not None]
    return len(known) == planned


def _asked(curve: Curve, options: dict[str, Any]) -> bool:
    same = (curve.engine, curve.workload) == (options["engine"], options["workload"])
    return same and options["threads"] in (None, curve.threads)


def _none(options: dict[str, Any]) -> str:
    from ...analysis import words

    clients = "" if options["threads"] is None else f" with {options['threads']} clients"
    what = f"{words.proper(options['workload'])} on {words.proper(options['engine'])}{clients}"
    if not can_be_off(options["engine"]):
        name = words.proper(options["engine"])
        return (
            f"--engine: {name} has no such curve: it always writes its log, so that there is no "
            f"`off` to hold one against; type --engine rocksdb or myrocks (with make: "
            f"ENGINE=myrocks), or for the price of {name}'s modes: waltax run --engine "
            f"{options['engine']}"
        )
    where = options["campaign"] or options["results"]
    flags = f"--engine {options['engine']} --workload {options['workload']}"
    make = f"ENGINE={options['engine']} WORKLOAD={options['workload']}"
    if options["threads"] is not None:
        flags, make = f"{flags} --threads {options['threads']}", f"{make} THREADS=..."
    return (
        f"{os.path.relpath(where)}: no latency sweep of {what} there; measure one, in about ten "
        f"minutes: waltax sweep-latency {flags} (with make: make sweep-latency {make})"
    )
