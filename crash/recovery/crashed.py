"""What a kill leaves when a log has so many bytes; what was flushed of it would need no replay."""

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
from ..cutter.state import Cut
from ..runs import states
from ..runs.recording import Data, Recording, Run

KILL, CUT = "kill", "cut"
FAILURES = (KILL, CUT)
"""The process dies, and the kernel has all that it wrote; the power fails, and the disk has what
was synced, with a torn end."""
MODES = {KILL: "flush", CUT: "sync"}
"""How commits are acknowledged until then. Nothing that was is lost, and a log that only goes to
the kernel grows faster."""
READY_S = 3600.0
"""The longest that a start may take, its recovery with it."""
STILL_S = 60.0
"""How long a log may not grow."""
_STRATEGY = "prefix"
"""Of what was unsynced the first bytes are there, the last sector torn."""
_LOOK_S = 0.02
_SLICE_S = 0.25


@dataclass(frozen=True)
class Work(Data):
    """What is done until the kill: `run` are flags of the workload's driver, besides a load's."""

    run: Parameters = field(default_factory=dict)

    def run_until(
        self, until: Callable[[Driver, Path], None], failure: str, threads: int, seed: int
    ) -> Run:
        """Such a run, which ends when `until(driver, wal)` says that its log is long enough."""
        return Run(MODES[failure], 0.0, threads, seed, self.run, self, until)


@dataclass(frozen=True)
class Crashed:
    """What an engine left that was killed, or lost its power.

    `acks` is what was acknowledged, `log_bytes` at least its log.
    """

    db: Path
    wal: Path
    acks: Path
    log_bytes: int
    log_files: int


@dataclass(frozen=True)
class Reopened:
    """One opening, of a copy whose files were out of the page cache.

    `open_s` is what a user waits: from the start of the process until it serves. `recovery_s` is
    the engine's own count of its replay, `read_bytes` what the process had fetched from the disk by
    then, and `log_bytes` what there was to replay.
    """

    open_s: float
    recovery_s: float
    read_bytes: int
    log_bytes: int


def left(folder: Path, names: str, recording: Recording | None, seed: int) -> Crashed:
    """What a kill left in `folder`; of a recorded run, the disk after its last acknowledgement.

    Files of the log are called as the shell pattern `names` says.
    """
    if recording is not None:
        moment = max(call.end for call in recording.log.acks if call.end is not None)
        folder = folder / "left"
        folder.mkdir()
        states.keep(recording, Cut(moment, _STRATEGY, seed=seed), folder)
    db, wal, acks = (folder / name for name in states.PARTS)
    files = list(wal.glob(names))
    return Crashed(db, wal, acks, sum(path.stat().st_size for path in files), len(files))


def in_files(driver: Driver, wal: Path, log_bytes: int) -> None:
    """Have a driver run until files of RocksDB's log have so many bytes; it runs on.

    Errors: WaltaxError when the log does not grow, or is cut short.
    """
    driver.send(cmd="run", warmup_s=0, measure_s=1e6)

    def now() -> int:
        if _is_dead(driver.pid):
            raise WaltaxError("the driver died while its log was written")
        time.sleep(_LOOK_S)
        return sum(path.stat().st_size for path in wal.glob("*.log"))

    _await(now, log_bytes)


def by_counter(driver: Driver, counter: str, log_bytes: int) -> None:
    """The same of a log whose files have their whole length from the beginning."""
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
    while (found := now()) < log_bytes:
        if found < reached:
            raise WaltaxError(
                f"the log fell from {reached:,} to {found:,} bytes before it had {log_bytes:,}: "
                "its memtables were flushed, which the profile's settings must have asked for"
            )
        if found > reached:
            reached, grew_s = found, time.monotonic()
        if time.monotonic() - grew_s > STILL_S:
            raise WaltaxError(
                f"the log has {found:,} of {log_bytes:,} bytes, and did not grow for {STILL_S:g} s"
            )


def copied(source: Path, target: Path) -> None:
    """Copy a folder. Tables are never written to, so a link will do."""
    target.mkdir()
    for path in _files(source):
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in IMMUTABLE:
            os.link(path, place)
        else:
            shutil.copyfile(path, place)


def forget(*folders: Path) -> None:
    """Have the kernel drop what it has of the files in memory, as after a reboot.

    They go to the disk for that.
    """
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
    """Also of one that nobody has waited for yet."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
