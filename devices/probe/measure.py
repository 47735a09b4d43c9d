"""The measurement: rounds of jobs in random order, in a folder that is removed at the end.

After a kill, the next probe removes it. Whether slow syncs come in bursts is measured without fio,
which does not report their order.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from statistics import median, median_low
from types import FrameType

import numpy as np

from ...base.errors import UsageError, WaltaxError
from ...base.folders import places
from ..tap_model import STATES, FileState
from . import fio, load
from .jobs import IN_ORDER, MIN_SYNCS, Job, Plan
from .quantiles import Bins, at

_SEED = 1  # of the order, so that two probes of a machine differ in nothing of ours
_LONGEST_S = 3.0  # of a job whose first repeat had too few syncs
_DIR_SYNCS = 30
BUSY_CORES = 0.35  # above this, syncs on 2 CPUs waited for a CPU up to a scheduler's tick
_APART = 0.25  # of the middle repeat's median
_PREFIX = ".waltax-probe-"
_KIND = "probe"
SLOW_PERCENT = 1.0  # of syncs, the slowest
_RUNS = 20  # of slow syncs, before their mean length is meaningful
# Independent slow syncs follow each other once in a hundred times. A mean length below this cannot
# be distinguished from that.
_BY_CHANCE = 1.1
_KEEP_SIZE = 1  # FALLOC_FL_KEEP_SIZE of linux/falloc.h


@dataclass(frozen=True)
class Reading:
    """One job's answer; `kernel_us` is the CPU time of kernel threads per write, if known."""

    job: Job
    answer: fio.Answer
    kernel_us: float | None
    foreign_cores: float


@dataclass(frozen=True)
class Measured:
    """All readings in the order taken, and the median sync of a directory."""

    readings: tuple[Reading, ...]
    dir_sync_us: float
    preallocates: bool
    slow_run: float | None = None  # see the function `slow_run`

    def synced(self) -> Iterator[tuple[FileState, int, list[Reading]]]:
        """Yield the state, size and readings of every job that synced, with all its repeats."""
        for state in STATES:
            yield from ((state, size, repeats) for size, repeats in self.of("sync", state).items())

    def of(self, kind: str, state: str = "preallocated") -> dict[int, list[Reading]]:
        """Return the readings of such jobs by their size, in rising order."""
        by_size: dict[int, list[Reading]] = {}
        for reading in sorted(self.readings, key=lambda reading: reading.job.bytes):
            if (reading.job.kind, reading.job.state) == (kind, state):
                by_size.setdefault(reading.job.bytes, []).append(reading)
        return by_size


def measure(
    program: fio.Fio,
    plan: Plan,
    directory: Path,
    say: Callable[[str], None],
    wait_s: float = 0,
    wear: load.Wear | None = None,
) -> Measured:
    """Run the plan in a folder inside `directory`, which is removed however the plan ends.

    Up to `wait_s` in all is spent waiting for moments in which nobody else uses the CPUs.

    Errors: UsageError when nothing can be made there; WaltaxError from a job, or from `wear`, which
    is checked before each job and at the end.
    """
    order, patience = random.Random(_SEED), load.Patience(wait_s)
    wear = wear or load.Wear((), 0)  # without disks, nothing exceeds it
    readings: list[Reading] = []
    with own(directory) as folder:
        preallocates = _preallocates(folder)
        dir_sync_us = _dir_sync_us(folder)
        wear.require(IN_ORDER.most_bytes)
        run_length = slow_run(times_us(folder))
        for number, jobs in enumerate(plan.rounds, 1):
            say(f"  round {number} of {len(plan.rounds)}, {len(jobs)} jobs")
            for job in order.sample(jobs, len(jobs)):
                patience.wait()
                adapted = _adapted(job, readings)
                wear.require(adapted.most_bytes)
                readings.append(_read(program, adapted, folder))
        wear.require()
    return Measured(tuple(readings), dir_sync_us, preallocates, run_length)


def kept(repeats: Sequence[Reading]) -> list[Reading]:
    """Return the repeats that count: the quiet ones, if any, without medians that are outliers.

    A disturbance changes a repeat as a whole; single hiccups are the device's own and stay.
    """
    quiet = [reading for reading in repeats if reading.foreign_cores <= BUSY_CORES] or list(repeats)
    middle = median_low([p50(reading) for reading in quiet])
    return [reading for reading in quiet if abs(p50(reading) - middle) <= _APART * middle]


