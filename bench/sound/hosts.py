"""How often a typical host's interval holds the truth, by simulation: the tables of docs/method.md.

    python -m waltax.bench hosts [TRIALS]

Of campaigns over few hosts, with and without the hosts as a level of the interval; and how often a
host is named as one that disagrees, when all are alike and when one is not.
"""

from __future__ import annotations

import math
import multiprocessing
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...analysis import stats
from ...analysis.hosts import apart
from ...analysis.stats import Floats, Interval, Resampling
from .scenes import OVERHEADS, Rng, Scene, simulate

HOSTS = (2, 3, 5, 10)
_ROUNDS = 4
_SPEED_SD = 0.4  # of the logarithm of a host's speed, which all its cells have in common
_FARTHEST = 1.0  # a factor of e: without a bound, what has heavy tails has no mean
ODD = math.log(0.8)
"""How far the odd host's ratio is from the others': 30 % are 44 % there."""


@dataclass(frozen=True)
class Fleet:
    """Hosts whose ratios differ by so much (SD of the logarithm), and what differs on each.

    `sessions` are those of the hosts in turn: one that was lost early has fewer.
    """

    name: str
    host_sd: float
    scene: Scene
    sessions: tuple[int, ...] = (3,)
    tails: str = "normal"


_QUIET = Scene("", 0.02, 0.10)
FLEETS = (
    Fleet("hosts alike", 0.0, _QUIET),
    Fleet("host SD .03", 0.03, _QUIET),
    Fleet("host SD .10", 0.10, _QUIET),
    Fleet("host SD .10, heavy tails (t3)", 0.10, _QUIET, tails="t3"),
    Fleet("host SD .10, sessions 5, 3 and 1", 0.10, _QUIET, sessions=(5, 3, 1)),
    Fleet("host SD .10, session .05, round .02", 0.10, Scene("", 0.05, 0.02)),
)


@dataclass(frozen=True)
class Measured:
    """A simulated campaign's slots, of `off` and of each device; `truths` as in `Simulated`.

    `nobody` draws its sessions as if they were all of one host.
    """

    off: Floats
    devices: Floats
    truths: Floats
    by: Resampling
    nobody: Resampling


def measure(fleet: Fleet, hosts: int, rng: Rng, odd: float = 0.0) -> Measured:
    """A campaign. The first host's ratios are off by the factor exp(`odd`), in the truth not."""
    each = tuple(fleet.sessions[place % len(fleet.sessions)] for place in range(hosts))
    found = [simulate(fleet.scene, sessions, _ROUNDS, rng) for sessions in each]
    speed = np.exp(_SPEED_SD * rng.standard_normal(hosts))
    own = np.exp(_deviations(fleet, hosts, rng))
    own[0] *= math.exp(odd)
    return Measured(
        off=np.concatenate([f * one.off for f, one in zip(speed, found, strict=True)]),
        devices=np.concatenate(
            [f * one.devices for f, one in zip(speed * own, found, strict=True)], axis=1
        ),
        truths=found[0].truths * _mean_factor(fleet),
        by=_resampling(each),
        nobody=_resampling(each, with_hosts=False),
    )


@cache
def _resampling(sessions: tuple[int, ...], *, with_hosts: bool = True) -> Resampling:
    """Of hosts with so many sessions each; of their sessions alone without them."""
    session = np.repeat(np.arange(sum(sessions)), _ROUNDS)
    host = np.repeat(np.repeat(np.arange(len(sessions)), sessions), _ROUNDS)
    return stats.resample(session, host=host if with_hosts else None)


def _deviations(fleet: Fleet, hosts: int, rng: Rng) -> Floats:
    """Of the logarithms of the hosts' ratios."""
    if fleet.tails == "t3":
        heavy: Floats = fleet.host_sd * rng.standard_t(3, hosts) / math.sqrt(3)
        return np.clip(heavy, -_FARTHEST, _FARTHEST)
    return fleet.host_sd * rng.standard_normal(hosts)


@cache
def _mean_factor(fleet: Fleet) -> float:
    """What the typical host's ratio is, over that of a host of the middle."""
    if fleet.tails == "t3":
        many = _deviations(fleet, 1_000_000, np.random.default_rng(1))
        return float(np.exp(many).mean())
    return math.exp(fleet.host_sd**2 / 2)


