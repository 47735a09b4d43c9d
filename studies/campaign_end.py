"""A campaign on the screen: its rounds, why it ended, and the last lines of the command.

A report begins with its verdict. On a terminal the verdict has scrolled away by the time the
evidence is printed, so the last lines repeat it. A file does not need that. Each path has its own
line, so that nothing breaks it.
"""

from __future__ import annotations

import contextlib
import os
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..axes import PAIRED
from ..base.errors import WaltaxError
from ..runners.hosts.where import HostsError
from ..runners.recipe import command_line
from .request import Request
from .study import Study

if TYPE_CHECKING:
    from rich.console import Console

    from ..analysis import Report
    from ..runners.campaign import Campaign
    from ..runners.loop import Executor, Outcome

INTERRUPTED = 130
"""The exit code."""
_LINES = 4  # of a verdict, at most
_WIDEST = 100  # columns of a readable line, however wide the terminal is


def words(outcome: Outcome) -> list[str]:
    """Say which cells failed and why a campaign ended, and what that does to its intervals."""
    longer = '; its intervals allow for that (docs/method.md, "When a campaign stops")'
    return [
        *(f"FAILED {cell}: {why}" for cell, why in outcome.progress.failures.items()),
        f"Ended because {outcome.reason}{longer if outcome.tight else ''}.",
    ]


def again(campaign: Campaign, request: Request | None = None) -> str:
    """Return the command line that resumes a campaign, on the hosts of `request` if it has any."""
    hosts = "" if request is None else request.hosts or ""
    return command_line.again(campaign.recipe.kind, campaign.folder, hosts)


@contextlib.contextmanager
def leaving_a_hint(campaign: Campaign, request: Request, console: Console) -> Iterator[None]:
    """Print how to resume the campaign when Ctrl-C or the loss of its hosts ends it at once."""
    try:
        yield
    except (KeyboardInterrupt, HostsError):
        if campaign.rows_path.exists():
            say(console, "", *hint(campaign, request))
        raise


def hint(campaign: Campaign, request: Request) -> Sequence[str]:
    """Return how to resume a campaign; the command has its own line, to be pasted."""
    return "Continue with:", f"  {again(campaign, request)}"


def say(console: Console, *lines: str, style: str | None = None) -> None:
    """Print lines that may hold foreign text."""
    from ..base import terminal  # a help must not wait for it

    terminal.say(console, *lines, style=style)


def measure_shown(campaign: Campaign, console: Console, executor: Executor) -> Outcome:
    """Measure a campaign to its end, with a line after each round."""
    from .. import analysis
    from ..runners import loop
    from ..runners.screen import screen

    shown = screen(campaign, partial(say, console), analysis.estimate)
    return loop.measure(campaign, analysis.estimate, shown, executor)


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
        from .. import analysis

        written = analysis.publish(report, self.console, formats=self.formats)
        (self.overheads if verdicts is None else verdicts).extend(report.verdicts)
        self.pages += [
            path for path in written if path.suffix == ".html" and path not in self.pages
        ]

    def answer(
        self, study: Study[Any], request: Request, folders: Sequence[Path], *, strictly: bool = True
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
        console = self.console
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


def _own(study: Study[Any], request: Request, folders: Sequence[Path]) -> Iterator[Report]:
    from ..analysis import reports
    from ..analysis.reports.receipts import KEPT
    from ..analysis.reports.recovery_modes import KEPT as MODES_KEPT
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
