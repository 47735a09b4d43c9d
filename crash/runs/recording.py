"""Record a run of an engine until its processes are killed, and check the states that it left."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...devices.tap_preload import recorder_environment
from ...driver.argv import Parameters
from ...driver.client import Driver, Event
from .. import log
from ..cutter import history
from ..cutter.history import History
from ..log import Log
from .engine import Engine

READY_S, CHECK_S = 300.0, 300.0
"""Limits on the time until a driver is ready, and on a check."""
INFO_LOGS = ("LOG", "LOG.old.*")
"""RocksDB's, which no recovery reads."""


@dataclass(frozen=True)
class Run:
    """A run. `parameters` are the driver's flags besides the engine's and a load's.

    `until(driver)` has the driver run until it returns; None: it runs for `seconds`.
    """

    durability: str
    seconds: float
    threads: int = 10
    seed: int = 1
    parameters: Parameters = field(default_factory=dict)
    until: Callable[[Driver], None] | None = None

    def work(self, driver: Driver) -> None:
        """Have a ready driver run requests."""
        if self.until is not None:
            self.until(driver)
            return
        driver.send(cmd="run", warmup_s=0, measure_s=600)
        time.sleep(self.seconds)


@dataclass(frozen=True)
class Recording:
    """`db` and `wal` were the run's directories, which may no longer exist.

    `check(db, wal, acks)` opens a state with the real engine and checks it. Errors: WaltaxError
    when it does not open. No recovery reads a file whose name matches a pattern of `unread`.
    """

    log: Log
    history: History
    db: Path
    wal: Path
    check: Callable[[Path, Path, Path], Event]
    unread: tuple[str, ...] = ()


def record(
    engine: Engine,
    loaded: Path,
    folder: Path,
    run: Run,
    *,
    wal: Path | None = None,
    tapped: Mapping[str, str] | None = None,
) -> Recording:
    """Run requests on a clone of the data set `loaded`, and kill the engine and its client.

    The clone and a copy of its start go to the empty `folder`, and the log to the empty directory
    `wal`, or beside them. `tapped` are the tap's variables. Errors: DriverFailed; ServerDied;
    WaltaxError when the recorder's log does not account for what the run wrote.
    """
    starts, db, wal = (folder / "start", folder / "start-wal"), folder / "db", wal or folder / "wal"
    recorded, acks = folder / "recorded", folder / "acks"
    engine.clone(loaded, *starts)
    engine.clone(loaded, db, wal)
    log.create(recorded)
    run_killed(engine, run, folder, wal, recorder_environment(recorded, [db, wal], acks, tapped))
    read = log.read(recorded)
    story = history.of(read, {db: starts[0], wal: starts[1]})

    def looked_at(db: Path, wal: Path, acks: Path) -> Event:
        return check(engine, db, wal, acks, run.durability)

    return Recording(read, story, db, wal, looked_at, INFO_LOGS)


def run_killed(
    engine: Engine, run: Run, folder: Path, wal: Path, env: Mapping[str, str] | None = None
) -> None:
    """Run requests on the data db/ of `folder`, and kill all; acknowledgements go to its acks.

    Errors: DriverFailed; ServerDied.
    """
    db, parameters = folder / "db", {**run.parameters, "ack_log": str(folder / "acks")}
    with engine.serving(db, wal, run.durability, env=env) as servers:
        argv = engine.argv(
            "run",
            db,
            wal,
            servers,
            mode=run.durability,
            threads=run.threads,
            seed=run.seed,
            parameters=parameters,
        )
        pids = [server.pid for server in servers]
        log_of_driver = folder / "run.stderr"
        with Driver("run", argv, log=log_of_driver, env=env, server_pids=pids) as driver:
            try:
                driver.wait_for("ready", within_s=READY_S)
                run.work(driver)
                for server in servers:
                    server.require_alive()
            finally:  # the server first, which would see its client go
                for server in servers:
                    server.kill()


def check(
    engine: Engine,
    db: Path,
    wal: Path,
    acks: Path,
    mode: str,
    *,
    within_s: float = CHECK_S,
    start_s: float | None = None,
) -> Event:
    """Open a state, and return what the driver's check finds. Errors: WaltaxError unless it opens.

    Opening may take `within_s` where the driver does it, and `start_s` where a server does.
    """
    with engine.serving(db, wal, mode, start_s=start_s) as servers:
        argv = engine.argv("check", db, wal, servers, parameters={"acks": str(acks)})
        with Driver(None, argv, server_pids=[server.pid for server in servers]) as checker:
            return checker.wait_for("check", within_s=within_s)