@dataclass(frozen=True)
class Covered:
    """Of simulated campaigns: how often the first device's interval held the truth.

    `plain` is how often the percentiles of the same draws do, and `without` how often an interval
    that knows sessions and no hosts does.
    """

    share: float
    half_width: float  # median, in fractions of overhead
    plain: float
    without: float
    named: float  # campaigns in which any host is named of any device, where none is odd
    found: float  # campaigns in which the odd host is


def covered(fleet: Fleet, hosts: int, trials: int) -> Covered:
    rng = np.random.default_rng(hosts)
    hits, widths, plain, without, named, found = [], [], [], [], [], []
    for _ in range(trials):
        one = measure(fleet, hosts, rng)
        interval = stats.ratio_of_means(one.devices[0], one.off, one.by)
        hits.append(holds(interval, one.truths[0]))
        widths.append(((interval.high or 0.0) - (interval.low or 0.0)) / 2)
        plain.append(holds(_percentiles(one), one.truths[0]))
        blind = stats.ratio_of_means(one.devices[0], one.off, one.nobody)
        without.append(holds(blind, one.truths[0]))
        named.append(any(who(one, device).any() for device in one.devices))
        other = measure(fleet, hosts, rng, ODD)
        found.append(any(who(other, device)[0] for device in other.devices))
    share, bare, unaware, alarms, odd = (
        float(np.mean(each)) for each in (hits, plain, without, named, found)
    )
    return Covered(share, float(np.median(widths)), bare, unaware, alarms, odd)


def holds(interval: Interval, truth: float) -> bool:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low <= truth <= interval.high


def _percentiles(one: Measured) -> Interval:
    """What the draws alone say, before they are stretched."""
    top, bottom = stats.evened(one.devices[0], one.off, one.by.host)
    tops, bottoms = (one.by.weights @ np.column_stack([top, bottom])).T
    value = float(top.sum() / bottom.sum())
    return Interval(value, *stats.percentiles(tops / bottoms))


def who(one: Measured, device: Floats) -> NDArray[np.bool_]:
    """Of the hosts, those that the report would name, of one of the devices."""
    top, bottom = (np.bincount(one.by.host, weights=each) for each in (device, one.off))
    logs = np.log(top / bottom)
    named = apart.disagree(logs, logs.size * len(OVERHEADS))
    others = np.exp(logs - apart.from_the_others(logs))
    for host in np.flatnonzero(named):
        named[host] = not holds(_alone(one, device, one.by.host == host), float(others[host]))
    return named


def _alone(one: Measured, device: Floats, mine: NDArray[np.bool_]) -> Interval:
    """The ratio of one host's rounds."""
    _, session = np.unique(one.by.session[mine], return_inverse=True)
    return stats.ratio_of_means(device[mine], one.off[mine], stats.resample(session))


def _held(one: Covered) -> str:
    return f"{one.share:.3f} ({100 * one.half_width:.1f})"


def _less(one: Covered) -> str:
    return f"{one.plain:.2f}, {one.without:.2f}"


def _named(one: Covered) -> str:
    return f"{one.named:.3f}, {one.found:.2f}"


_TABLES: tuple[tuple[str, Callable[[Covered], str], int], ...] = (
    ("coverage (half-width)", _held, 0),
    ("coverage of the percentiles alone, and of sessions without hosts", _less, 0),
    ("any host named though none is odd, and the odd one named", _named, apart.LEAST),
)


def _lines(fleet: Fleet, trials: int) -> list[str]:
    """Of each table."""
    every = {hosts: covered(fleet, hosts, trials) for hosts in HOSTS}
    return [
        f"| {fleet.name} | {' | '.join(say(one) for n, one in every.items() if n >= least)} |"
        for _, say, least in _TABLES
    ]


def tables(trials: int) -> Iterator[str]:
    """The lines of the tables, a fleet each; on all cores, in the same order every time."""
    with multiprocessing.get_context("spawn").Pool() as pool:
        waiting = [pool.apply_async(_lines, (fleet, trials)) for fleet in FLEETS]
        found = [one.get() for one in waiting]
    for (title, _, least), lines in zip(_TABLES, zip(*found, strict=True), strict=True):
        yield f"Of {', '.join(str(one) for one in HOSTS if one >= least)} hosts: {title}"
        yield from lines


def main(arguments: list[str]) -> None:
    for line in tables(int(arguments[0]) if arguments else 400):
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
