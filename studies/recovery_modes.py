"""`waltax receipts modes`: damage the logs of runs, and open them in each recovery mode."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial

from ..base.folders import places
from ..crash.recovery import modes as damaged
from ..crash.recovery.modes import Check, Tried
from ..crash.runs import states
from ..crash.runs.subject import Subject
from ..engines import Settings
from ..runners.cells.driver import loading
from . import options, row_files
from .row_files import PASSABLE, Request, Rows
from .study import Say

_ENGINES = ("rocksdb", "myrocks")
_DURABILITIES = ("sync", "flush")


@dataclass(frozen=True)
class ModesRequest(Request):
    """Runs of `seconds`, one in each of `durabilities`, are cut at `cuts` moments each."""

    durability: str | None
    cuts: int
    seconds: float

    @property
    def durabilities(self) -> tuple[str, ...]:
        return _DURABILITIES if self.durability is None else (self.durability,)


def _head(request: ModesRequest) -> str:
    runs = f"{request.cuts} moments of a run in {' and '.join(request.durabilities)}"
    return f"{request.workload} on {request.profile.engine}: {runs}"


def _rows(request: ModesRequest, say: Say) -> Rows:
    """Yield a row for each state that was opened. Errors: WaltaxError for a failed recording."""
    profile, data = request.profile, request.data_root
    loaded = loading.prepare(profile, request.workload, data, say)
    subject = Subject(profile.engine, profile, request.workload)
    for durability in request.durabilities:
        with places.borrowed(
            data / "work", "recovery-", "work", flag="--data-dir", mode=PASSABLE
        ) as work:
            run, room = work / "run", work / "state"
            run.mkdir()
            room.mkdir()
            recording = subject.record(
                loaded,
                run,
                durability,
                request.seconds,
                threads=profile.threads_of(request.workload),
                seed=request.seed,
            )
            say(f"{durability}: {len(recording.log.acks):,} commits acknowledged")
            states.require_opens(recording, room)
            check_in = partial(_check, subject, durability)
            for attempt in damaged.tried(recording, check_in, request.cuts, room, request.seed):
                say(_words(attempt))
                outcome = asdict(attempt.outcome)
                yield {
                    **{"engine": profile.engine, "workload": request.workload},
                    **{"durability": durability, "damage": attempt.damage, "mode": attempt.mode},
                    **{"moment": outcome.pop("cut")["moment"], "seed": request.seed, **outcome},
                }


def _check(subject: Subject, durability: str, mode: str) -> Check:
    """Return a function that opens a state in this recovery mode and checks it."""
    added: Settings = {"wal_recovery_mode": mode}
    if subject.on_server:
        added = {"rocksdb_wal_recovery_mode": damaged.MODES.index(mode)}
    return partial(replace(subject, added=added).check, durability)


def _words(attempt: Tried) -> str:
    outcome = attempt.outcome
    what = (
        f"opens, {outcome.lost:,} of {outcome.acknowledged:,} lost" if outcome.opens else "refused"
    )
    broken = "" if outcome.consistent or not outcome.opens else ", not consistent"
    return f"{attempt.damage} in {attempt.mode}: {what}{broken}"


command = row_files.command(
    """Which damaged logs each of RocksDB's recovery modes opens, and what it loses of them.

    A run is recorded and cut at random moments. Each mode opens what the disk may hold then, and
    the workload's check looks for the commits that were acknowledged.
    """,
    "recovery-modes",
    options.engine(_ENGINES, "The engine under test; InnoDB has no recovery modes."),
    (
        options.durability("How the log is written. Default: both.", _DURABILITIES),
        options.number("--cuts", 3, (1, None), "Moments at which each run is cut."),
        options.number("--seconds", 3.0, (0.5, 60), "How long to record each run."),
    ),
    ModesRequest,
    _head,
    _rows,
)
