"""Which repeats of a job count: those that the rest of the machine left alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median_low

from .measure import Reading
from .quantiles import Bins, at

BUSY_CORES = 0.35  # from here on, syncs on 2 CPUs waited for a CPU up to a scheduler's tick
_APART = 0.25  # of the middle repeat's median


def kept(repeats: Sequence[Reading]) -> list[Reading]:
    """Return the quiet repeats if there are any, less those whose median stands alone.

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
