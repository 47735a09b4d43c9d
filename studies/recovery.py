"""`waltax receipts recovery`: how long an engine takes to serve again, by the log to replay.

The engine is killed at each length of log, and the files that it leaves are opened several times.
Rows are written as they come, so that Ctrl-C loses none.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import WaltaxError
from ..base.folders import places
from ..base.folders.machine import only_campaign
from ..base.terminal import Terminal, say
from ..crash.recovery import kill, settings
from ..crash.runs import engine as engines
from ..engines import EMBEDDED, ENGINES, WHOLE
from ..runners.cells.driver import loading
from ..runners.cells.power_cut import WORKLOADS
from ..runners.recipe import command_line
from . import options
from .study import Say

if TYPE_CHECKING:
    from ..profiles import Profile

MIB = 1 << 20
_SHORT = "recovery-"  # a server's socket is in this folder, and the length of its path is limited
# A server writes its log at a fraction of the embedded engine's pace.
_DEFAULT, _OF_SERVERS = (16, 64, 256), (16, 48, 128)


@dataclass(frozen=True)
class RecoveryRequest:
    """Each of `logs`, in MiB, has `kills`, and what a kill leaves has `openings`."""

    profile: Profile
    workload: str
    seed: int
    data_root: Path
    logs: tuple[int, ...]
    kills: int
    openings: int


@click.command()
@options.profile("ci", "Size of the data, and settings of the engine.")
@options.engine(WHOLE, "The engine under test.", EMBEDDED)
@options.one_workload(WORKLOADS, WORKLOADS[0])
@click.option(
    "--logs",
    callback=command_line.numbers((1 << 32) - 1, "--logs '16 64 256', of MiB"),
    help="Lengths of the log at the kill, in MiB, separated by blanks. Default: "
    f"{' '.join(map(str, _DEFAULT))}; for a server {' '.join(map(str, _OF_SERVERS))}.",
)
@options.number("--kills", 2, (1, 100), "How often to reach each length and end the run.")
@options.number("--openings", 3, (1, 100), "How often to open what each kill left.")
@options.gone(
    "--after",
    "found {}; a run ends by a kill alone: leave it out, or type waltax receipts, which opens what "
    "power cuts leave",
)
@options.SEED
@options.share_machine()
@options.results()
@options.data_dir()
def command(
    *,
    profile: str,
    engine: str,
    workloads: tuple[str, ...],
    logs: tuple[int, ...],
    seed: int | None,
    share_machine: bool,
    results: Path,
    data_dir: Path,
    **counts: Any,
) -> None:
    """How long an engine takes to serve again after a kill, by the bytes of log to replay.

    The engine is killed when its log has each of these lengths. What it left is opened several
    times, with none of its files in the page cache.
    """
    from .. import analysis, profiles
    from ..analysis.reports import recovery
    from ..runners import campaign

    lengths = logs or (_OF_SERVERS if ENGINES[engine].on_server else _DEFAULT)
    drawn = random.randrange(2**31) if seed is None else seed
    shared = (profiles.load(profile, engine), workloads[0], drawn, data_dir.absolute())
    request, console = RecoveryRequest(*shared, lengths, **counts), Terminal()
    say(console, f"{_head(request)}, seed {drawn}")
    folder = results.absolute() / f"{campaign.now()}-recovery"
    _keep(request, folder / "recovery.jsonl", console, share_machine=share_machine)
    analysis.publish(recovery(folder), console)


def _head(request: RecoveryRequest) -> str:
    """Say what is measured. Errors: UsageError for a log that the engine, the disk or the memory
    cannot hold.
    """
    from ..runners import plan

    profile, workload, longest = request.profile, request.workload, max(request.logs)
    settings.require(profile.engine, longest)
    try:
        plan.require_share(request.data_root, settings.needs(profile, workload, longest))
    except plan.NoRoom as error:
        shorter = f"--logs: found {longest}, in MiB; shorter lengths need less"
        raise plan.NoRoom(*error.lines, shorter) from error
    lengths = len(request.logs)
    return (
        f"{workload} on {profile.engine}: {lengths} lengths of log, {request.kills} kills of each"
    )


def _keep(request: RecoveryRequest, path: Path, console: Terminal, *, share_machine: bool) -> None:
    """Write each row to `path`, in a new folder that is removed if there are no rows.

    It first removes what killed commands and campaigns left with the data. Errors: WaltaxError
    while another campaign measures; UsageError when the folder cannot be made.
    """
    from ..runners import workspace

    with (
        only_campaign(path.stem, share=share_machine) as notes,
        places.results(path.parent, path.exists, resumable=False),
    ):
        left = workspace.sweep_data(request.data_root)
        say(console, *(f"warning: {note}" for note in notes), *left.left_words())
        try:
            for row in _rows(request, lambda text: say(console, text)):
                with path.open("a") as file:
                    file.write(json.dumps(row) + "\n")
        except KeyboardInterrupt:
            if path.exists():
                again = f"  {command_line.program()} report {path.parent}"
                say(console, "The report of all rows so far:", again)
            raise


def _rows(request: RecoveryRequest, say: Say) -> Iterator[Mapping[str, object]]:
    """Yield a row for each opening. Errors: WaltaxError, also for a lost commit."""
    data = request.data_root
    loaded = loading.prepare(request.profile, request.workload, data, say)
    # Every length has its first kill before any has its second, so that drift affects all alike.
    for number in range(request.kills):
        for mib in request.logs:
            with places.borrowed(data / "work", _SHORT, "work", flag="--data-dir") as work:
                yield from _of_a_kill(request, mib, number, loaded, work, say)


def _of_a_kill(
    request: RecoveryRequest, mib: int, number: int, loaded: Path, work: Path, say: Say
) -> Iterator[Mapping[str, object]]:
    profile, seed = request.profile, request.seed + number
    roomy = settings.unflushed(profile, request.workload, mib)
    engine = engines.of(roomy, request.workload, work)
    run, room = work / "run", work / "again"
    run.mkdir()
    room.mkdir()
    threads = profile.threads_of(request.workload)
    parameters = profile.workload(request.workload).run
    left = kill.crash(
        engine, loaded, run, mib * MIB, threads=threads, seed=seed, parameters=parameters
    )
    for opening in range(request.openings):
        reopened = kill.reopen(engine, left, room)
        say(f"{reopened.log_bytes / MIB:,.0f} MiB of log: serves after {reopened.open_s:.2f} s")
        yield {
            **{"engine": profile.engine, "workload": request.workload, "profile": profile.name},
            **{"asked_bytes": mib * MIB, "kill": number, "opening": opening, "seed": seed},
            **{"log_files": left.log_files, **asdict(reopened)},
        }
    event = kill.check(engine, left)
    if not event["ok"]:
        raise WaltaxError(f"after recovery of {mib} MiB of log: {event['violations'][0]}")
