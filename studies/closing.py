"""What stands last: on a terminal the verdicts once more, then what can be typed and opened.

A report begins with its verdict, and so does a file that it was piped into. On a terminal that has
scrolled away when the evidence is printed: there the last lines, no more than MOST of them, say it
again. Paths stand on lines of their own, which nothing breaks.
"""

from __future__ import annotations

import math
import os
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from ..analysis import Report

MOST = 12  # lines
_WIDEST = 100  # columns of a line that is read, on however wide a terminal
_CUT = " ..."


@dataclass
class Closing:
    """What the reports of a command said and wrote.

    A study's own reports answer its question: their verdicts stand in place of the overheads'.
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
        """Publish a report, and keep what is to be said of it at the end."""
        from .. import analysis

        written = analysis.publish(report, console, formats=formats)
        (self.answers if answers else self.overheads).extend(report.verdicts)
        self.pages += [
            path for path in written if path.suffix == ".html" and path not in self.pages
        ]

    def print(self, console: Console, *more: str) -> None:
        """Print what stands last; `more` are lines between the verdicts and the pages."""
        from ..base.terminal import say

        lines = [*more, *(f"report: {os.path.relpath(path)}" for path in self.pages)]
        if console.is_terminal and console.file.isatty():
            taken = 1 + sum(math.ceil(len(line) / console.width) for line in lines)
            told = fitted(self.answers or self.overheads, console.width, MOST - taken)
            say(console, *([""] if told else []))
            say(console, *told, style="bold")
        say(console, *lines)


def fitted(sentences: Sequence[str], columns: int, most: int) -> list[str]:
    """The sentences in lines of so many columns, at most `most`; a long one is cut at its end.

    Each gets as many lines as it needs, as long as the others have their share.
    """
    columns, left, lines = min(columns, _WIDEST), max(most, len(sentences)), []
    for number, sentence in enumerate(sentences):
        wrapped = textwrap.wrap(sentence, columns, break_long_words=False, break_on_hyphens=False)
        share = left // (len(sentences) - number)
        if len(wrapped) > share:
            last = textwrap.wrap(wrapped[share - 1], columns - len(_CUT), break_long_words=False)
            wrapped = [*wrapped[: share - 1], last[0] + _CUT]
        lines += wrapped
        left -= len(wrapped)
    return lines
