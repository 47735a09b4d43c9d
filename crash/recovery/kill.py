"""What a kill leaves when a log has grown to a size, of which nothing may have been flushed."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from ...base.errors import WaltaxError
from ...driver.argv import Parameters
from ...driver.client import Driver
from ...engines.server.datadir import IMMUTABLE
from ..runs import states
from ..runs.recording import Data, Run

MODE = "flush"
"""How commits are acknowledged until the kill. The kernel has all of them, and a log that goes only
there grows faster."""
READY_S = 3600.0
"""The longest time that a start may take, including its recovery."""
STILL_S = 60.0
"""The longest time without growth of the log."""
_LOOK_S = 0.02
_SLICE_S = 0.25


@dataclass(frozen=True)
class Work(Data):
    """The work until the kill: `run` are flags of the workload's driver, besides a load's."""

    run: Parameters = field(default_factory=dict)

    def run_until(self, until: Callable[[Driver, Path], None], threads: int, seed: int) -> Run:
        """Return a run of this work, which ends when `until(driver, wal)` returns."""
        return Run(MODE, 0.0, threads, seed, self.run, self, until)


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

    `open_s` is how long a user waits, from the start of the process until it serves. `recovery_s`
    is the engine's own measure of its replay, `read_bytes` what the process had read from the disk
    by then, and `log_bytes` the log to replay.
    """

    open_s: float
    recovery_s: float
    read_bytes: int
    log_bytes: int


def left(folder: Path, names: str) -> Crashed:
    """Return what a kill left in `folder`; the shell pattern `names` matches files of the log."""
    db, wal, acks = (folder / name for name in states.PARTS)
    files = list(wal.glob(names))
    return Crashed(db, wal, acks, sum(path.stat().st_size for path in files), len(files))


def in_files(driver: Driver, wal: Path, log_bytes: int) -> None:
    """Have a driver run until the files of RocksDB's log have `log_bytes`, and leave it running.

    Errors: WaltaxError when the log stops growing, or shrinks.
    """
    driver.send(cmd="run", warmup_s=0, measure_s=1e6)

    def now() -> int:
        if _is_dead(driver.pid):
            raise WaltaxError("the driver died while its log was written")
        time.sleep(_LOOK_S)
        return sum(path.stat().st_size for path in wal.glob("*.log"))

    _await(now, log_bytes)


def by_counter(driver: Driver, counter: str, log_bytes: int) -> None:
    """Do the same with a log whose files have their full length from the beginning."""
    so_far = 0

    def now() -> int:
        nonlocal so_far
        event = driver.ask("slice", within_s=STILL_S, cmd="run", warmup_s=0, measure_s=_SLICE_S)
        so_far += int(event["counters"][counter])
        return so_far

    _await(now, log_bytes)
    driver.send(cmd="run", warmup_s=0, measure_s=1e6)
    time.sleep(_SLICE_S)


def _await(now: Callable[[], int], log_bytes: int) -> None:
    reached, grew_s = 0, time.monotonic()
    while (size := now()) < log_bytes:
        if size < reached:
            raise WaltaxError(
                f"the log fell from {reached:,} to {size:,} bytes before it had {log_bytes:,}: "
                "its memtables were flushed, which the profile's settings must have asked for"
            )
        if size > reached:
            reached, grew_s = size, time.monotonic()
        if time.monotonic() - grew_s > STILL_S:
            raise WaltaxError(
                f"the log has {size:,} of {log_bytes:,} bytes, and did not grow for {STILL_S:g} s"
            )


def copied(source: Path, target: Path) -> None:
    """Copy a folder. Tables are linked, since nothing writes to them."""
    target.mkdir()
    for path in _files(source):
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in IMMUTABLE:
            os.link(path, place)
        else:
            shutil.copyfile(path, place)


def forget(*folders: Path) -> None:
    """Write files to the disk, and have the kernel drop them from memory, as after a reboot."""
    for folder in folders:
        for path in _files(folder):
            file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                os.fsync(file)
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(file)


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]


def _is_dead(pid: int) -> bool:
    """Return whether a process ended, also when nobody has waited for it yet."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
