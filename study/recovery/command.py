"""The command: lengths of log, what is left of each by a kill, and how long its openings take."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...engines import EMBEDDED, ENGINES, WHOLE
from ...errors import UsageError
from ...receipts.recovery.crashed import FAILURES, KILL
from ...runners.cells.cutting import WORKLOADS
from .. import options

if TYPE_CHECKING:
    from ...profiles import Profile

# A server writes its log at a fraction of the embedded engine's pace.
_DEFAULT, _OF_SERVERS = "16 64 256", "16 48 128"


@click.command()
@options.profile("ci", "Size of the data, and how the engine is set.")
@options.engine(WHOLE, "Whose recovery.", EMBEDDED)
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
    help="How often each length is reached and ended.",
)
@click.option(
    "--openings",
    type=click.IntRange(1, 100),
    default=3,
    show_default=True,
    help="How often what a kill left is opened.",
)
@click.option(
    "--read-mib-per-s",
    type=click.FloatRange(1),
    help="Hold what is read to that, by the kernel's block cgroup; needs root. Default: no limit.",
)
@click.option(
    "--after",
    type=click.Choice(FAILURES),
    default=KILL,
    show_default=True,
    help="What ends a run: its process is killed, or the power is cut, after which the disk has "
    "what was synced and a torn end; then the run is recorded and its commits are synced.",
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
    read_mib_per_s: float | None,
    after: str,
    seed: int | None,
    share_machine: bool,
    results: Path,
    data_dir: Path,
) -> None:
    """How long an engine takes to serve again after a kill, by the bytes of log to replay.

    It is killed, or loses its power, when its log has each of these lengths, and what it left is
    opened several times, its files out of the page cache.
    """
    from ... import analysis, profiles
    from ...analysis import reports
    from ...analysis.reports.recovery import KEPT
    from ...runners import campaign
    from ...terminal import Terminal, say
    from .. import kept
    from . import openings as opened

    if logs is None:
        logs = _OF_SERVERS if ENGINES[engine].on_server else _DEFAULT
    (workload,), wanted = workloads, _lengths(logs)
    loaded, data_root = profiles.load(profile, engine), data_dir.absolute()
    _require_room(loaded, workload, wanted, data_root)
    drawn = random.randrange(2**31) if seed is None else seed
    asked = opened.Asked(loaded, workload, wanted, kills, openings, drawn, read_mib_per_s, after)
    console, folder = Terminal(), results.absolute() / f"{campaign.now()}-recovery"
    say(console, f"{workload} on {engine}: {len(wanted)} lengths of log, {kills} kills of each")
    kept.keep(
        lambda tell: opened.rows(asked, data_root, tell),
        folder / KEPT,
        data_root,
        console,
        share_machine=share_machine,
    )
    analysis.publish(reports.recovery(folder), console)


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
