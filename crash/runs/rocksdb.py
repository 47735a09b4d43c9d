"""Record a run on embedded RocksDB until its process is killed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...devices.tap_preload import recorder_environment
from ...driver.argv import Parameters, check_argv, run_argv
from ...driver.client import Driver, Event
from ...engines.knobs import Knob
from ...profiles import Profile, options_file
from ...runners.cells import data_set
from .. import log
from ..cutter import history
from .recording import CHECK_S, CHECK_THREADS, INFO_LOGS, READY_S, Data, Recording, Run

TPCC = Data("tpcc")


def record(
    loaded: Path,
    folder: Path,
    run: Run,
    *,
    wal: Path | None = None,
    tapped: Mapping[str, str] | None = None,
) -> Recording:
    """Run requests on a clone of the database `loaded`, and kill the driver.

    The clone and a copy of its start go to the empty `folder`, and the log to the empty directory
    `wal`, or beside them. `tapped` are the tap's variables. Errors: DriverFailed; WaltaxError when
    the recorder's log does not account for what the run wrote.
    """
    start, db, wal = folder / "start", folder / "db", wal or folder / "wal"
    recorded, acks = folder / "recorded", folder / "acks"
    data_set.clone(loaded, start)
    data_set.clone(loaded, db)
    wal.mkdir(exist_ok=True)
    log.create(recorded)
    run_killed(run, folder, wal, recorder_environment(recorded, [db, wal], acks, tapped))
    read = log.read(recorded)
    read.require_seen()

    def looked_at(db: Path, wal: Path, acks: Path) -> Event:
        return check(db, wal, acks, run.data)

    return Recording(read, history.of(read, {db: start}), db, wal, looked_at, INFO_LOGS)


def run_killed(run: Run, folder: Path, wal: Path, env: Mapping[str, str] | None = None) -> None:
    """Run requests on the database db/ of `folder`, and kill the driver. Errors: DriverFailed."""
    parameters = {
        **run.data.flags,
        **run.parameters,
        "durability": run.durability,
        "ack_log": str(folder / "acks"),
    }
    argv = run_argv(
        run.data.program,
        folder / "db",
        wal,
        threads=run.threads,
        seed=run.seed,
        parameters=parameters,
    )
    driver = Driver("run", argv, log=folder / "run.stderr", env=env)
    try:
        driver.wait_for("ready", within_s=READY_S)
        run.work(driver, wal)
    finally:
        driver.kill()


def flags(profile: Profile, workload: str, room: Path, knob: Knob | None = None) -> Parameters:
    """Return the driver's flags for a run by this profile; write the engine's options to `room`."""
    options_path, engine = room / "rocksdb.options", profile.embedded
    options_path.write_text(options_file(profile, workload, knob))
    return {
        **profile.workload(workload).run,
        **engine.flags,
        **(knob.flags if knob else {}),
        "options_file": str(options_path),
        "block_cache_mb": engine.block_cache_mb,
    }


def check(db: Path, wal: Path, acks: Path, data: Data = TPCC, within_s: float = CHECK_S) -> Event:
    """Return what the driver's check finds in a database. Errors: WaltaxError unless it opens."""
    checker = Driver(None, check_line(db, wal, acks, data))
    try:
        return checker.wait_for("check", within_s=within_s)
    finally:
        checker.kill()


def check_line(db: Path, wal: Path, acks: Path, data: Data = TPCC) -> list[str]:
    program = data.program.absolute()
    parameters = {**data.flags, "acks": str(acks)}
    return check_argv(program, db, wal, threads=CHECK_THREADS, parameters=parameters)
