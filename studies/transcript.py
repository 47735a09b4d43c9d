"""What a command prints before its campaigns are measured, and its reports and last lines.

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
from ..device_names import point_us
from ..workloads import WORKLOADS
from .request import Request
from .study import Study

if TYPE_CHECKING:
    from rich.console import Console

    from ..analysis import Report
    from ..runners.campaign import Campaign

_LINES = 4  # of a verdict, at most
_WIDEST = 100  # columns of a readable line, however wide the terminal is


def words(campaign: Campaign) -> list[str]:
    """Return what is about to be measured, with the seed that makes it repeatable."""
    from ..runners.recipe import axes

    profile, recipe = campaign.profile, campaign.recipe
    return [
        f"campaign {campaign.id}, seed {recipe.seed}",
        f"profile {profile.name}: {profile.title}",
        *(_workload(campaign, name) for name in recipe.workloads),
        f"options and evidence: {os.path.relpath(campaign.folder)}",
        *axes.words(campaign),
        *_devices(campaign),
        f"{len(campaign.cells)} cells take turns: {_time(campaign)}",
    ]


def _workload(campaign: Campaign, workload: str) -> str:
    """Say how many clients work on how much data."""
    from ..runners import lives

    clients = ""
    if WORKLOADS[workload].knows_clients:
        counts = {cell.threads for cell in campaign.cells if cell.workload == workload}
        clients = f", {', '.join(map(str, sorted(counts)))} threads"
    part = campaign.of_workload(workload)
    return f"workload: {workload}{clients}: {lives.of(part).words(part)}"


def _devices(campaign: Campaign) -> Iterator[str]:
    """Yield the grid of constant devices in one line, and the warnings of the others."""
    points = {us for cell in campaign.cells if (us := point_us(cell.device)) is not None}
    if points:
        grid = ", ".join(f"{us:,}" for us in sorted(points))
        yield f"grid: syncs of {grid} us, emulated over memory"
    placed = [
        (cell.device, campaign.placements[cell.id])
        for cell in campaign.cells
        if point_us(cell.device) is None
    ]
    logs = [place for _, place in placed]
    placed += [("binlog", place) for place in campaign.binlogs.values() if place not in logs]
    warned = [(name, text) for name, place in placed for text in place.warnings]
    yield from (f"warning: {name}: {text}" for name, text in dict.fromkeys(warned))


def _time(campaign: Campaign) -> str:
    from ..runners import plan

    if plan.plan(campaign).whole_runs:
        return "the time depends on the program"
    return (
        f"at most {plan.measuring_s(campaign) / 60:.1f} min of slices; on top come loading, and "
        f"{campaign.profile.timing.min_sessions} starts and checks of each"
    )


def sizes(campaign: Campaign) -> list[str]:
    """Return the cells, and the upper bounds of `runners.plan` on disk and memory."""
    from ..runners import plan

    share = plan.plan(campaign)
    bound = "at least" if share.whole_runs else "at most"  # what a program writes is its own
    return [
        *(f"  {cell.id:45} {plan.place(campaign, cell.id)}" for cell in campaign.cells),
        f"disk    {bound} {share.disk_mib:,.0f} MiB in {campaign.data_root}",
        f"written about {share.written_mib:,.0f} MiB to that disk"
        + ", and what the program writes" * bool(share.whole_runs),
        f"memory  {bound} {share.memory_mib:,.0f} MiB, emulated WALs included",
    ]


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
