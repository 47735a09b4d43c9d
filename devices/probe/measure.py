"""The measurement: jobs in rounds of random order, what the machine did meanwhile, what is odd."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from ...errors import WaltaxError
from . import bursts, fio, load
from .folder import own
from .jobs import IN_ORDER, MIN_SYNCS, Job, Plan
from .wear import Wear

_SEED = 1  # of the order: two probes of one machine should differ in nothing else
_LONGEST_S = 3.0  # for a job whose first repeat had too few syncs
_DIR_SYNCS = 30


@dataclass(frozen=True)
class Reading:
    """One job's answer; `kernel_us` is CPU time of kernel threads for each write, if known."""

    job: Job
    answer: fio.Answer
    kernel_us: float | None
    foreign_cores: float


@dataclass(frozen=True)
class Measured:
    """All readings in the order taken, the median sync of a directory, how long it took."""

    readings: tuple[Reading, ...]
    dir_sync_us: float
    preallocates: bool
    seconds: float
    slow_run: float | None = None  # of `bursts`

    def of(self, kind: str, state: str = "preallocated") -> dict[int, list[Reading]]:
        """Return the readings of such jobs by their size, sizes rising."""
        found: dict[int, list[Reading]] = {}
        for one in sorted(self.readings, key=lambda reading: reading.job.bytes):
            if (one.job.kind, one.job.state) == (kind, state):
                found.setdefault(one.job.bytes, []).append(one)
        return found

    @property
    def bytes_written(self) -> int:
        """What fio handed to the file system in its measured time."""
        return sum(one.answer.written_bytes for one in self.readings)


def measure(
    program: fio.Fio,
    plan: Plan,
    directory: Path,
    say: Callable[[str], None],
    wait_s: float = 0,
    wear: Wear | None = None,
) -> Measured:
    """Run the plan in a folder inside `directory`, which is gone afterwards, however it ends.

    Up to `wait_s` in all are spent on waiting for moments in which nobody else uses the CPUs.

    Errors: UsageError when nothing can be made there, WaltaxError of a job, or of `wear`, which is
    asked before each whether it still fits, and at the end.
    """
    start, order = time.monotonic(), random.Random(_SEED)
    readings: list[Reading] = []
    patience = load.Patience(wait_s)
    with own(directory) as folder:
        preallocates = _preallocates(folder)
        dir_sync_us = _dir_sync_us(folder)
        if wear is not None:
            wear.require(IN_ORDER.most_bytes)
        slow_run = bursts.slow_run(bursts.times_us(folder))
        for number, jobs in enumerate(plan.rounds, 1):
            say(f"  round {number} of {len(plan.rounds)}, {len(jobs)} jobs")
            for job in order.sample(jobs, len(jobs)):
                patience.wait()
                adapted = _adapted(job, readings)
                if wear is not None:
                    wear.require(adapted.most_bytes)
                readings.append(_read(program, adapted, folder))
        if wear is not None:
            wear.require()
    took_s = time.monotonic() - start
    return Measured(tuple(readings), dir_sync_us, preallocates, took_s, slow_run)


def _read(program: fio.Fio, job: Job, folder: Path) -> Reading:
    before = load.now()
    answer = fio.run(program, job, folder)
    used = load.used(before, load.now())
    kernel_us = None if used.kernel_s is None else used.kernel_s / answer.writes * 1e6
    return Reading(job, answer, kernel_us, used.foreign_cores)


def _adapted(job: Job, before: list[Reading]) -> Job:
    """Return the job, longer on a slow disk."""
    for one in before:
        if one.job.label == job.label and one.answer.syncs < MIN_SYNCS:
            wanted_s = 1.1 * MIN_SYNCS / max(one.answer.writes_per_s, 1.0)
            return replace(job, seconds=max(job.seconds, min(_LONGEST_S, wanted_s)))
    return job


def _preallocates(folder: Path) -> bool:
    """Whether fallocate works there; where not, fio goes on without, and so does RocksDB."""
    import ctypes

    keep_size = 1  # FALLOC_FL_KEEP_SIZE of linux/falloc.h
    libc = ctypes.CDLL(None, use_errno=True)
    number = os.open(folder / "preallocated", os.O_CREAT | os.O_WRONLY)
    try:
        sizes = (ctypes.c_longlong(0), ctypes.c_longlong(1 << 20))
        return bool(libc.fallocate(number, keep_size, *sizes) == 0)
    finally:
        os.close(number)
        (folder / "preallocated").unlink()


def _dir_sync_us(folder: Path) -> float:
    """Median time of a sync of the folder after a file was made in it; fio has no such job."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    times = []
    try:
        for place in range(_DIR_SYNCS):
            path = folder / f"{place:06}.log"
            path.touch()
            start = time.perf_counter()
            os.fsync(number)
            times.append(time.perf_counter() - start)
            path.unlink()
    except OSError as error:
        raise WaltaxError(f"{folder.parent}: a directory sync failed: {error.strerror}") from error
    finally:
        os.close(number)
    return median(times) * 1e6
