"""What a kill leaves when a log has grown to a size, of which nothing may have been flushed."""

from __future__ import annotations

import os
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from ...base.errors import WaltaxError
from ...base.folders import removal
from ...driver.argv import Parameters
from ...driver.client import Driver, Event
from ...engines import ENGINES
from ...engines.server.datadir import linked
from ..runs import recording, states
from ..runs.engine import Engine
from ..runs.recording import CHECK_S, Run, run_killed

MODE = "flush"
"""How commits are acknowledged until the kill. The kernel has all of them, and a log that goes only
there grows faster."""
READY_S = 3600.0
"""The longest time that a start may take, including its recovery."""
STILL_S = 60.0
"""The longest time without growth of the log."""
_SLICE_S = 0.05
_FLUSHED = '"event": "flush_started".*"flush_reason": "([^"]*)"'  # in RocksDB's LOG
_REPLAYED = r"crash recovery from checkpoint LSN=(\d+)[\s\S]*End of log at LSN=(\d+)"


@dataclass(frozen=True)
class Crashed:
    """What an engine left when it was killed.

    `acks` is what was acknowledged, `log_bytes` a lower bound on its log.
    """

    db: Path
    wal: Path
    acks: Path
    log_bytes: int
    log_files: int


@dataclass(frozen=True)
class Reopened:
    """One opening of a copy whose files were out of the page cache.

    `open_s` is how long a user waits, from the start of the process until it serves. `read_bytes`
    is what the process had read from the disk by then, and `log_bytes` the log to replay.
    """

    open_s: float
    read_bytes: int
    log_bytes: int


def crash(
    engine: Engine,
    loaded: Path,
    folder: Path,
    log_bytes: int,
    *,
    threads: int,
    seed: int,
    parameters: Parameters | None = None,
) -> Crashed:
    """Run requests on a clone of the data set `loaded` until its log has `log_bytes`; kill all.

    `parameters` are flags of the run. All files go to the empty `folder`. Errors: DriverFailed;
    ServerDied; WaltaxError when the log stops growing, or was flushed.
    """
    known = ENGINES[engine.name]
    db, wal, acks = (folder / name for name in states.PARTS)

    def until(driver: Driver) -> None:
        _await(driver, known.wal_bytes, log_bytes)

    engine.clone(loaded, db, wal)
    run = Run(MODE, 0.0, threads, seed, parameters or {}, until)
    run_killed(engine, run, folder, wal)
    files = list(wal.glob(Path(known.log_files[0]).name))
    if known.info_log is None:  # its files have their full length from the beginning
        return Crashed(db, wal, acks, log_bytes, len(files))
    require_unflushed(db / known.info_log)
    return Crashed(db, wal, acks, sum(path.stat().st_size for path in files), len(files))


def reopen(engine: Engine, left: Crashed, room: Path) -> Reopened:
    """Open a copy of what was left in `room`, and remove it.

    Errors: DriverFailed or ServerDied when it does not open; WaltaxError when InnoDB reports no
    recovery, or one of less than what was left.
    """
    db, wal, said = room / "db", room / "wal", room / "server" / "error.log"
    try:
        _copy(left.db, db)
        _copy(left.wal, wal)
        _forget(db, wal)
        began_s = time.monotonic()
        with engine.opened(db, wal, MODE, READY_S) as pid:
            open_s = time.monotonic() - began_s
            read = psutil.Process(pid).io_counters().read_bytes
        is_rocksdb = ENGINES[engine.name].info_log is not None
        log_bytes = left.log_bytes if is_rocksdb else replayed_bytes(said)
    finally:
        removal.trees(db, wal, said.parent)
    if log_bytes < left.log_bytes:
        raise WaltaxError(
            f"of {left.log_bytes:,} bytes of log {log_bytes:,} were left to replay: the server "
            "made a checkpoint, which the profile's settings must have asked for"
        )
    return Reopened(open_s, read, log_bytes)


def require_unflushed(log: Path) -> None:
    """Refuse a run of RocksDB, by its LOG, with flushed memtables. Errors: WaltaxError."""
    if reasons := re.findall(_FLUSHED, log.read_text(errors="replace")):
        raise WaltaxError(
            f"{log}: {len(reasons)} memtables were flushed before the kill ({reasons[0]}), whose "
            "log needs no replay; leave out what the profile sets of flushes"
        )


def replayed_bytes(log: Path) -> int:
    """Return the bytes of log after InnoDB's checkpoint, by its error log. Errors: WaltaxError."""
    match = re.search(_REPLAYED, log.read_text(errors="replace"))
    if match is None:
        raise WaltaxError(f"{log}: tells of no recovery; was there a log to replay?")
    return int(match[2]) - int(match[1])


def check(engine: Engine, left: Crashed) -> Event:
    """Check what was left, and return the driver's event. Errors: WaltaxError unless it opens."""
    within_s = READY_S + CHECK_S
    return recording.check(
        engine, left.db, left.wal, left.acks, MODE, within_s=within_s, start_s=READY_S
    )


def _await(driver: Driver, counter: str, log_bytes: int) -> None:
    """Have a driver run requests until its engine has counted so many bytes of log."""
    written, grew_s = 0, time.monotonic()
    while written < log_bytes:
        event = driver.ask("slice", within_s=STILL_S, cmd="run", warmup_s=0, measure_s=_SLICE_S)
        if more := int(event["counters"][counter]):
            written, grew_s = written + more, time.monotonic()
        elif time.monotonic() - grew_s > STILL_S:
            raise WaltaxError(
                f"the log has {written:,} of {log_bytes:,} bytes, and did not grow for "
                f"{STILL_S:g} s"
            )


def _copy(source: Path, target: Path) -> None:
    """Copy a folder. Tables are linked, since nothing writes to them."""

    def copy(path: str, place: str) -> None:
        if not linked(Path(path), Path(place)):
            shutil.copyfile(path, place)

    shutil.copytree(source, target, copy_function=copy)


def _forget(*folders: Path) -> None:
    """Write files to the disk, and have the kernel drop them from memory, as after a reboot."""
    for path in (path for folder in folders for path in folder.rglob("*") if path.is_file()):
        with path.open("rb") as file:
            os.fsync(file)
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
