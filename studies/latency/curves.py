"""Find a measured curve, and where a device lies on it.

The curve is the newest of an engine and a workload, or that of a named campaign. A device's place
is the mean time of its syncs, at the bytes that they would write.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ... import engines, workloads
from ...base.errors import UsageError, WaltaxError
from ...cell import is_point

if TYPE_CHECKING:
    from ...analysis.sweep import Curve
    from ...devices import Device
    from ...devices.tap_model import DeviceModel
    from ...row import Row


@dataclass(frozen=True)
class Wanted:
    """Which curve to find. None for `threads` or `campaign` matches any."""

    engine: str
    workload: str
    threads: int | None
    campaign: Path | None
    results: Path


@dataclass(frozen=True)
class MeasuredCurve:
    """A curve, and the campaign that measured it."""

    folder: Path
    rows: list[Row]
    curve: Curve

    @property
    def date(self) -> str:
        first = min(
            (row["start_unix_s"] for row in self.rows if row.get("start_unix_s")), default=0
        )
        return time.strftime("%Y-%m-%d", time.localtime(first))

    @property
    def circumstances(self) -> str:
        """When, how much and on which machine it was measured, in words."""
        row, points = self.rows[0], self.curve.points
        rounds = min(point.result.rounds for point in points)
        parts = [f"measured on {self.date}", f"{len(points)} points", f"{rounds} rounds"]
        if row.get("cores") and row.get("cpu_model"):
            parts.append(f"on {row['cores']} CPUs ({row['cpu_model']})")
        return ", ".join(parts)

    @property
    def relative(self) -> str:
        return os.path.relpath(self.folder)


def find(wanted: Wanted, device: str) -> MeasuredCurve:
    """Return the curve of --campaign, or of the newest campaign with a complete one.

    That of a program is fitted without `device`, if others of its campaign lie on both sides.
    Errors: UsageError, which says what to type, when no curve matches.
    """
    given = wanted.campaign
    if given is not None:
        wanted = _of_program(wanted, given)
    for folder in newest_first(wanted, "sweep-latency") if given is None else [given]:
        rows = rows_of(folder, required=given is not None)
        measured = [curve for curve in _curves(rows) if _is_wanted(curve, wanted)]
        if given is None:  # skip sweeps that were interrupted or are still running
            measured = [curve for curve in measured if _is_whole(curve, folder)]
        if len(measured) == 1:
            return MeasuredCurve(folder, rows, _blind(measured[0], rows, device))
        if measured:
            counts = ", ".join(str(curve.baseline.threads) for curve in measured)
            raise UsageError(
                f"--threads: missing; {os.path.relpath(folder)} has curves of {counts} clients"
            )
    raise UsageError(_none(wanted))


def _blind(curve: Curve, rows: list[Row], device: str) -> Curve:
    from ...analysis import sweep

    if device not in [point.result.device for point in curve.points[1:-1]]:
        return curve
    (blind,) = sweep.curves(rows, without=device)
    return blind


def _of_program(wanted: Wanted, campaign: Path) -> Wanted:
    """Return what is wanted of a campaign of the user's own program, whose name says it all."""
    from ...runners.recipe import campaign_file

    recipe = campaign_file.told(campaign)
    if recipe.engine != engines.PROGRAM:
        return wanted
    return replace(wanted, engine=recipe.engine, workload=recipe.workloads[0])


def newest_first(wanted: Wanted, kind: str | None = None) -> Iterator[Path]:
    """Yield campaigns of this engine and workload, newest first; their names sort by time."""
    from ...runners.recipe import campaign_file

    for path in sorted(wanted.results.glob("*/rows.jsonl"), reverse=True):
        recipe = campaign_file.told(path.parent)
        same = recipe.engine == wanted.engine and wanted.workload in recipe.workloads
        if same and kind in (None, recipe.kind):
            yield path.parent


def rows_of(folder: Path, *, required: bool) -> list[Row]:
    """Return the rows of a folder; none if they cannot be read, unless they are `required`."""
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
    """Return whether every device of the grid is a point of the curve, with an interval."""
    from ...runners.recipe import campaign_file

    planned = sum(is_point(Path(name).stem) for name in campaign_file.told(folder).devices)
    known = [point for point in curve.points if point.result.low is not None]
    return len(known) == planned


def _is_wanted(curve: Curve, wanted: Wanted) -> bool:
    same = (curve.baseline.engine, curve.baseline.workload) == (wanted.engine, wanted.workload)
    return same and wanted.threads in (None, curve.baseline.threads)


def _none(wanted: Wanted) -> str:
    """Say that there is no such curve, and what to type to measure one."""
    clients = "" if wanted.threads is None else f" with {wanted.threads} clients"
    name = engines.of(wanted.engine).title
    where = wanted.campaign or wanted.results
    flags = f"--engine {wanted.engine} --workload {wanted.workload}"
    if wanted.threads is not None:
        flags = f"{flags} --threads {wanted.threads}"
    what = f"{workloads.of(wanted.workload).title} on {name}{clients}"
    return (
        f"{os.path.relpath(where)}: no latency sweep of {what} there; measure one, in about ten "
        f"minutes: waltax sweep latency {flags}"
    )


_TURNS = 100
_CLOSE = 1e-6  # relative
_UNKNOWN_BYTES = 4096.0  # when a curve's rows have no sizes


def sync_us(curve: Curve, model: DeviceModel) -> float:
    """Return the mean time of a sync of the log on this device, in us.

    During a slower sync more commits gather for the next, which then writes more bytes and, on most
    devices, takes longer still. Each turn asks the curve for the bytes, and the model for the time.
    Neither decreases, so the turns converge to the least time on which both agree. The curve adds
    the time that callers wait for busy cores.
    """
    from ...devices import tap_model

    mean_us = tap_model.mean_sync_us(model, 1)
    for _ in range(_TURNS):
        before, mean_us = mean_us, tap_model.mean_sync_us(model, bytes_per_sync(curve, mean_us))
        if abs(mean_us - before) <= _CLOSE * mean_us:
            break
    return mean_us


def bytes_per_sync(curve: Curve, sync_us: float) -> float:
    """Return the bytes that gather for a sync that takes this long."""
    size = curve.bytes_per_sync_at(curve.waited_us(sync_us))
    return _UNKNOWN_BYTES if size is None else size


def on(found: Iterable[Device]) -> Callable[[Curve], dict[str, float]]:
    """Return a function that gives the sync times of these devices and the catalog's on a curve.

    The report of a sweep calls it. It has no directories, which have no model: the report marks
    those at the time that their own callers waited.
    """
    from ... import devices

    known = {device.name: device for device in (*map(devices.load, devices.names()), *found)}
    models = {
        name: known_device.model.tap_model()
        for name, known_device in known.items()
        if known_device.model is not None
    }

    def marked(curve: Curve) -> dict[str, float]:
        return {name: sync_us(curve, model) for name, model in models.items()}

    return marked
