"""Latency curves of two devices: quantiles by size, and medians against size by file state."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..device import Device
from ..tap_model import STATES, rows_of, sync_us
from .compare import about, model_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's blue and vermilion, which any colour vision distinguishes.
_COLOURS = ("#0072b2", "#d55e00")
_DASHES = {"preallocated": "-", "growing": "--", "recycled": ":"}
_MARKERS = ("o", "s")
_PANELS = (131, 1032, 10032, 64500)
_PERCENTS = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 85, 90, 93, 95, 97, 98, 99, 99.5, 99.8, 99.9)
_TICKS = (50, 90, 99, 99.9)
_SIZES = (131, 256, 512, 1032, 2250, 4096, 6800, 10032, 16384, 22300, 45000, 64500)
_RC: dict[Any, Any] = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e3e3e3",
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "waltax",
}


def draw(a: Device, b: Device, path: Path) -> None:
    """Write the figure; the ending of `path` is its format."""
    import matplotlib as mpl

    with mpl.rc_context(_RC):
        figure = figure_of(a, b)
        metadata = {"Date": None} if path.suffix == ".svg" else None  # equal files, equal figure
        figure.savefig(path, dpi=150, metadata=metadata)


def figure_of(a: Device, b: Device) -> Figure:
    """Return four panels of quantiles, and one of medians against size."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12.5, 7.2), layout="constrained")
    axes = figure.subplots(2, 3)
    for place in list(axes[:, :2].flat)[1:]:
        place.sharey(axes[0, 0])
    for place, size in zip(axes[:, :2].flat, _PANELS, strict=True):
        _quantiles(place, (a, b), size)
    _medians(axes[0, 2], (a, b))
    axes[1, 2].set_axis_off()
    text = "\n".join(f"{device.name}: {about(device)}" for device in (a, b))
    figure.suptitle(text, x=0.01, ha="left", fontsize=9)
    return figure


def _quantiles(axes: Axes, devices: tuple[Device, Device], size: int) -> None:
    for device, colour, marker in zip(devices, _COLOURS, _MARKERS, strict=True):
        model = model_of(device)
        times = [sync_us(model, size, percent) for percent in _PERCENTS]
        axes.plot([_nines(p) for p in _PERCENTS], times, color=colour, label=device.name)
        axes.plot(_nines(50), sync_us(model, size, 50), color=colour, marker=marker)
    axes.set_xticks([_nines(p) for p in _TICKS], [f"p{p:g}" for p in _TICKS])
    axes.set_yscale("log")
    axes.set_title(f"sync after an append of {size:,} B, preallocated")
    axes.set_ylabel("latency, us")
    axes.legend()


def _medians(axes: Axes, devices: tuple[Device, Device]) -> None:
    for device, colour in zip(devices, _COLOURS, strict=True):
        model = model_of(device)
        for state in STATES:
            rows = rows_of(model, state)
            if not rows:
                continue
            own = {row.bytes for row in rows if _SIZES[0] <= row.bytes <= _SIZES[-1]}
            sizes = sorted({*_SIZES, *own})
            times = [sync_us(model, size, 50, state) for size in sizes]
            label = f"{device.name}, {state}"
            axes.plot(sizes, times, color=colour, linestyle=_DASHES[state], label=label)
        measured = [row.bytes for row in model.sync if row.bytes <= _SIZES[-1]]
        times = [sync_us(model, size, 50) for size in measured]
        axes.plot(measured, times, color=colour, linestyle="", marker=".")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title("median sync by size and state of the file")
    axes.set_xlabel("unsynced bytes (dots: sizes in the file)")
    axes.set_ylabel("latency, us")
    axes.legend(fontsize=8)


def _nines(percent: float) -> float:
    """Place p90 at 1, p99 at 2, p99.9 at 3."""
    return -math.log10(1 - percent / 100)
