"""The last lines of a command: on a terminal the verdicts again, then what to type and to open.

A report begins with its verdict. On a terminal the verdict has scrolled away by the time the
evidence is printed, so the last lines repeat it. A file does not need that. Each path has its own
line, so that nothing breaks it.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from ..analysis import Report

_LINES = 4  # of a verdict, at most
_WIDEST = 100  # columns of a readable line, however wide the terminal is


@dataclass
class Closing:
    """What the reports of a command said and wrote.

    A study's own reports answer its question, so their verdicts replace those of the overheads.
    """

    overheads: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    pages: list[Path] = field(default_factory=list)

    def publish(
        self,
        report: Report,
        console: Console,
        formats: Sequence[str] | None = None,
        *,
        answers: bool = False,
    ) -> None:
        """Publish a report, and keep its verdicts and pages for the end."""
        from .. import analysis

        written = analysis.publish(report, console, formats=formats)
        (self.answers if answers else self.overheads).extend(report.verdicts)
        self.pages += [
            path for path in written if path.suffix == ".html" and path not in self.pages
        ]

    def print(self, console: Console, *more: str) -> None:
        """Print the last lines; `more` go between the verdicts and the pages."""
        from ..base.terminal import say

        lines = [*more, *(f"report: {os.path.relpath(path)}" for path in self.pages)]
        if console.is_terminal and console.file.isatty():
            fitted = textwrap.TextWrapper(
                min(console.width, _WIDEST),
                max_lines=_LINES,
                placeholder=" ...",
                break_long_words=False,
                break_on_hyphens=False,
            )
            verdicts = [
                line for text in self.answers or self.overheads for line in fitted.wrap(text)
            ]
            say(console, *([""] if verdicts else []))
            say(console, *verdicts, style="bold")
        say(console, *lines)
