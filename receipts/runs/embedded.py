"""A run of TPC-C on embedded RocksDB, recorded until its process is killed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ... import proc
from ...driver.argv import Parameters, run_argv
from ...driver.client import Driver
from ...harness import data_set
from .. import log
from ..cutter import history
from ..cutter.history import History
from ..log import Log
from ..preload import recorder_environment

UNRECORDED = ("LOG", "LOG.old.*")
"""Names of files whose content no recovery reads: RocksDB writes its info log as a stream."""


@dataclass(frozen=True)
class Recording:
    """A run that was recorded: `db` and `wal` are its directories, which may be gone by now."""

    log: Log
    history: History
    db: Path
    wal: Path


@dataclass(frozen=True)
class Run:
    """What to record. `parameters` are flags of the driver besides `durability`."""

    durability: str
    seconds: float
    threads: int = 10
    seed: int = 1
    parameters: Parameters | None = None


def record(
    loaded: Path,
    folder: Path,
    run: Run,
    *,
    wal: Path | None = None,
    behind: Mapping[str, str] | None = None,
) -> Recording:
    """Run requests on a clone of the database `loaded` for so long, and kill the driver.

    The clone and what it was at the start go to `folder`, where nothing is yet, and the log to the
    empty directory `wal`, or beside them. `behind` preloads the tap. Errors: DriverFailed;
    WaltaxError when the recorder's log cannot account for what the run wrote.
    """
    start, db, wal = folder / "start", folder / "db", wal or folder / "wal"
    recorded, acks = folder / "recorded", folder / "acks"
    data_set.clone(loaded, start)
    data_set.clone(loaded, db)
    wal.mkdir(exist_ok=True)
    log.create(recorded)
    parameters = {**(run.parameters or {}), "durability": run.durability, "ack_log": str(acks)}
    driver = Driver(
        "run",
        run_argv(
            proc.program("tpcc"),
            db,
            wal,
            threads=run.threads,
            seed=run.seed,
            parameters=parameters,
        ),
        log=folder / "run.stderr",
        env=recorder_environment(recorded, [db, wal], acks, behind),
    )
    try:
        driver.wait_for("ready", within_s=300)
        driver.send(cmd="run", warmup_s=0, measure_s=600)
        time.sleep(run.seconds)
    finally:
        driver.kill()
    read = log.read(recorded)
    read.require_seen(but=UNRECORDED)
    return Recording(read, history.of(read, {db: start}), db, wal)
