"""`waltax receipts modes`: damage the logs of runs, and open them in each recovery mode."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import click

from ..base.folders import places
from ..crash.recovery import modes as damaged
from ..crash.recovery.modes import Check, Tried
from ..crash.runs import rocksdb, states
from ..crash.runs import server as served
from ..crash.runs.recording import Data, Recording, Run
from ..crash.runs.server import Served
from ..driver.client import Event
from ..engines import ENGINES
from ..profiles import Profile, options_file
from ..runners.cells.driver import loading
from ..runners.cells.power_cut import WORKLOADS
from . import options, row_files
from .study import Say

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
    def on_server(self) -> bool:
        return ENGINES[self.profile.engine].on_server

    @property
    def data(self) -> Data:
        return Data(self.workload, self.profile.workload(self.workload).load)


def rows(request: Request, data_root: Path, say: Say) -> Iterator[dict[str, object]]:
    """Yield a row for each state that was opened. Errors: WaltaxError for a failed recording."""
    loaded = loading.prepare(request.profile, request.workload, data_root, say)
    for durability in request.durabilities:
        with places.borrowed(data_root / "work", "recovery-", "work", flag="--data-dir") as work:
            recording = _recorded(request, durability, loaded, work)
            say(f"{durability}: {len(recording.log.acks):,} commits acknowledged")
            room = work / "state"
            room.mkdir()
            states.require_opens(recording, room)

            def check_in(mode: str, durability: str = durability, work: Path = work) -> Check:
                return _check(request, durability, mode, work)

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
    section, room = request.profile.workload(request.workload), work / "run"
    room.mkdir()
    threads = request.profile.threads_of(request.workload)
    run = Run(durability, request.seconds, threads, request.seed, section.run, request.data)
    if request.on_server:
        return served.record(loaded, room, run, _server(request))
    flags = rocksdb.flags(request.profile, request.workload, work)
    return rocksdb.record(loaded, room, replace(run, parameters=flags))


def _server(request: Request, mode: str | None = None) -> Served:
    settings = request.profile.server_settings(request.workload)
    if mode is not None:
        settings = {**settings, "rocksdb_wal_recovery_mode": damaged.MODES.index(mode)}
    return Served(request.profile.engine, settings)


def _check(request: Request, durability: str, mode: str, work: Path) -> Check:
    """Return a function that opens a state in this recovery mode and checks it."""
    server, options_path = None, work / f"{mode}.options"
    if request.on_server:
        server = _server(request, mode)
    else:
        changed = {"wal_recovery_mode": mode}
        options_path.write_text(options_file(request.profile, request.workload, added=changed))

    def check(db: Path, wal: Path, acks: Path) -> Event:
        if server is not None:
            return served.look(server, request.data, durability, db, wal, acks)
        load = {**request.data.load, "options_file": str(options_path)}
        return rocksdb.check(db, wal, acks, replace(request.data, load=load))

    return check
