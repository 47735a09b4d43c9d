"""What a kill leaves when a log has so many bytes; what was flushed of it would need no replay."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psutil

from ...driver.argv import Parameters
from ...driver.client import Driver, Event
from ...errors import WaltaxError

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
CHECK_S = 300.0
"""The longest that a check takes."""
CHECK_THREADS = 2
_LOOK_S = 0.02
_SLICE_S = 0.25


@dataclass(frozen=True)
class Work:
    """What is done until the kill: flags of the workload's driver, for a load and for a run."""

    workload: str
    load: Parameters
    run: Parameters


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


class Subject(Protocol):
    """An engine that is killed and opened again; `threads` run requests until the kill."""

    def crash(
        self, loaded: Path, folder: Path, log_bytes: int, *, threads: int, seed: int
    ) -> Crashed:
        """Run requests on a clone of the data set `loaded` until its log is so long, and kill it.

        Everything goes to `folder`, where nothing is yet. Errors: DriverFailed; ServerDied;
        WaltaxError when the log does not grow, or is cut short.
        """
        ...

    def reopen(self, crashed: Crashed, room: Path) -> Reopened:
        """Open a copy in `room`, which is removed again.

        Errors: DriverFailed or ServerDied when it does not open; WaltaxError when the engine does
        not tell of its recovery.
        """
        ...

    def check(self, crashed: Crashed) -> Event:
        """What the driver's check finds in what was left, which it opens.

        Errors: DriverFailed or ServerDied when it does not open.
        """
        ...


def in_files(driver: Driver, wal: Path, log_bytes: int) -> None:
    """Have a driver run until files of RocksDB's log have so many bytes; it runs on.

    Errors: as `Subject.crash`.
    """
    driver.send(cmd="run", warmup_s=0, measure_s=1e6)

    def now() -> int:
        if _is_dead(driver.pid):
            raise WaltaxError("the driver died while its log was written")
        time.sleep(_LOOK_S)
        return sum(path.stat().st_size for path in logs(wal))

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


def logs(wal: Path) -> list[Path]:
    """The files of RocksDB's log."""
    return sorted(wal.glob("*.log"))


def _is_dead(pid: int) -> bool:
    """Also of one that nobody has waited for yet."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
