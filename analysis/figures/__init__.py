"""Results to figures. Functions draw onto given axes; the caller decides where they go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..results import Origin

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def empty(width: float, height: float) -> Figure:
    """Return an empty figure of this size in inches, with room for the footnote."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    below = 0.36 / height
    layout = ConstrainedLayoutEngine(rect=(0.01, below, 0.98, 1 - below), wspace=0.06)
    return Figure(figsize=(width, height), layout=layout)


def footnote(figure: Figure, origin: Origin, legend: str) -> None:
    """Write below all axes where the rows come from, and below it how to read the figure."""
    versions = [f"{name} {_named(releases, '/')}" for name, releases in origin.versions.items()]
    parts = [
        f"campaign {_named(origin.campaigns)}",
        *versions,
        _named(origin.machines, "  |  "),
        *origin.measured_on,
    ]
    text, low = "  |  ".join(filter(None, parts)) + "\n" + legend, 0.04 / figure.get_figheight()
    figure.text(0.012, low, text, fontsize=7.5, color="#404040", va="bottom")


def _named(names: Sequence[str], between: str = ", ") -> str:
    """Join all names, or abbreviate them: a line is no wider than the figure."""
    return between.join(names) if len(names) < 3 else f"{names[0]} and {len(names) - 1} more"
