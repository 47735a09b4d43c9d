"""A report on a terminal, or in a pipe: its parts as rich renders them.

If a table is too wide even in its compact form, only the first column is folded, and no further
than can be read: half a number would be a wrong number. A narrower terminal breaks its lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich import box
from rich import table as rich_table
from rich.cells import cell_len
from rich.console import (
    Console,
    ConsoleOptions,
    Group,
    JustifyMethod,
    RenderableType,
    RenderResult,
)
from rich.measure import Measurement
from rich.text import Text

from ...base.terminal import say
from ..report import WIDTH, Part, Report, Table, Verdict

_NO_WIDTH = 10_000  # columns, more than any table has
_NAME = 8  # columns of a folded name, so that it can still be read
_PATH = re.compile(r"(?:^|[\s(,])[.~]{0,2}/\S")


def write(report: Report, console: Console, _folder: Path | None) -> list[Path]:
    """Print the report, and the warnings about its rows."""
    if not console.is_terminal:  # a pipe has no width, and rich assumes 80
        console.width = _NO_WIDTH
    console.print(renderable(report.parts), crop=False)
    say(console, *(f"warning: {warning}" for warning in report.warnings), *report.remarks)
    return []


def renderable(parts: Sequence[Part]) -> RenderableType:
    """Return what rich prints for these parts."""
    return Group(*(piece for part in parts for piece in _rendered(part)))


def _rendered(part: Part) -> list[RenderableType]:
    if isinstance(part, Verdict):
        return [_Line(part.sentence, "bold"), Text()]
    if isinstance(part, Table):
        return [_ByWidth(part)]
    if not part.lines:
        return []
    title = [Text(part.title, style="bold")] if part.title else []
    return [*title, *(_Line(f"  {line}") for line in part.lines), Text()]


@dataclass(frozen=True)
class _Line:
    """A line that a terminal breaks between words, unless it has a path; whole in a pipe."""

    text: str
    style: str = ""

    def __rich_console__(self, console: Console, _options: ConsoleOptions) -> RenderResult:
        if console.is_terminal and not _PATH.search(self.text):
            yield Text(self.text, style=self.style)
        else:
            yield Text(self.text, style=self.style, overflow="ignore", no_wrap=True)


@dataclass(frozen=True)
class _ByWidth:
    """A table that is laid out when it is drawn, because only then is its width known."""

    table: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        laid_out = _laid_out(self.table, compact=options.max_width < WIDTH)
        whole = Measurement.get(console, options.update_width(_NO_WIDTH), laid_out).maximum
        names = max((cell_len(row[0]) for row in self.table.rows), default=0)
        least = whole - max(0, names - _NAME)
        yield from console.render(laid_out, options.update_width(max(options.max_width, least)))


def _laid_out(table: Table, *, compact: bool) -> rich_table.Table:
    shown = [not (column.only_wide and compact) for column in table.columns]
    laid_out = rich_table.Table(
        title=table.title, title_justify="left", title_style="", box=box.SIMPLE_HEAD
    )
    for place, column in enumerate(table.columns):
        if place == 0:
            laid_out.add_column(column.heading, overflow="fold")
        elif shown[place]:
            side: JustifyMethod = "left" if column.is_text else "right"
            laid_out.add_column(column.heading, justify=side, no_wrap=True)
    for row in table.rows:
        laid_out.add_row(*(text for text, is_shown in zip(row, shown, strict=True) if is_shown))
    return laid_out
