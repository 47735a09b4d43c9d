"""`waltax recovery`: how long an engine takes to open again, by the log that it must replay."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..engines import EMBEDDED
from ..errors import UsageError, WaltaxError
from ..harness.cutting import WORKLOADS
from . import options

if TYPE_CHECKING:
    from rich.console import Console

    from ..driver.argv import Parameters
    from ..profiles import Profile

_DEFAULT = "16 64 256"
_MIB = 1 << 20
_ROOM = 3  # of memtables for a log: entries take more there than in the log
_COLUMN_FAMILIES = 12  # of TPC-C, each with memtables of its own


@click.command()
@options.profile("ci", "Size of the data, and how the engine is set.")
@options.engine([EMBEDDED], "Whose recovery.")
@options.one_workload(WORKLOADS, WORKLOADS[0])
@click.option(
    "--logs",
    default=_DEFAULT,
    show_default=True,
    help="Lengths of the log at the kill, in MiB, separated by blanks.",
)
@click.option(
    "--openings",
    type=click.IntRange(1, 100),
    default=5,
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
    logs: str,
    openings: int,
    seed: int | None,
    share_machine: bool,
    results: Path,
    data_dir: Path,
) -> None:
    """How long RocksDB takes to open again after a kill, by the bytes of log that it replays.

    TPC-C is killed when its log has each of these lengths, and what it left is opened several
    times, its files out of the page cache.
    """
    from .. import profiles
    from ..analysis.reports.recovery import KEPT
    from ..owned import places
    from ..owned.machine import only_campaign
    from ..runners import campaign
    from ..terminal import Terminal, say

    (workload,), wanted = workloads, _lengths(logs)
    loaded, console = profiles.load(profile, engine), Terminal()
    folder = results.absolute() / f"{campaign.now()}-recovery"
    drawn = random.randrange(2**31) if seed is None else seed
    say(console, f"{workload} on {engine}: {len(wanted)} lengths of log, {openings} openings each")
    with (
        only_campaign("recovery", share=share_machine) as notes,
        places.results(folder, (folder / KEPT).exists),
    ):
        say(console, *(f"warning: {note}" for note in notes))
        for row in _rows(loaded, workload, wanted, openings, drawn, data_dir.absolute(), console):
            with (folder / KEPT).open("a") as file:
                file.write(json.dumps(row) + "\n")
    _report(folder, console)


def _lengths(text: str) -> list[int]:
    """In MiB, shortest first. Errors: UsageError for one that is none."""
    words = text.replace(",", " ").split()
    for word in words:
        if not word.isdigit() or not 1 <= int(word) <= 1 << 16:
            raise UsageError(f"--logs: found {word!r}; whole MiB from 1, as in --logs {_DEFAULT!r}")
    if not words:
        raise UsageError(f"--logs: found nothing; type lengths in MiB, as in --logs {_DEFAULT!r}")
    return sorted({int(word) for word in words})


def _rows(
    profile: Profile,
    workload: str,
    lengths: list[int],
    openings: int,
    seed: int,
    data_root: Path,
    console: Console,
) -> Iterator[dict[str, object]]:
    from ..driver.cells import loading
    from ..owned import places
    from ..receipts.recovery import crashed, reopened
    from ..receipts.runs import embedded
    from ..terminal import say

    data = loading.prepare(profile, workload, data_root, lambda text: say(console, text))
    for mib in lengths:
        with places.borrowed(data_root / "work", "recovery-", "work", flag="--data-dir") as work:
            run, room = work / "run", work / "again"
            run.mkdir()
            room.mkdir()
            told = _parameters(profile, workload, mib, work)
            left = crashed.crash(
                data, run, mib * _MIB, threads=profile.threads, seed=seed, parameters=told
            )
            for number in range(openings):
                found = reopened.reopen(left, room, told)
                say(
                    console,
                    f"{left.log_bytes / _MIB:,.0f} MiB in {left.log_files} files: serves after "
                    f"{found.open_s:.2f} s, of which recovery {found.recovery_s:.2f}",
                )
                yield {
                    **{"engine": profile.engine, "workload": workload, "profile": profile.name},
                    **{"log_bytes": left.log_bytes, "log_files": left.log_files},
                    **{"opening": number, "seed": seed, **asdict(found)},
                }
            event = embedded.check(left.db, left.wal, left.acks)
            if event["violation_count"]:
                raise WaltaxError(
                    f"after recovery of {left.log_bytes:,} bytes of log: {event['violations'][0]}"
                )


def _parameters(profile: Profile, workload: str, mib: int, work: Path) -> Parameters:
    """As the profile has it, but with memtables that hold all of such a log."""
    from ..profiles import options_file

    section = profile.workload(workload)
    bytes_each = _ROOM * mib * _MIB
    large = {**section.column_family, "write_buffer_size": bytes_each}
    roomy = profile.model_copy(
        update={
            workload: section.model_copy(update={"column_family": large}),
            "rocksdb": profile.embedded.model_copy(
                update={"max_total_wal_mb": _ROOM * mib * _COLUMN_FAMILIES}
            ),
        }
    )
    told = work / "rocksdb.options"
    told.write_text(options_file(roomy, workload))
    return {
        **section.load,
        **section.run,
        **roomy.embedded.flags,
        "options_file": str(told),
        "block_cache_mb": roomy.embedded.block_cache_mb,
    }


def _report(folder: Path, console: Console) -> None:
    from .. import analysis
    from ..analysis import reports

    analysis.publish(reports.recovery(folder), console)
