"""A report as Markdown, with GitHub's tables, to be kept or sent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from ...base.terminal import say
from ..report import Part, Report, Table, Verdict

# Rows may hold foreign texts, and nothing in them is markup. A bracket alone is none.
_MARKUP = re.compile(r"([\\`*_{}<>#|~]|\](?=[(\[:]))")


def write(report: Report, console: Console, _folder: Path | None) -> list[Path]:
    """Print the report as Markdown; the reader wraps the lines."""
    say(console, *text(report).split("\n"))
    return []


def text(report: Report) -> str:
    """Return the report as Markdown."""
    blocks = [_block(part) for part in report.parts]
    blocks.append(_list([f"warning: {warning}" for warning in report.warnings]))
    blocks += [_plain(remark) for remark in report.remarks]
    return "\n\n".join(filter(None, blocks))


def _block(part: Part) -> str:
    if isinstance(part, Verdict):
        return f"**{_plain(part.sentence)}**"
    if isinstance(part, Table):
        return _table(part)
    title = f"### {_plain(part.title)}\n\n" if part.title and part.lines else ""
    return title + _list(part.lines)


def _list(lines: Sequence[str]) -> str:
    """Return a bullet per line; indented lines belong to the line above."""
    bare = [(line, line.lstrip()) for line in lines]
    return "\n".join(f"{' ' * (len(line) - len(text))}- {_plain(text)}" for line, text in bare)


def _table(table: Table) -> str:
    title, *more = map(_plain, table.title.split("\n"))
    columns = table.columns
    headers = [_plain(column.heading.replace("\n", " ")) for column in columns]
    rules = ["---", *("---" if column.is_text else "---:" for column in columns[1:])]
    rows = [headers, rules, *([_plain(text) for text in row] for row in table.rows)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n\n".join([f"### {title}", *more, "\n".join(lines)])


def _plain(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)
