"""Sources of an interval's variance: occasions, hosts, sessions and rounds.

The estimators are those of a nested analysis of variance (Searle, Casella and McCulloch, Variance
Components, 1992, section 3.6) on what each slot adds to the logarithm of the ratio. Occasions and
hosts cross: the same hosts are measured on each occasion, and sessions are within both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .stats import Floats, Ints


@dataclass(frozen=True)
class Variance:
    """The variance of a ratio's logarithm, per slot. None: too few units to tell.

    The SDs are those of one occasion, host, session or round about the level above; the shares are
    of the variance of the mean over all, and add up to 1.
    """

    sd_between_occasions: float | None = None
    sd_between_hosts: float | None = None
    sd_between_sessions: float | None = None
    sd_between_rounds: float | None = None
    share_of_occasions: float | None = None
    share_of_hosts: float | None = None
    share_of_sessions: float | None = None
    share_of_rounds: float | None = None


def variance_of(
    influence: Floats, occasion: Ints, session: Ints, host: Ints | None = None
) -> Variance:
    """Return the parts; `influence[slot]` is what the slot adds to the logarithm.

    `session` numbers the sessions of all occasions and hosts. Without `host` there is one.
    """
    host, slots = np.zeros_like(occasion) if host is None else host, influence.size
    logs = influence * _per_host(host)
    in_session, sessions = _means(logs, session)
    in_both, both = _means(logs, occasion * (int(host.max()) + 1) + host)
    (in_occasion, occasions), (in_host, hosts) = _means(logs, occasion), _means(logs, host)
    rounds = _square(logs - in_session, slots - sessions)
    by_session = _square(in_session - in_both, sessions - both)
    of_rounds = rounds or 0.0
    of_sessions = _beyond(by_session, of_rounds, slots / sessions)
    below = by_session or of_rounds
    of_hosts = _beyond(_square(in_host, hosts - 1), below, slots / hosts)
    of_occasions = _beyond(_square(in_occasion, occasions - 1), below, slots / occasions)
    known = {
        "occasions": (of_occasions, occasions),
        "hosts": (of_hosts, hosts),
        "sessions": (of_sessions, sessions),
        "rounds": (rounds, slots),
    }
    whole = sum((of or 0) / count for of, count in known.values())
    told = {
        name: (math.sqrt(of), of / count / whole if whole > 0 else None)
        for name, (of, count) in known.items()
        if of is not None
    }
    return Variance(
        **{f"sd_between_{name}": sd for name, (sd, _) in told.items()},
        **{f"share_of_{name}": share for name, (_, share) in told.items()},
    )


def _per_host(host: Ints) -> Floats:
    """Return the factors that turn influences into logarithms; every host counts alike."""
    _, number, sizes = np.unique(host, return_inverse=True, return_counts=True)
    per: Floats = (sizes * sizes.size)[number].astype(float)
    return per


def _means(logs: Floats, unit: Ints) -> tuple[Floats, int]:
    """Return for each slot the mean of its unit, and the number of units."""
    _, unit, sizes = np.unique(unit, return_inverse=True, return_counts=True)
    return (np.bincount(unit, weights=logs) / sizes)[unit], sizes.size


def _square(deviations: Floats, freedom: int) -> float | None:
    return float(deviations @ deviations) / freedom if freedom > 0 else None


def _beyond(square: float | None, expected: float, size: float) -> float | None:
    """Return the variance of units of this size beyond what their slots alone explain."""
    return None if square is None else max(0.0, (square - expected) / size)
