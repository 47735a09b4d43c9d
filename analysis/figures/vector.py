"""A report's figures as files, each drawn once for all formats that show it."""

from __future__ import annotations

import io
from pathlib import Path

from ..report import Report
from . import style


def svg(report: Report, name: str) -> str:
    """The figure of that name as SVG; equal rows make an equal text."""
    if name not in report.vectors:
        draw(report, name)
    return report.vectors[name]


def draw(report: Report, name: str, png: Path | None = None) -> None:
    """Draw a figure for `svg`, and into a file of pixels where there is to be one."""
    import matplotlib as mpl

    with mpl.rc_context(style.RC):
        figure = report.figures[name]()
        if png is not None:
            figure.savefig(png, pil_kwargs={"compress_level": 3})  # to press it further takes long
            figure.set_layout_engine("none")  # it is laid out now, which takes half the time
        text = io.StringIO()
        # A date would make the files of equal rows differ.
        figure.savefig(text, format="svg", metadata={"Date": None})
    report.vectors[name] = text.getvalue()
