"""Results to figures; `draw` makes SVG of one, and a file of pixels."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from . import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DIGITS = 6  # of a figure's width or height: a thousandth of a pixel


def draw(make: Callable[[], Figure], png: Path | None = None) -> str:
    """Draw a figure, into a file of pixels as well if `png` names one, and return it as SVG.

    Equal rows make an equal text.
    """
    import matplotlib as mpl

    with mpl.rc_context(style.RC):
        figure = make()
        _lay_out(figure)
        if png is not None:
            figure.savefig(png, pil_kwargs={"compress_level": 3})  # stronger compression takes long
        text = io.StringIO()
        # A date would make the files of equal rows differ.
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


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
