"""The command: lengths of log, what is left of each by a kill, and how long its openings take."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...engines import EMBEDDED, ENGINES
from ...errors import UsageError
from ...harness.cutting import WORKLOADS
from .. import options

if TYPE_CHECKING:
    from rich.console import Console

    from ...profiles import Profile
    from .openings import Asked

# A server writes its log at a fraction of the embedded engine's pace.
_DEFAULT, _OF_SERVERS = "16 64 256", "16 48 128"


@click.command()
@options.profile("ci", "Size of the data, and how the engine is set.")
@options.engine(tuple(ENGINES), "Whose recovery.", EMBEDDED)
@options.one_workload(WORKLOADS, WORKLOADS[0])
@click.option(
    "--logs",
    help="Lengths of the log at the kill, in MiB, separated by blanks. "
    f"Default: {_DEFAULT}; of a server {_OF_SERVERS}.",
)
@click.option(
    "--kills",
    type=click.IntRange(1, 100),
    default=2,
    show_default=True,
    help="How often each length is reached and killed.",
)
@click.option(
    "--openings",
    type=click.IntRange(1, 100),
    default=3,
    show_default=True,
    help="How often what a kill left is opened.",
)
@options.seed()
@options.share_machine()
@options.results()
@options.data_dir()
def command(
    *,
    profile: str,
    engine: str,
    workloads: tuple[str, ...],
    logs: str | None,
    kills: int,
    openings: int,
    seed: int | None,
    share_machine: bool,
    results: Path,
    data_dir: Path,
) -> None:
    """How long an engine takes to serve again after a kill, by the bytes of log to replay.

    It is killed when its log has each of these lengths, and what it left is opened several times,
    its files out of the page cache.
    """
    from ... import profiles
    from ...runners import campaign
    from ...terminal import Terminal, say
    from .openings import Asked

    if logs is None:
        logs = _OF_SERVERS if ENGINES[engine].on_server else _DEFAULT
    (workload,), wanted = workloads, _lengths(logs)
    loaded, data_root = profiles.load(profile, engine), data_dir.absolute()
    _require_room(loaded, workload, wanted, data_root)
    drawn = random.randrange(2**31) if seed is None else seed
    asked = Asked(loaded, workload, wanted, kills, openings, drawn)
    console, folder = Terminal(), results.absolute() / f"{campaign.now()}-recovery"
    say(console, f"{workload} on {engine}: {len(wanted)} lengths of log, {kills} kills of each")
    _measure(asked, folder, data_root, console, share=share_machine)
    _report(folder, console)


def _measure(asked: Asked, folder: Path, data_root: Path, console: Console, *, share: bool) -> None:
    """Keep each opening as it comes, so that Ctrl-C loses none."""
    from ...analysis.reports.recovery import KEPT
    from ...harness import signals
    from ...owned import places
    from ...owned.machine import only_campaign
    from ...runners import typed, workspace
    from ...terminal import say
    from . import openings

    kept = folder / KEPT
    with (
        signals.as_ctrl_c(),
        only_campaign("recovery", share=share) as notes,
        places.results(folder, kept.exists, resumable=False),
    ):
        left = workspace.sweep_data(data_root, folder.parent)
        say(console, *(f"warning: {note}" for note in notes), *left.left_words())
        try:
            for row in openings.rows(asked, data_root, lambda text: say(console, text)):
                with kept.open("a") as file:
                    file.write(json.dumps(row) + "\n")
        except KeyboardInterrupt:
            if kept.exists():
                say(console, "The report of what there is:", f"  {typed.program()} report {folder}")
            raise


def _lengths(text: str) -> tuple[int, ...]:
    """In MiB, shortest first. Errors: UsageError for one that is none."""
    words = text.replace(",", " ").split()
    for word in words:
        if not word.isdigit() or not 1 <= int(word) < 1 << 32:
            raise UsageError(f"--logs: found {word!r}; whole MiB from 1, as in --logs {_DEFAULT!r}")
    if not words:
        raise UsageError(f"--logs: found nothing; type lengths in MiB, as in --logs {_DEFAULT!r}")
    return tuple(sorted({int(word) for word in words}))


def _require_room(
    profile: Profile, workload: str, lengths: tuple[int, ...], data_root: Path
) -> None:
    """Errors: UsageError for a length that the engine, the disk or the memory cannot hold."""
    from ...receipts.recovery import roomy
    from ...runners import plan

    longest = max(lengths)
    roomy.require(profile.engine, longest)
    try:
        plan.require_share(data_root, roomy.needs(profile, workload, longest))
    except plan.NoRoom as error:
        shorter = f"--logs: found {longest}, in MiB; shorter lengths need less"
        raise plan.NoRoom(*error.lines, shorter) from error


def _report(folder: Path, console: Console) -> None:
    from ... import analysis
    from ...analysis import reports

    analysis.publish(reports.recovery(folder), console)
