"""A study that stands in no release: it measures nothing, and its answer is a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from waltax import row
from waltax.analysis.report import Report, Verdict
from waltax.cell import Cell
from waltax.commands import Entry
from waltax.runners.campaign import Campaign
from waltax.runners.cells.live import Position
from waltax.runners.local import Local
from waltax.runners.loop import Executor, Outcome
from waltax.runners.progress import Progress
from waltax.runners.recipe import command_line
from waltax.runners.stop_rule import Stop
from waltax.studies import options
from waltax.studies.request import Request
from waltax.studies.study import Study

ENTRY = Entry(f"{__name__}:STUDY", "How loud a log is.")


def _report(request: Request, folders: Sequence[Path]) -> list[Report]:
    rows = [one for folder in folders for one in row.read(folder / "rows.jsonl")]
    return [Report("loudness", [Verdict(f"{len(rows)} rows are loud, in {request.own['colour']}")])]


def measure(
    campaign: Campaign, _console: Console, executor: Executor, cell: Cell | None = None
) -> Outcome:
    """Instead of the frame's: a row that says that it failed, and the campaign kept."""
    from waltax.runners import record

    assert executor == Local(share_machine=True)
    campaign.save()
    at = Position(0, 0, 0)
    one = record.failed(campaign, cell or campaign.cells[-1], at, "it was quiet")
    row.append(campaign.rows_path, one)
    rows = row.read(campaign.rows_path)
    return Outcome({"linkbench": Stop.HOPELESS}, Progress(rows))


STUDY = Study(
    kind="loudness",
    about="It needs no microphone.",
    options=(
        options.profile("quick"),
        command_line.devices("Which."),
        click.option("--colour", default="grey", help="Of the report."),
    ),
    changes=lambda _: [{"workloads": ("linkbench",)}],
    shows_overheads=False,
    report=_report,
    of_report=frozenset({"colour"}),
)
