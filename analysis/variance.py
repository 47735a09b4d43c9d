"""Sources of an interval's variance: occasions, hosts, sessions and rounds.

The estimators are those of a nested analysis of variance (Searle, Casella and McCulloch, Variance
Components, 1992, section 3.6) on what each slot adds to the logarithm of the ratio. Occasions and
hosts cross: the same hosts are measured on each occasion, and sessions are within both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from .stats import Floats, Ints

Variance = Mapping[str, float | None]
"""Parts of the variance of a ratio's logarithm, per slot. None: too few units to tell.

`sd_between_*` are the SDs of one occasion, host, session or round about the level above;
`share_of_*` are shares of the variance of the mean over all, and add up to 1.
"""
LEVELS = ("occasions", "hosts", "sessions", "rounds")
UNKNOWN: Variance = dict.fromkeys(
    f"{of}_{level}" for of in ("sd_between", "share_of") for level in LEVELS
)


def variance_of(
    influence: Floats, occasion: Ints, session: Ints, host: Ints | None = None
) -> Variance:
    """Return the parts; `influence[slot]` is what the slot adds to the logarithm.

    `session` numbers the sessions of all occasions and hosts. Without `host` there is one.
    """
    whole, slots = np.zeros_like(occasion), influence.size
    host = whole if host is None else host
    _, number, sizes = np.unique(host, return_inverse=True, return_counts=True)
    logs = influence * (sizes * sizes.size)[number]  # every host counts alike
    in_both = occasion * (int(host.max()) + 1) + host
    parts: dict[str, tuple[float, int]] = {}
    expected = 0.0  # of a mean square, by what the levels below explain
    for level, unit, above, is_nested in (
        ("rounds", np.arange(slots), session, True),
        ("sessions", session, in_both, True),
        ("hosts", host, whole, False),
        ("occasions", occasion, whole, False),
    ):
        (means, units), (parents, count) = _means(logs, unit), _means(logs, above)
        if units > count:
            square = float((means - parents) @ (means - parents)) / (units - count)
            parts[level] = max(0.0, (square - expected) * units / slots), units
            expected = (square if is_nested else 0.0) or expected
    of_mean = sum(of / units for of, units in parts.values())
    known = {f"sd_between_{level}": math.sqrt(of) for level, (of, _) in parts.items()}
    if of_mean:
        known |= {f"share_of_{n}": of / units / of_mean for n, (of, units) in parts.items()}
    return {**UNKNOWN, **known}


def _means(logs: Floats, unit: Ints) -> tuple[Floats, int]:
    """Return for each slot the mean of its unit, and the number of units."""
    _, unit, sizes = np.unique(unit, return_inverse=True, return_counts=True)
    return (np.bincount(unit, weights=logs) / sizes)[unit], sizes.size
