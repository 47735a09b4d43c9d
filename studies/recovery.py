"""`waltax receipts recovery`: how long an engine takes to serve again, by the log to replay.

The engine is killed at each length of log, and the files that it leaves are opened several times.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import click

from ..base.errors import WaltaxError
from ..base.folders import places
from ..crash.recovery import kill
from ..crash.recovery import settings as roomy
from ..crash.runs import engine as engines
from ..crash.runs.engine import Engine, Served
from ..engines import EMBEDDED, ENGINES, WHOLE
from ..runners.cells.driver import loading
from ..runners.recipe import command_line
from . import options, row_files
from .row_files import Request, Rows
from .study import Say

MIB = 1 << 20
_SHORT = "recovery-"  # a server's socket is in this folder, and the length of its path is limited
# A server writes its log at a fraction of the embedded engine's pace.
_DEFAULT, _OF_SERVERS = (16, 64, 256), (16, 48, 128)


@dataclass(frozen=True)
class RecoveryRequest(Request):
    """Each of `logs`, in MiB, has `kills`, and what a kill leaves has `openings`."""

    logs: tuple[int, ...]
    kills: int
    openings: int

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths that were typed, or those for the engine."""
        on_server = ENGINES[self.profile.engine].on_server
        return self.logs or (_OF_SERVERS if on_server else _DEFAULT)


def _head(request: RecoveryRequest) -> str:
    """Say what is measured. Errors: UsageError for a log that the engine, the disk or the memory
    cannot hold.
    """
    from ..runners import plan

    profile, workload, longest = request.profile, request.workload, max(request.lengths)
    roomy.require(profile.engine, longest)
    try:
        plan.require_share(request.data_root, roomy.needs(profile, workload, longest))
    except plan.NoRoom as error:
        shorter = f"--logs: found {longest}, in MiB; shorter lengths need less"
        raise plan.NoRoom(*error.lines, shorter) from error
    lengths = len(request.lengths)
    return (
        f"{workload} on {profile.engine}: {lengths} lengths of log, {request.kills} kills of each"
    )


def _rows(request: RecoveryRequest, say: Say) -> Rows:
    """Yield a row for each opening. Errors: WaltaxError, also for a lost commit."""
    data = request.data_root
    loaded = loading.prepare(request.profile, request.workload, data, say)
    # Every length has its first kill before any has its second, so that drift affects all alike.
    for number in range(request.kills):
        for mib in request.lengths:
            with places.borrowed(data / "work", _SHORT, "work", flag="--data-dir") as work:
                yield from _of_a_kill(request, mib, number, loaded, work, say)


def _of_a_kill(
    request: RecoveryRequest, mib: int, number: int, loaded: Path, work: Path, say: Say
) -> Rows:
    profile, seed = request.profile, request.seed + number
    engine = _engine(request, mib, work)
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
        say(
            f"{reopened.log_bytes / MIB:,.0f} MiB of log: serves after {reopened.open_s:.2f} s, "
            f"of which recovery {reopened.recovery_s:.2f}"
        )
        yield {
            **{"engine": profile.engine, "workload": request.workload, "profile": profile.name},
            **{"asked_bytes": mib * MIB, "kill": number, "opening": opening, "seed": seed},
            **{"log_files": left.log_files, **asdict(reopened)},
        }
    event = kill.check(engine, left)
    if not event["ok"]:
        raise WaltaxError(f"after recovery of {mib} MiB of log: {event['violations'][0]}")


def _engine(request: RecoveryRequest, mib: int, room: Path) -> Engine:
    """Return the engine with the profile's settings, except that it does not flush such a log."""
    profile, workload = request.profile, request.workload
    if not ENGINES[profile.engine].on_server:
        return engines.of(roomy.embedded(profile, workload, mib), workload, room)
    data = engines.Data(workload, profile.workload(workload).load)
    return Served(data, profile.engine, roomy.served(profile, workload, mib))


command = row_files.command(
    """How long an engine takes to serve again after a kill, by the bytes of log to replay.

    The engine is killed when its log has each of these lengths. What it left is opened several
    times, with none of its files in the page cache.
    """,
    "recovery",
    options.engine(WHOLE, "The engine under test.", EMBEDDED),
    (
        click.option(
            "--logs",
            callback=command_line.numbers((1 << 32) - 1, "--logs '16 64 256', of MiB"),
            help="Lengths of the log at the kill, in MiB, separated by blanks. Default: "
            f"{' '.join(map(str, _DEFAULT))}; for a server {' '.join(map(str, _OF_SERVERS))}.",
        ),
        options.number("--kills", 2, (1, 100), "How often to reach each length and end the run."),
        options.number("--openings", 3, (1, 100), "How often to open what each kill left."),
        options.gone(
            "--after",
            "found {}; a run ends by a kill alone: leave it out, or type waltax receipts, which "
            "opens what power cuts leave",
        ),
    ),
    RecoveryRequest,
    _head,
    _rows,
)
