"""TPC-C on embedded RocksDB, killed when its log has so many bytes, none of them flushed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from ... import proc
from ...driver.argv import Parameters, run_argv
from ...driver.client import Driver
from ...errors import WaltaxError
from ...harness import data_set

READY_S = 300.0
_LONGEST_S = 300.0  # to write a log
_LOOK_S = 0.02


@dataclass(frozen=True)
class Crashed:
    """What a killed driver left. `log_bytes` are those of its log's files, `acks` what it said."""

    db: Path
    wal: Path
    acks: Path
    log_bytes: int
    log_files: int


def crash(
    loaded: Path, folder: Path, log_bytes: int, *, threads: int, seed: int, parameters: Parameters
) -> Crashed:
    """Run requests on a clone of the database `loaded` until its log is that long, and kill it.

    The clone, the log and the acknowledgements go to `folder`, where nothing is yet. `parameters`
    must leave the memtables room for it: what was flushed needs no replay. Errors: DriverFailed;
    WaltaxError when the log does not grow.
    """
    db, wal, acks = folder / "db", folder / "wal", folder / "acks"
    data_set.clone(loaded, db)
    wal.mkdir()
    told: Parameters = {**parameters, "durability": "sync", "ack_log": str(acks)}
    argv = run_argv(proc.program("tpcc"), db, wal, threads=threads, seed=seed, parameters=told)
    driver = Driver("run", argv, log=folder / "run.stderr")
    try:
        driver.wait_for("ready", within_s=READY_S)
        driver.send(cmd="run", warmup_s=0, measure_s=2 * _LONGEST_S)
        _await(driver, wal, log_bytes)
    finally:
        driver.kill()
    files = _logs(wal)
    return Crashed(db, wal, acks, sum(path.stat().st_size for path in files), len(files))


def _await(driver: Driver, wal: Path, log_bytes: int) -> None:
    began_s, reached = time.monotonic(), 0
    while (now := sum(path.stat().st_size for path in _logs(wal))) < log_bytes:
        if now < reached:
            raise WaltaxError(
                f"the log fell from {reached:,} to {now:,} bytes before it had {log_bytes:,}: its "
                "memtables were flushed; make write_buffer_size larger"
            )
        if time.monotonic() - began_s > _LONGEST_S:
            raise WaltaxError(f"the log has {now:,} of {log_bytes:,} bytes after {_LONGEST_S:g} s")
        if _is_dead(driver.pid):
            raise WaltaxError("the driver died while its log was written")
        reached = now
        time.sleep(_LOOK_S)


def _is_dead(pid: int) -> bool:
    """Also of one that nobody has waited for yet."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _logs(wal: Path) -> list[Path]:
    return sorted(wal.glob("*.log"))
