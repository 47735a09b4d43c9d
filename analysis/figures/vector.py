"""A report's figures as files, each drawn once for all formats that show it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from ..report import Report
from . import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DIGITS = 6  # of a figure's width or height: a thousandth of a pixel


def svg(report: Report, name: str) -> str:
    """Return the figure of that name as SVG; equal rows make an equal text."""
    if name not in report.vectors:
        draw(report, name)
    return report.vectors[name]


def draw(report: Report, name: str, png: Path | None = None) -> None:
    """Draw a figure for `svg`, and into a file of pixels if `png` names one."""
    import matplotlib as mpl

    with mpl.rc_context(style.RC):
        figure = report.figures[name]()
        _lay_out(figure)
        if png is not None:
            figure.savefig(png, pil_kwargs={"compress_level": 3})  # stronger compression takes long
        text = io.StringIO()
        # A date would make the files of equal rows differ.
        figure.savefig(text, format="svg", metadata={"Date": None})
    report.vectors[name] = text.getvalue()


def _lay_out(figure: Figure) -> None:
    """Place the axes once, which takes half the time, and identically for equal rows.

    The layout solver is exact only up to the last bits, which depend on where its variables lie in
    memory, and SVG names clip paths by all bits.
    """
    from matplotlib.transforms import Bbox

    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        place = axes.get_position().bounds
        axes.set_position(Bbox.from_bounds(*(round(edge, _DIGITS) for edge in place)))
