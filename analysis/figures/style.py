"""One look for every figure: a device always keeps its colour, and texts are black."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, distinct with any colour vision; related devices share a hue.
_COLOURS = {
    "off": "#8c8c8c",
    "ssd": "#d55e00",
    "ssd-plp": "#e69f00",
    "ssd-consumer": "#8f3d00",
    "nvme": "#0072b2",
    "nvme-consumer": "#56b4e9",
    "nvram": "#009e73",
    "pmem-dax": "#66c2a4",
    "optane-p4800x": "#cc79a7",
    "hdd-7200": "#4d4d4d",
    "ebs-gp3": "#b8a500",
    "ebs-io2": "#6a51a3",
    "nvme-pm9a3": "#08306b",
    "nvme-p5510-raid1": "#225ea8",
    "nvme-990pro": "#1d91c0",
    "nvme-990pro-worn": "#7fcdbb",
    "nvme-t500": "#4292c6",
    "nvme-t500-slow": "#9ecae1",
    "gcp-disk": "#8c6d31",
    "gcp-local": "#3f007d",
    "gcp-local-slow": "#9e9ac8",
}
_OTHERS = ("#332288", "#88ccee", "#44aa99", "#999933", "#882255", "#aa4499")
_MARKERS = "osD^vP*X"

INK = "#101010"
"""For texts and whiskers: a device's own colour is too pale to read."""

# matplotlib's rcParams. Text stays text in SVG, so that it can be searched and read aloud.
RC: dict[Any, Any] = {
    "figure.dpi": 100,
    "savefig.dpi": 130,
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": "#e3e3e3",
    "grid.linewidth": 0.8,
    "xtick.bottom": False,
    "legend.frameon": False,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "svg.fonttype": "none",
    "svg.hashsalt": "waltax",
}


def colour(device: str) -> str:
    """Return a device's colour; one outside the catalog gets the colour that its name hashes to."""
    return _COLOURS.get(device, _OTHERS[zlib.crc32(device.encode()) % len(_OTHERS)])


def marker(device: str) -> str:
    """Return a marker that tells lines apart without colour."""
    names = list(_COLOURS)
    place = names.index(device) if device in names else zlib.crc32(device.encode())
    return _MARKERS[place % len(_MARKERS)]


def legend(axes: Axes, *, of: Axes) -> None:
    """Add a legend beside the plot of what is drawn in the axes `of`; none if that is nothing."""
    drawn = of.get_legend_handles_labels()
    if drawn[0]:
        axes.legend(*drawn, loc="upper left", bbox_to_anchor=(1, 1))


def line(durability: str) -> str:
    """Return the line style of a mode; the modes of one device share its colour."""
    return {"flush": "--", "delayed": ":"}.get(durability, "-")