def pool(repeats: Sequence[Reading]) -> Bins:
    """Return the sync times of all kept repeats together."""
    together: Counter[float] = Counter()
    for reading in kept(repeats):
        together.update(dict(reading.answer.bins))
    return sorted(together.items())


def p50(reading: Reading) -> float:
    """Return a reading's median sync time in us."""
    return at(reading.answer.bins, [50])[0]


def _read(program: fio.Fio, job: Job, folder: Path) -> Reading:
    before = load.now()
    answer = fio.run(program, job, folder)
    used = load.used(before, load.now())
    kernel_us = None if used.kernel_s is None else used.kernel_s / answer.writes * 1e6
    return Reading(job, answer, kernel_us, used.foreign_cores)


def _adapted(job: Job, before: list[Reading]) -> Job:
    """Return the job, made longer on a slow disk."""
    for reading in before:
        if reading.job.label == job.label and reading.answer.syncs < MIN_SYNCS:
            wanted_s = 1.1 * MIN_SYNCS / max(reading.answer.writes_per_s, 1.0)
            return replace(job, seconds=max(job.seconds, min(_LONGEST_S, wanted_s)))
    return job


def _preallocates(folder: Path) -> bool:
    """Return whether fallocate works there; otherwise fio and RocksDB go on without it."""
    path = folder / "preallocated"
    with path.open("wb") as file:
        path.unlink()
        return preallocated(file.fileno(), 1 << 20)


def _dir_sync_us(folder: Path) -> float:
    """Return the median time to sync a folder after making a file in it; fio has no such job."""
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


@contextlib.contextmanager
def own(directory: Path) -> Iterator[Path]:
    """Make a folder in `directory` and remove it at the end, also after SIGTERM and the like.

    Errors: UsageError when it cannot be made.
    """
    with _ended_by_signals(), contextlib.ExitStack() as stack:
        try:
            folder = stack.enter_context(places.borrowed(directory, _PREFIX, _KIND))
        except UsageError as error:
            raise UsageError(
                f"{error}; give a directory on the device that is writable and has room"
            ) from error
        yield folder


def remove_leftovers(directory: Path) -> list[str]:
    """Remove this user's folders of killed probes, and return messages about them."""
    swept = places.sweep(directory, f"{_PREFIX}*", _KIND)
    removed = [f"removed {path}, which a probe that was killed had left" for path in swept.removed]
    return removed + swept.left_words()


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let SIGTERM, SIGHUP and SIGQUIT unwind as Ctrl-C does."""

    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt(signal.Signals(number).name, frame)

    numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
    before = [(number, signal.signal(number, end)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def slow_run(times: Sequence[float]) -> float | None:
    """Return the mean length of runs of the slowest percent, None without evidence of bursts.

    `times` are the times of syncs in order, in any unit.
    """
    if not times:
        return None
    slow = np.asarray(times) > np.percentile(times, 100 - SLOW_PERCENT)
    runs = [len(list(run)) for is_slow, run in groupby(slow) if is_slow]
    if len(runs) < _RUNS:
        return None
    length = sum(runs) / len(runs)
    return length if length > _BY_CHANCE else None


def preallocated(number: int, size: int) -> bool:
    """Preallocate an open file as RocksDB does. Return whether the file system can."""
    sizes = (ctypes.c_longlong(0), ctypes.c_longlong(size))
    return bool(ctypes.CDLL(None).fallocate(number, _KEEP_SIZE, *sizes) == 0)


def times_us(folder: Path) -> list[float]:
    """Return the time of each sync after an append, in order, in a preallocated file in `folder`.

    Errors: WaltaxError with the kernel's message.
    """
    path, data = folder / "in-order.log", bytes(IN_ORDER.bytes)
    times: list[float] = []
    try:
        with path.open("wb", buffering=0) as file:
            number = file.fileno()
            preallocated(number, IN_ORDER.file)  # or the file grows
            end = time.perf_counter() + IN_ORDER.seconds
            while len(times) < IN_ORDER.writes and time.perf_counter() < end:
                os.write(number, data)
                start = time.perf_counter()
                os.fdatasync(number)
                times.append((time.perf_counter() - start) * 1e6)
        path.unlink()
    except OSError as error:
        raise WaltaxError(f"{folder.parent}: a sync failed: {error.strerror}") from error
    return times
