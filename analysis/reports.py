"""A campaign's report: the table on the console, and summary and figures beside its rows."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from .. import strictjson
from ..row import HalfWrittenLine
from ..terminal import say
from . import facts, figures, layout, summary, table
from .overhead import every_cell
from .reading import load


def write(
    campaigns: Sequence[Path],
    console: Console,
    *,
    stop_reason: str | None = None,
    target_half_width: float | None = None,
) -> None:
    """Print the table; write summary.json, summary.csv and the figures.

    The rows of several `campaigns` are taken together. Then, and when a campaign is given as a
    file of rows, there is only the table: a folder's files are of its own rows.
    """
    with warnings.catch_warnings(record=True, action="always", category=HalfWrittenLine) as dropped:
        rows = load(campaigns)
    estimates, about = every_cell(rows), facts.of_rows(rows)
    folder = campaigns[0] if len(campaigns) == 1 and campaigns[0].is_dir() else None
    if folder:
        earlier = _how_it_ended(folder)
        stop_reason, target_half_width = stop_reason or earlier[0], target_half_width or earlier[1]
    if not console.is_terminal:  # a pipe has no width of its own, and rich takes 80 for it
        console.width = max(console.width, layout.WIDTH)
    console.print(table.full(rows, estimates, target_half_width))
    for warning in (*(str(one.message) for one in dropped), *about.warnings):
        say(console, f"warning: {warning}")
    if len(campaigns) > 1:
        console.print("Several campaigns: only this table; each folder keeps its own files.")
    if not folder:
        return
    content = summary.build(
        rows, estimates, about, stop_reason=stop_reason, target=target_half_width
    )
    written = summary.write(content, folder)
    written += figures.write(rows, estimates, about, folder)
    names = ", ".join(path.name for path in written)
    say(console, f"In {folder}: {names}")


def _how_it_ended(folder: Path) -> tuple[str | None, float | None]:
    """What the report at the campaign's end knew and the rows do not hold."""
    try:
        earlier = strictjson.loads((folder / summary.JSON).read_bytes())
    except (OSError, ValueError):
        return None, None
    if not isinstance(earlier, dict):
        return None, None
    reason, target = earlier.get("stop_reason"), earlier.get("target_half_width")
    known = isinstance(target, float) and 0 < target < 1
    return reason if isinstance(reason, str) else None, target if known else None
