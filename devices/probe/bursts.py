"""Whether slow syncs come in bursts: how many follow each other. fio tells no order."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import numpy as np

from ...errors import WaltaxError
from .jobs import IN_ORDER

SLOW_PERCENT = 1.0  # of syncs, the slowest
_RUNS = 20  # of slow syncs, before their mean length says something
# Drawn alone, a slow sync is followed by another once in a hundred times. Fewer runs than that in
# the mean cannot be told from it.
_BY_CHANCE = 1.1
_KEEP_SIZE = 1  # FALLOC_FL_KEEP_SIZE of linux/falloc.h


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
        number = os.open(path, os.O_CREAT | os.O_WRONLY)
        try:
            preallocated(number, IN_ORDER.file)  # or it grows
            end = time.perf_counter() + IN_ORDER.seconds
            while len(found) < IN_ORDER.writes and time.perf_counter() < end:
                os.write(number, data)
                start = time.perf_counter()
                os.fdatasync(number)
                found.append((time.perf_counter() - start) * 1e6)
        finally:
            os.close(number)
            path.unlink()
    except OSError as error:
        raise WaltaxError(f"{folder.parent}: a sync failed: {error.strerror}") from error
    return found
