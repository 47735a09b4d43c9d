"""A closed network of clients, cores and one log, event by event.

A client works and commits, and again. From one commit to the next it uses an exponentially
distributed CPU time, which is exact for requests that are exponential and commit each with the same
probability. The draws are those of one seed: the same arguments give the same run.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from .log import Log, Protocol
from .machine import Machine, Thread

_SEED = 20_130_822
# Commits before anything is counted, and that are counted: about 1 % of the throughput is chance.
_SETTLE, _COMMITS = 1500, 6000
_SETTLE_EACH, _COMMITS_EACH = 3, 30  # at least, of each client

_STRATA = 500  # of the times between commits

Quantiles = tuple[tuple[float, float], ...]
"""A sync's time: percents and us, both rising, linear between; constant outside."""


@dataclass(frozen=True)
class Given:
    """Clients, cores, and what a request takes of them. Times in us.

    `cpu_us` of a core and `commits` per request; `group_us` and `commit_us` of CPU for the log;
    `wake_us` to start on an idle core, and `halt_us` of CPU time more then. So many clients as
    there are `lanes` can commit at once, None for all: others wait for their locks. `eager`:
    see `Engine.eager_writers`.
    """

    clients: int
    cores: int
    cpu_us: float
    commits: float
    group_us: float = 0.0
    commit_us: float = 0.0
    wake_us: float = 0.0
    halt_us: float = 0.0
    lanes: int | None = None
    eager: bool = False


@dataclass(frozen=True)
class Sync:
    """What a sync takes: its distribution, and what of it keeps the caller's core.

    That is all of it for a share of the syncs, `through`, and `spun_us` at most for the others.
    """

    quantiles: Quantiles
    spun_us: float = 0.0
    through: float = 0.0

    @classmethod
    def constant(cls, us: float, spun_us: float = 0.0, through: float = 0.0) -> Sync:
        return cls(((50.0, us),), spun_us, through)

    @property
    def mean_us(self) -> float:
        """REQUIRES: constant."""
        ((_, us),) = self.quantiles
        return us


@dataclass(frozen=True)
class Simulated:
    """Rates and means of a simulated run; shares are of all cores' time and of the log's."""

    requests_per_s: float
    group: float
    cores_busy: float
    log_busy: float
    waited_us: float  # of a sync, by its caller
    halts_per_request: float


@cache
def simulate(given: Given, sync: Sync) -> Simulated:
    """Some thousand commits, after the run has settled."""
    settle = max(_SETTLE, _SETTLE_EACH * given.clients)
    commits = max(_COMMITS, _COMMITS_EACH * given.clients)
    machine = Machine(given.cores, given.wake_us, given.halt_us)
    draws, device, others = (random.Random(_SEED + stream) for stream in range(3))
    mean_us, times = given.cpu_us / given.commits, _exponential(draws)

    def work(thread: Thread) -> None:
        machine.hold(thread, next(times) * mean_us, log.commit)

    protocol = Protocol(
        group_us=given.group_us,
        commit_us=given.commit_us,
        spun_us=sync.spun_us,
        through=sync.through,
        lanes=given.clients if given.lanes is None else given.lanes,
        eager=given.eager,
    )
    log = Log(machine, protocol, _sampler(sync.quantiles, device), work, others)
    for client in machine.threads(given.clients):
        machine.wake(client, work)
    before = _run(machine, log, settle)
    after = _run(machine, log, settle + commits)
    now, cpu_us, halts, done, groups, busy_us, waited_us = (
        b - a for a, b in zip(before, after, strict=True)
    )
    requests = done / given.commits
    return Simulated(
        requests_per_s=1e6 * requests / now,
        group=done / groups,
        cores_busy=min(1.0, cpu_us / now / given.cores),
        log_busy=min(1.0, busy_us / now),
        waited_us=waited_us / groups,
        halts_per_request=halts / requests,
    )


def without_log(given: Given) -> float:
    """Requests per second where the cores alone are the limit."""
    return 1e6 * min(given.clients, given.cores) / given.cpu_us


def overhead(given: Given, sync: Sync) -> float:
    """Against no log at all."""
    return 1 - simulate(given, sync).requests_per_s / without_log(given)


def _run(machine: Machine, log: Log, commits: int) -> tuple[float, ...]:
    """Until so many commits are done; the clock and all counts."""
    while log.commits < commits:
        machine.step()
    counted = machine.counted
    return (
        machine.now, counted.cpu_us, counted.halts,
        log.commits, log.groups, log.busy_us, log.waited_us,
    )  # fmt: skip


def _exponential(draws: random.Random) -> Iterator[float]:
    """Of mean 1: by strata, in another order each time, so that any run has about that mean."""
    strata = [-math.log1p(-(number + 0.5) / _STRATA) for number in range(_STRATA)]
    mean = sum(strata) / _STRATA
    while True:
        for one in draws.sample(strata, _STRATA):
            yield one / mean


def _sampler(quantiles: Quantiles, draws: random.Random) -> Callable[[], float]:
    percents, times = zip(*quantiles, strict=True)

    def draw() -> float:
        percent = 100 * draws.random()
        above = bisect_left(percents, percent)
        if above == 0 or above == len(percents):
            return float(times[min(above, len(times) - 1)])
        low, high = percents[above - 1], percents[above]
        share = (percent - low) / (high - low)
        return float(times[above - 1] + share * (times[above] - times[above - 1]))

    return draw
