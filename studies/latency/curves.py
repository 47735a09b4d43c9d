"""A curve that was measured, the newest of an engine and a workload or that of a campaign named;
and where a device lies on it: the mean time of its syncs, at the bytes that they would have.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
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
    """Which curve: of an engine and a workload, of so many clients, and of a campaign.

    `threads` and `campaign` None take what there is.
    """

    engine: str
    workload: str
    threads: int | None
    campaign: Path | None
    results: Path


@dataclass(frozen=True)
class MeasuredCurve:
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
        rounds = min(point.result.rounds for point in points)
        parts = [f"measured on {self.date}", f"{len(points)} points", f"{rounds} rounds"]
        if one.get("cores") and one.get("cpu_model"):
            parts.append(f"on {one['cores']} CPUs ({one['cpu_model']})")
        return ", ".join(parts)

    @property
    def relative(self) -> str:
        return os.path.relpath(self.folder)


def find(wanted: Wanted) -> MeasuredCurve:
    """The curve asked for: of --campaign, or of the newest campaign that has a whole one.

    Errors: UsageError, with what to type, when there is none.
    """
    given = wanted.campaign
    for folder in newest_first(wanted, "sweep-latency") if given is None else [given]:
        rows = rows_of(folder, required=given is not None)
        measured = [curve for curve in _curves(rows) if _is_wanted(curve, wanted)]
        if given is None:  # a sweep that was interrupted, or still runs, says little
            measured = [curve for curve in measured if _is_whole(curve, folder)]
        if len(measured) == 1:
            return MeasuredCurve(folder, rows, measured[0])
        if measured:
            counts = ", ".join(str(curve.baseline.threads) for curve in measured)
            raise UsageError(
                f"--threads: missing; {os.path.relpath(folder)} has curves of {counts} clients"
            )
    raise UsageError(_none(wanted))


def newest_first(wanted: Wanted, kind: str | None = None) -> Iterator[Path]:
    """Campaigns that measured this engine and workload, of any kind; their names sort by time."""
    from ...runners.recipe import kept

    for path in sorted(wanted.results.glob("*/rows.jsonl"), reverse=True):
        told = kept.told(path.parent)
        same = told.engine == wanted.engine and wanted.workload in told.workloads
        if same and kind in (None, told.kind):
            yield path.parent


def rows_of(folder: Path, *, required: bool) -> list[Row]:
    """The rows of a folder. Where nobody named it, rows that cannot be read are as good as none."""
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
    from ...runners.recipe import kept

    planned = sum(is_point(Path(name).stem) for name in kept.told(folder).devices)
    known = [point for point in curve.points if point.result.low is not None]
    return len(known) == planned


def _is_wanted(curve: Curve, wanted: Wanted) -> bool:
    same = (curve.baseline.engine, curve.baseline.workload) == (wanted.engine, wanted.workload)
    return same and wanted.threads in (None, curve.baseline.threads)


def _none(wanted: Wanted) -> str:
    """What to type where there is no such curve."""
    clients = "" if wanted.threads is None else f" with {wanted.threads} clients"
    engine = engines.of(wanted.engine)
    name = engine.title
    if not engine.has_off:
        return (
            f"--engine: {name} has no such curve: it always writes its log, so that there is no "
            f"`off` to hold one against; type --engine rocksdb or myrocks (with make: "
            f"ENGINE=myrocks), or for the price of {name}'s modes: waltax run --engine "
            f"{wanted.engine}"
        )
    where = wanted.campaign or wanted.results
    flags = f"--engine {wanted.engine} --workload {wanted.workload}"
    make = f"ENGINE={wanted.engine} WORKLOAD={wanted.workload}"
    if wanted.threads is not None:
        flags, make = f"{flags} --threads {wanted.threads}", f"{make} THREADS=..."
    what = f"{workloads.of(wanted.workload).title} on {name}{clients}"
    return (
        f"{os.path.relpath(where)}: no latency sweep of {what} there; measure one, in about ten "
        f"minutes: waltax sweep latency {flags} "
        f"(with make: make sweep-latency {make})"
    )


_TURNS = 100
_CLOSE = 1e-6  # relative
_UNKNOWN_BYTES = 4096.0  # where a curve's rows do not say


def sync_us(curve: Curve, model: DeviceModel) -> float:
    """The mean time of a sync of the log on this device, in us.

    A slower sync lets more commits gather for the next, which then has more bytes and, on most
    devices, takes longer still. Each turn asks the curve how many bytes, and the model how long.
    Neither falls, so that the turns end at the least time that both agree on. What a caller waits
    longer, where cores are busy, is the curve's to add.
    """
    from ...devices import tap_model

    found = tap_model.mean_sync_us(model, 1)
    for _ in range(_TURNS):
        before, found = found, tap_model.mean_sync_us(model, bytes_per_sync(curve, found))
        if abs(found - before) <= _CLOSE * found:
            break
    return found


def bytes_per_sync(curve: Curve, sync_us: float) -> float:
    """What gathers for a sync of a device that takes so long."""
    size = curve.bytes_per_sync_at(curve.waited_us(sync_us))
    return _UNKNOWN_BYTES if size is None else size


def on(found: Iterable[Device]) -> Callable[[Curve], dict[str, float]]:
    """What the report of a sweep asks: these devices' times on a curve, and the catalog's.

    A directory has no model to ask. The report marks it at what its own callers waited.
    """
    from ... import devices

    known = {device.name: device for device in (*map(devices.load, devices.names()), *found)}
    models = {name: one.model.tap_model() for name, one in known.items() if one.model is not None}

    def marked(curve: Curve) -> dict[str, float]:
        return {name: sync_us(curve, model) for name, model in models.items()}

    return marked
