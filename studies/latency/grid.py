"""The grid of a latency sweep: emulated devices that differ only in the time of a sync.

Each is a TOML file like any other device, written beside the results, so that --resume reads
the same file. Its name contains its latency, and `cell.py` parses it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ... import devices
from ...base.errors import UsageError, WaltaxError
from ...base.folders import atomic_file
from ...cell import point_name
from ...devices import Device, device_file, tap_model
from ...devices.device import Figure, Latencies, SyncRow

# From 5 to 5,000 us in equal logarithmic steps, three per decade; 0 is the tap's floor.
LATENCIES_US = (0, 5, 11, 23, 50, 108, 232, 500, 1077, 2321, 5000)
_FOLDER = "devices"
# Catalog devices from which the grid takes its other costs: CPU time and bandwidth of a fast one,
# and a limit on CPU time from a slow one.
_FAST, _SLOW = "nvme", "ssd"
# The time is constant up to this many unsynced bytes, more than any group of commits writes.
_CONSTANT_BYTES = 1 << 20


def write(latencies_us: tuple[int, ...], results: Path) -> list[Path]:
    """Write the device files of a grid to results/devices, and keep files that are the same.

    Errors: UsageError for an invalid grid; WaltaxError when a file cannot be written.
    """
    if len(latencies_us) < 2 or list(latencies_us) != sorted(
        {us for us in latencies_us if us >= 0}
    ):
        typed = ", ".join(map(str, latencies_us))
        raise UsageError(f"grid: found {typed}; it takes rising latencies in us, two or more")
    folder = results.absolute() / _FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [_write(us, folder) for us in latencies_us]
    except OSError as error:
        raise WaltaxError(f"{folder}: cannot be written: {error.strerror}") from error


def _write(latency_us: int, folder: Path) -> Path:
    path, text = folder / f"{point_name(latency_us)}.toml", toml(latency_us)
    if not path.exists() or path.read_text() != text:
        atomic_file.write(path, text)
    return path


def toml(latency_us: int) -> str:
    """Return the device file of one point."""
    return device_file.toml(_point(latency_us), "# Written by `waltax sweep latency`.\n")


def _point(latency_us: int) -> Device:
    """Return the device of one point: nvme's, with times of its own.

    The CPU time of a sync is nvme's share of its time, but never more than ssd's, so that both lie
    on the grid. The floor has no CPU time on kernel workers, since waking one takes longer.
    """
    us = max(float(latency_us), tap_model.FLOOR_US)
    nvme, slow = devices.load(_FAST), _latencies(_SLOW).tap_model()
    latencies = _latencies(_FAST)
    fast = latencies.tap_model()
    share = us / tap_model.mean_sync_us(fast, 4096)
    caller = min(fast.cpu_caller_us * share, slow.cpu_caller_us, us)
    kernel = 0.0 if latency_us == 0 else min(fast.cpu_kernel_us * share, slow.cpu_kernel_us)
    evidence: dict[str, Any] = {"kind": "estimate", "source": "grid"}
    own = {
        "cpu_caller_us": Figure(value=round(caller, 2), **evidence),
        "cpu_kernel_us": Figure(value=round(kernel, 2), **evidence),
        "dir_sync_us": Figure(value=2 * us, **evidence),
    }
    taken = {name: getattr(latencies, name) for name in tap_model.REQUIRED}
    row = SyncRow(bytes=_CONSTANT_BYTES, quantiles_us={"p50": us}, tail_kind="estimate", **evidence)
    return nvme.model_copy(
        update={
            "name": point_name(latency_us),
            "title": f"A log device with a constant sync of {us:g} us",
            "stands_for": f"a sync of {us:g} us",
            "device_class": "virtual",
            "kind": "estimate",
            "power_loss_protection": "not applicable",
            "notes": _FLOOR_NOTES if latency_us == 0 else _NOTES,
            "sources": {**nvme.sources, "grid": _SOURCE},
            "model": Latencies(sync=(row,), **{**taken, **own}),
        }
    )


def _latencies(name: str) -> Latencies:
    model = devices.load(name).model
    assert model is not None  # both are emulated devices of the catalog
    return model


_SOURCE = (
    "a point of the grid of a latency sweep, which stands for no device; CPU time is nvme's share "
    "of the time of a sync, up to the catalog's ssd, and a directory sync is taken as two syncs"
)
_NOTES = "Every sync takes the same time; the rest is as the catalog's nvme and ssd have it."
_FLOOR_NOTES = (
    f"Point 0 of the grid: {tap_model.FLOOR_US:g} us, the tap's floor, below which its own time is "
    "more. What it costs is the log itself: its records and its write calls."
)
