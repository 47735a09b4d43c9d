"""`waltax receipts modes`: damage the logs of runs, and open them in each recovery mode."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from ..base.folders import places
from ..crash.recovery import modes as damaged
from ..crash.recovery.modes import Check, Tried
from ..crash.runs import states
from ..crash.runs.recording import Recording
from ..crash.runs.subject import Subject
from ..engines import Settings
from ..profiles import Profile
from ..runners.cells.driver import loading
from ..runners.cells.power_cut import WORKLOADS
from . import options, row_files
from .study import Say

_PASSABLE = 0o711  # for the servers' user
_ENGINES = ("rocksdb", "myrocks")
_DURABILITIES = ("sync", "flush")


@click.command()
@options.profile("ci", "Size of the data, and settings of the engine.")
@options.engine(_ENGINES, "The engine under test; InnoDB has no recovery modes.")
@options.one_workload(WORKLOADS, WORKLOADS[0])
@options.durability("How the log is written. Default: both.", _DURABILITIES)
@options.number("--cuts", 3, (1, None), "Moments at which each run is cut.")
@options.number("--seconds", 3.0, (0.5, 60), "How long to record each run.")
@row_files.command
def command(
    *,
    profile: str,
    engine: str,
    workloads: tuple[str, ...],
    durability: str | None,
    share_machine: bool,
    results: Path,
    data_dir: Path,
    **typed: Any,
) -> None:
    """Which damaged logs each of RocksDB's recovery modes opens, and what it loses of them.

    A run is recorded and cut at random moments. Each mode opens what the disk may hold then, and
    the workload's check looks for the commits that were acknowledged.
    """
    from .. import profiles
    from ..analysis.reports.recovery_modes import KEPT

    durabilities = _DURABILITIES if durability is None else (durability,)
    data_root = data_dir.absolute()
    request = Request(profiles.load(profile, engine), workloads[0], durabilities, **typed)
    runs = f"{request.cuts} moments of a run in {' and '.join(durabilities)}"
    row_files.report(
        f"{request.workload} on {engine}: {runs}",
        lambda tell: rows(request, data_root, tell),
        row_files.folder(results, "recovery-modes") / KEPT,
        data_root,
        share_machine=share_machine,
    )


@dataclass(frozen=True)
class Request:
    """Runs of `seconds`, one in each of `durabilities`, are cut at `cuts` moments each."""

    profile: Profile
    workload: str
    durabilities: tuple[str, ...]
    cuts: int
    seconds: float
    seed: int

    @property
    def subject(self) -> Subject:
        return Subject(self.profile.engine, self.profile, self.workload)


def rows(request: Request, data_root: Path, say: Say) -> Iterator[dict[str, object]]:
    """Yield a row for each state that was opened. Errors: WaltaxError for a failed recording."""
    loaded = loading.prepare(request.profile, request.workload, data_root, say)
    for durability in request.durabilities:
        with places.borrowed(
            data_root / "work", "recovery-", "work", flag="--data-dir", mode=_PASSABLE
        ) as work:
            recording = _recorded(request, durability, loaded, work)
            say(f"{durability}: {len(recording.log.acks):,} commits acknowledged")
            room = work / "state"
            room.mkdir()
            states.require_opens(recording, room)

            check_in = partial(_check, request, durability)
            for attempt in damaged.tried(recording, check_in, request.cuts, room, request.seed):
                say(_words(attempt))
                yield {
                    **{"engine": request.profile.engine, "workload": request.workload},
                    **{"durability": durability, "damage": attempt.damage, "mode": attempt.mode},
                    **{
                        name: value
                        for name, value in asdict(attempt.outcome).items()
                        if name != "cut"
                    },
                    **{"moment": attempt.outcome.cut.moment, "seed": request.seed},
                }


def _words(attempt: Tried) -> str:
    outcome = attempt.outcome
    what = (
        f"opens, {outcome.lost:,} of {outcome.acknowledged:,} lost" if outcome.opens else "refused"
    )
    broken = "" if outcome.consistent or not outcome.opens else ", not consistent"
    return f"{attempt.damage} in {attempt.mode}: {what}{broken}"


def _recorded(request: Request, durability: str, loaded: Path, work: Path) -> Recording:
    subject, room = request.subject, work / "run"
    room.mkdir()
    threads = request.profile.threads_of(request.workload)
    return subject.record(
        loaded, room, durability, request.seconds, threads=threads, seed=request.seed
    )


def _check(request: Request, durability: str, mode: str) -> Check:
    """Return a function that opens a state in this recovery mode and checks it."""
    subject = request.subject
    added: Settings = {"wal_recovery_mode": mode}
    if subject.on_server:
        added = {"rocksdb_wal_recovery_mode": damaged.MODES.index(mode)}
    return partial(replace(subject, added=added).check, durability)
