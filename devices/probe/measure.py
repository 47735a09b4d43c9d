"""The measurement: jobs in rounds of random order, in a folder that is gone at its end.

After a kill it is gone when the next probe starts. Whether slow syncs come in bursts is measured
without fio, which tells no order.
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

_SEED = 1  # of the order: two probes of one machine should differ in nothing else
_LONGEST_S = 3.0  # for a job whose first repeat had too few syncs
_DIR_SYNCS = 30
BUSY_CORES = 0.35  # from here on, syncs on 2 CPUs waited for a CPU up to a scheduler's tick
_APART = 0.25  # of the middle repeat's median
_PREFIX = ".waltax-probe-"
_KIND = "probe"
SLOW_PERCENT = 1.0  # of syncs, the slowest
_RUNS = 20  # of slow syncs, before their mean length says something
# Drawn alone, a slow sync is followed by another once in a hundred times. Fewer runs than that in
# the mean cannot be told from it.
_BY_CHANCE = 1.1
_KEEP_SIZE = 1  # FALLOC_FL_KEEP_SIZE of linux/falloc.h


@dataclass(frozen=True)
class Reading:
    """One job's answer; `kernel_us` is CPU time of kernel threads for each write, if known."""

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
    slow_run: float | None = None  # of slow syncs: see `slow_run`

    def synced(self) -> Iterator[tuple[FileState, int, list[Reading]]]:
        """Yield state, size and readings of every job that synced, its repeats together."""
        for state in STATES:
            yield from ((state, size, found) for size, found in self.of("sync", state).items())

    def of(self, kind: str, state: str = "preallocated") -> dict[int, list[Reading]]:
        """Return the readings of such jobs by their size, sizes rising."""
        found: dict[int, list[Reading]] = {}
        for one in sorted(self.readings, key=lambda reading: reading.job.bytes):
            if (one.job.kind, one.job.state) == (kind, state):
                found.setdefault(one.job.bytes, []).append(one)
        return found


def measure(
    program: fio.Fio,
    plan: Plan,
    directory: Path,
    say: Callable[[str], None],
    wait_s: float = 0,
    wear: load.Wear | None = None,
) -> Measured:
    """Run the plan in a folder inside `directory`, which is gone afterwards, however it ends.

    Up to `wait_s` in all are spent on waiting for moments in which nobody else uses the CPUs.

    Errors: UsageError when nothing can be made there, WaltaxError of a job, or of `wear`, which is
    asked before each whether it still fits, and at the end.
    """
    order, patience = random.Random(_SEED), load.Patience(wait_s)
    wear = wear or load.Wear((), 0)  # of no disk, which fits
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
    """Return the repeats of a job that count: the quiet ones if there are any, less those whose
    median stands alone.

    A repeat that something disturbed differs as a whole; hiccups stay, as the device's own.
    """
    quiet = [one for one in repeats if one.foreign_cores <= BUSY_CORES] or list(repeats)
    middle = median_low([p50(one) for one in quiet])
    return [one for one in quiet if abs(p50(one) - middle) <= _APART * middle]


def pool(repeats: Sequence[Reading]) -> Bins:
    """Return the sync times of all that are kept, together."""
    together: Counter[float] = Counter()
    for one in kept(repeats):
        together.update(dict(one.answer.bins))
    return sorted(together.items())


def p50(one: Reading) -> float:
    """Return a reading's median sync, us."""
    return at(one.answer.bins, [50])[0]


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
    path = folder / "preallocated"
    with path.open("wb") as file:
        path.unlink()
        return preallocated(file.fileno(), 1 << 20)


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


@contextlib.contextmanager
def own(directory: Path) -> Iterator[Path]:
    """A folder of our own in `directory`, removed at the end; SIGTERM and its kin end us, too.

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
    """Remove this user's folders of probes that were killed; returns what is to be said of that."""
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
    """The mean length of runs of the slowest percent, None where nothing speaks for bursts.

    `times` are of syncs in their order, in any unit.
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
    """Preallocate an open file as RocksDB does. Returns whether the file system can."""
    sizes = (ctypes.c_longlong(0), ctypes.c_longlong(size))
    return bool(ctypes.CDLL(None).fallocate(number, _KEEP_SIZE, *sizes) == 0)


def times_us(folder: Path) -> list[float]:
    """Time of each sync after an append, one by one, in a preallocated file in `folder`.

    Errors: WaltaxError with what the kernel said.
    """
    path, data = folder / "in-order.log", bytes(IN_ORDER.bytes)
    found: list[float] = []
    try:
        with path.open("wb", buffering=0) as file:
            number = file.fileno()
            preallocated(number, IN_ORDER.file)  # or it grows
            end = time.perf_counter() + IN_ORDER.seconds
            while len(found) < IN_ORDER.writes and time.perf_counter() < end:
                os.write(number, data)
                start = time.perf_counter()
                os.fdatasync(number)
                found.append((time.perf_counter() - start) * 1e6)
        path.unlink()
    except OSError as error:
        raise WaltaxError(f"{folder.parent}: a sync failed: {error.strerror}") from error
    return found
