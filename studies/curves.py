"""Find a measured curve, and where a device lies on it.

The curve is the newest of an engine and a workload, or that of a named campaign. A device's place
is the mean time of its syncs, at the bytes that they would write.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .. import engines, workloads
from ..base.errors import UsageError, WaltaxError
from ..cell import is_point
from ..runners.recipe import campaign_file

if TYPE_CHECKING:
    from ..analysis.sweep import Curve
    from ..devices import Device
    from ..devices.tap_model import DeviceModel
    from ..row import Row

_KIND = "sweep-latency"


@dataclass(frozen=True)
class MeasuredCurve:
    """A curve, and the campaign that measured it."""

    folder: Path
    rows: list[Row]
    curve: Curve


def find(
    results: Path,
    campaign: Path | None,
    device: str,
    *,
    engine: str,
    workload: str,
    threads: int | None,
) -> MeasuredCurve:
    """Return the curve of `campaign`, or of the newest sweep in `results` with a complete one.

    That of a user's program, whose campaign says all, is fitted without `device`, if others lie on
    both sides. Errors: UsageError, which says what to type, when no curve matches.
    """
    if campaign is not None:
        kept = campaign_file.told(campaign)
        if kept.engine == engines.PROGRAM:
            engine, workload = kept.engine, kept.workloads[0]
    wanted = (engine, workload)
    for folder in _sweeps(results) if campaign is None else [campaign]:
        rows = _rows(folder, required=campaign is not None)
        measured = [
            curve
            for curve in _curves(rows, device if engine == engines.PROGRAM else "")
            if (curve.baseline.engine, curve.baseline.workload) == wanted
            and threads in (None, curve.baseline.threads)
            and (campaign is not None or _is_whole(curve, folder))
        ]
        if len(measured) == 1:
            return MeasuredCurve(folder, rows, measured[0])
        if measured:
            counts = ", ".join(str(curve.baseline.threads) for curve in measured)
            raise UsageError(
                f"--threads: missing; {os.path.relpath(folder)} has curves of {counts} clients"
            )
    flags = f"--engine {engine} --workload {workload}"
    flags += "" if threads is None else f" --threads {threads}"
    raise UsageError(
        f"{os.path.relpath(campaign or results)}: no latency sweep of "
        f"{workloads.of(workload).title} on {engines.of(engine).title} there; measure one, in "
        f"about ten minutes: waltax sweep latency {flags}"
    )


def _sweeps(results: Path) -> list[Path]:
    """Return the folders of latency sweeps, the newest first; their names sort by time."""
    folders = [path.parent for path in sorted(results.glob("*/rows.jsonl"), reverse=True)]
    return [folder for folder in folders if campaign_file.told(folder).kind == _KIND]


def _rows(folder: Path, *, required: bool) -> list[Row]:
    """Return the rows of a folder; none if they cannot be read, unless they are `required`."""
    from .. import analysis

    try:
        return analysis.load([folder])
    except WaltaxError:
        if required:
            raise
        return []


def _curves(rows: list[Row], without: str) -> list[Curve]:
    """Return the curves of these rows, without a device that is no end of them."""
    from ..analysis import sweep

    curves = sweep.curves(rows) if rows else []
    inner = {point.device for curve in curves for point in curve.points[1:-1]}
    return sweep.curves(rows, without=without) if without in inner else curves


def _is_whole(curve: Curve, folder: Path) -> bool:
    """Return whether each device of the grid is a point with an interval: none before its end."""
    planned = sum(is_point(Path(name).stem) for name in campaign_file.told(folder).devices)
    return sum(point.low is not None for point in curve.points) == planned


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
    from ..devices import tap_model

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
    from .. import devices

    known = {device.name: device for device in (*map(devices.load, devices.names()), *found)}
    models = {
        name: known_device.model.tap_model()
        for name, known_device in known.items()
        if known_device.model is not None
    }

    def marked(curve: Curve) -> dict[str, float]:
        return {name: sync_us(curve, model) for name, model in models.items()}

    return marked
