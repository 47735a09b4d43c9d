"""A report's figures beside the rows, each as PNG and SVG."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from ...owned.places import require_own
from ..figures import style
from ..report import Report


def write(report: Report, _console: Console, folder: Path | None) -> list[Path]:
    """Draw each figure as <name>.png and <name>.svg."""
    if folder is None or not report.figures:
        return []
    import matplotlib as mpl

    require_own(folder)
    written = []
    with mpl.rc_context(style.RC):
        for name, draw in report.figures.items():
            figure = draw()
            for suffix in ("png", "svg"):
                path = folder / f"{name}.{suffix}"
                metadata = {"Date": None} if suffix == "svg" else None  # equal rows, equal file
                figure.savefig(path, metadata=metadata)
                written.append(path)
    return written
