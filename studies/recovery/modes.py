"""`waltax receipts modes`: runs whose logs are damaged, and opened in each recovery mode."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import click

from ...base.folders import places
from ...crash.recovery import modes as damaged
from ...crash.recovery.modes import Check, Tried
from ...crash.runs import embedded, served, states
from ...crash.runs.recording import Data, Recording, Run
from ...crash.runs.served import Served
from ...driver.client import Event
from ...engines import ENGINES
from ...profiles import Profile, options_file
from ...runners.cells.cutting import WORKLOADS
from ...runners.cells.driver import loading
from .. import kept, options
from ..study import Say

_PASSABLE = 0o711  # for the servers' user
_ENGINES = ("rocksdb", "myrocks")
_DURABILITIES = ("sync", "flush")


@click.command()
@options.profile("ci", "Size of the data, and how the engine is set.")
@options.engine(_ENGINES, "Whose recovery modes; InnoDB has none.")
@options.one_workload(WORKLOADS, WORKLOADS[0])
@options.durability("How the log was written. Default: both.", _DURABILITIES)
@options.number("--cuts", 3, (1, None), "Moments of each run.")
@options.number("--seconds", 3.0, (0.5, 60), "How long each run is recorded.")
@kept.command
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

    A run is recorded and cut at random moments. What the disk may hold then is opened in each
    mode, which is set only for that, and the workload's check looks for what was acknowledged.
    """
    from ... import profiles
    from ...analysis.reports.recovery_modes import KEPT

    durabilities = _DURABILITIES if durability is None else (durability,)
    data_root = data_dir.absolute()
    asked = Asked(profiles.load(profile, engine), workloads[0], durabilities, **typed)
    runs = f"{asked.cuts} moments of a run in {' and '.join(durabilities)}"
    kept.report(
        f"{asked.workload} on {engine}: {runs}",
        lambda tell: rows(asked, data_root, tell),
        kept.folder(results, "recovery-modes") / KEPT,
        data_root,
        share_machine=share_machine,
    )


@dataclass(frozen=True)
class Asked:
    """Runs of `seconds` in each of the `durabilities` are cut at so many moments."""

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


def rows(asked: Asked, data_root: Path, say: Say) -> Iterator[dict[str, object]]:
    """A row for each state that was opened. Errors: WaltaxError when a run cannot be recorded."""
    loaded = loading.prepare(asked.profile, asked.workload, data_root, say)
    for durability in asked.durabilities:
        with places.borrowed(
            data_root / "work", "recovery-", "work", flag="--data-dir", mode=_PASSABLE
        ) as work:
            recording = _recorded(asked, durability, loaded, work)
            say(f"{durability}: {len(recording.log.acks):,} commits acknowledged")
            room = work / "state"
            room.mkdir()
            states.require_opens(recording, room)

            def check_in(mode: str, durability: str = durability, work: Path = work) -> Check:
                return _check(asked, durability, mode, work)

            for one in damaged.tried(recording, check_in, asked.cuts, room, asked.seed):
                say(_words(one))
                yield {
                    **{"engine": asked.profile.engine, "workload": asked.workload},
                    **{"durability": durability, "damage": one.damage, "mode": one.mode},
                    **{name: found for name, found in asdict(one.outcome).items() if name != "cut"},
                    **{"moment": one.outcome.cut.moment, "seed": asked.seed},
                }


def _words(one: Tried) -> str:
    found = one.outcome
    what = f"opens, {found.lost:,} of {found.acknowledged:,} lost" if found.opens else "refused"
    broken = "" if found.consistent or not found.opens else ", not consistent"
    return f"{one.damage} in {one.mode}: {what}{broken}"


def _recorded(asked: Asked, durability: str, loaded: Path, work: Path) -> Recording:
    section, room = asked.profile.workload(asked.workload), work / "run"
    room.mkdir()
    threads = asked.profile.threads_of(asked.workload)
    run = Run(durability, asked.seconds, threads, asked.seed, section.run, asked.data)
    if asked.on_server:
        return served.record(loaded, room, run, _server(asked))
    flags = embedded.flags(asked.profile, asked.workload, work)
    return embedded.record(loaded, room, replace(run, parameters=flags))


def _server(asked: Asked, mode: str | None = None) -> Served:
    told = asked.profile.server_settings(asked.workload)
    if mode is not None:
        told = {**told, "rocksdb_wal_recovery_mode": damaged.MODES.index(mode)}
    return Served(asked.profile.engine, told)


def _check(asked: Asked, durability: str, mode: str, work: Path) -> Check:
    """Opens a state in this mode."""
    server, told = None, work / f"{mode}.options"
    if asked.on_server:
        server = _server(asked, mode)
    else:
        changed = {"wal_recovery_mode": mode}
        told.write_text(options_file(asked.profile, asked.workload, added=changed))

    def check(db: Path, wal: Path, acks: Path) -> Event:
        if server is not None:
            return served.look(server, asked.data, durability, db, wal, acks)
        load = {**asked.data.load, "options_file": str(told)}
        return embedded.check(db, wal, acks, replace(asked.data, load=load))

    return check
