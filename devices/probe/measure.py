"""The measurement: jobs in rounds of random order, what the machine did meanwhile, what counts."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, median_low

from ...errors import WaltaxError
from . import bursts, fio, load
from .folder import own
from .jobs import IN_ORDER, MIN_SYNCS, Job, Plan
from .quantiles import Bins, at
from .wear import Wear

_SEED = 1  # of the order: two probes of one machine should differ in nothing else
_LONGEST_S = 3.0  # for a job whose first repeat had too few syncs
_DIR_SYNCS = 30
BUSY_CORES = 0.35  # from here on, syncs on 2 CPUs waited for a CPU up to a scheduler's tick
_APART = 0.25  # of the middle repeat's median


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
    slow_run: float | None = None  # of `bursts`

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
    wear: Wear | None = None,
) -> Measured:
    """Run the plan in a folder inside `directory`, which is gone afterwards, however it ends.

    Up to `wait_s` in all are spent on waiting for moments in which nobody else uses the CPUs.

    Errors: UsageError when nothing can be made there, WaltaxError of a job, or of `wear`, which is
    asked before each whether it still fits, and at the end.
    """
    order, patience = random.Random(_SEED), load.Patience(wait_s)
    readings: list[Reading] = []
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
    return Measured(tuple(readings), dir_sync_us, preallocates, slow_run)


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
    number = os.open(folder / "preallocated", os.O_CREAT | os.O_WRONLY)
    try:
        return bursts.preallocated(number, 1 << 20)
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
