"""`waltax receipts modes`: damage the logs of runs, and open them in each recovery mode."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from ..base.folders import places
from ..crash.recovery import modes as damaged
from ..crash.recovery.modes import Tried
from ..crash.runs import engine as engines
from ..crash.runs import recording, states
from ..crash.runs.engine import Engine, Served
from ..crash.runs.recording import Recording, Run
from ..driver.client import Event
from ..profiles import options_file
from ..runners.cells.driver import loading
from . import options, row_files
from .row_files import Request, Rows
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
    for durability in request.durabilities:
        with places.borrowed(data / "work", "recovery-", "work", flag="--data-dir") as work:
            engine = engines.of(profile, request.workload, work)
            recorded = _recorded(request, engine, durability, loaded, work)
            say(f"{durability}: {len(recorded.log.acks):,} commits acknowledged")
            room = work / "state"
            room.mkdir()
            states.require_opens(recorded, room)
            checks = {
                mode: partial(_check, _in_mode(request, engine, mode, work), durability)
                for mode in damaged.MODES
            }
            for attempt in damaged.tried(recorded, checks, request.cuts, room, request.seed):
                say(_words(attempt))
                outcome = asdict(attempt.outcome)
                yield {
                    **{"engine": profile.engine, "workload": request.workload},
                    **{"durability": durability, "damage": attempt.damage, "mode": attempt.mode},
                    **{"moment": outcome.pop("cut")["moment"], "seed": request.seed, **outcome},
                }


def _words(attempt: Tried) -> str:
    outcome = attempt.outcome
    what = (
        f"opens, {outcome.lost:,} of {outcome.acknowledged:,} lost" if outcome.opens else "refused"
    )
    broken = "" if outcome.consistent or not outcome.opens else ", not consistent"
    return f"{attempt.damage} in {attempt.mode}: {what}{broken}"


def _recorded(
    request: ModesRequest, engine: Engine, durability: str, loaded: Path, work: Path
) -> Recording:
    room = work / "run"
    room.mkdir()
    threads = request.profile.threads_of(request.workload)
    parameters = request.profile.workload(request.workload).run
    run = Run(durability, request.seconds, threads, request.seed, parameters)
    return recording.record(engine, loaded, room, run)


def _check(engine: Engine, durability: str, db: Path, wal: Path, acks: Path) -> Event:
    return recording.check(engine, db, wal, acks, durability)


def _in_mode(request: ModesRequest, engine: Engine, mode: str, work: Path) -> Engine:
    """Return the engine that opens what it finds in this recovery mode."""
    if isinstance(engine, Served):
        changed = {"rocksdb_wal_recovery_mode": damaged.MODES.index(mode)}
        return replace(engine, settings={**engine.settings, **changed})
    options = work / f"{mode}.options"
    added = {"wal_recovery_mode": mode}
    options.write_text(options_file(request.profile, request.workload, added=added))
    load = {**engine.data.load, "options_file": str(options)}
    return replace(engine, data=replace(engine.data, load=load))


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
