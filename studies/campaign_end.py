"""The reports at the end of a command, and its last lines.

A report begins with its verdict. On a terminal the verdict has scrolled away by the time the
evidence is printed, so the last lines repeat it. A file does not need that. Each path has its own
line, so that nothing breaks it.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ..axes import PAIRED
from ..base.errors import WaltaxError
from ..base.printable import say
from .request import Request
from .study import Study

if TYPE_CHECKING:
    from rich.console import Console

    from ..analysis import Report

_LINES = 4  # of a verdict, at most
_WIDEST = 100  # columns of a readable line, however wide the terminal is


@dataclass
class Closing:
    """What the reports of a command, in these formats, said and wrote.

    A study's own reports answer its question, so their verdicts replace those of the overheads.
    """

    console: Console
    formats: Sequence[str] | None = None
    overheads: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    pages: list[Path] = field(default_factory=list)

    def publish(self, report: Report, verdicts: list[str] | None = None) -> None:
        """Publish a report, and keep its verdicts, by default as overheads, and its pages."""
        from ..analysis import writers

        written = writers.publish(report, self.console, formats=self.formats)
        (self.overheads if verdicts is None else verdicts).extend(report.verdicts)
        pages = [path for path in written if path.suffix == ".html"]
        self.pages = list(dict.fromkeys([*self.pages, *pages]))

    def answer(
        self, study: Study, request: Request, folders: Sequence[Path], *, strictly: bool = True
    ) -> None:
        """Publish the study's own reports, if any, and those of receipts and builds.

        Unless `strictly`, it only says what they lack: after failures too few cells may be left.
        """
        try:
            for report in _own(study, request, folders):
                self.publish(report, self.answers)
        except WaltaxError as error:
            if strictly:
                raise
            say(self.console, f"No report of {study.kind}: {error}")

    def print(self, *more: str) -> None:
        """Print the last lines; `more` go between the verdicts and the pages."""
        console, verdicts = self.console, self.answers or self.overheads
        if verdicts and console.is_terminal and console.file.isatty():
            fitted = textwrap.TextWrapper(
                min(console.width, _WIDEST),
                max_lines=_LINES,
                placeholder=" ...",
                break_long_words=False,
                break_on_hyphens=False,
            )
            lines = [line for text in verdicts for line in fitted.wrap(text)]
            say(console, "", *lines, style="bold")
        say(console, *more, *(f"report: {os.path.relpath(path)}" for path in self.pages))


def _own(study: Study, request: Request, folders: Sequence[Path]) -> Iterator[Report]:
    from ..analysis import reports
    from ..analysis.reports.receipts import KEPT
    from ..analysis.reports.recovery import MODES_KEPT
    from ..runners.recipe import axes, campaign_file

    own = [] if study.report is None else study.report(request, folders)
    yield from own
    has_receipts = "receipts" in [report.name for report in own]
    if not has_receipts and any((folder / KEPT).exists() for folder in folders):
        yield reports.receipts(folders)
    yield from (reports.recovery_modes(each) for each in folders if (each / MODES_KEPT).exists())
    for axis in PAIRED:
        values = [axes.TABLE[axis].values(campaign_file.told(folder)) for folder in folders]
        if any(len(names) > 1 for names in values):
            yield reports.builds(folders, [name for names in values for name in names], axis)
