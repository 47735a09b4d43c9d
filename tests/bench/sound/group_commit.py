"""What queueing theory expects of a log that serves whoever waits.

A closed network of n clients. A request needs a core for D, one of m, and commits p times; a
commit waits for the group in service and then for its own. A group of g takes

    C(g) = S + (a + b g) f

S is the latency of a sync, a the CPU of writing a group, b of a commit in it, f >= 1 how much
longer anything on a core takes because others want it too.

*Groups.* Nobody waits to fill a group: the next leader takes whoever queued. When all clients
are in the log, a group takes those that the one before left waiting, n - g, and the leader of
that one, who is awake and back before the next has woken: g = n - g + 1, so g = (n + 1) / 2.
When fewer are, a client that arrives finds N' = N (n - 1) / n others there (Schweitzer's
approximation of the arrival theorem), N the mean number in the log, and

    g = 1 + N' / 2

which is (n + 1) / 2 when N = n, and 1 when nobody else is there.

*Waiting.* Of the group in service an arrival waits C (g - 1) / g: all of it when groups are
large, because who re-arrives at once comes as a group begins; half of it, N' C / 2, when few
are there and arrive at any time. So a commit takes R = C (2 - 1 / g). With N = n this is
X p = g / C, the log never idle; with n = 1, R = C.

*Cores.* Each of the other n - 1 clients wants a core with probability q = Q / n, Q the mean
number that do, so that f is the mean of max(1, (1 + B) / m) over B ~ Binomial(n - 1, q). It is
max(1, n / m) when all want one: X = min(n, m) / D. A sync whose caller keeps the core, as the
emulated short ones do, takes u of it per group, within S.

Little's law closes it: X = n / (D f + p R), N = X p R, Q = X (D f + p ((a + b g) f + u) / g). The
three are iterated, damped, until they rest.

Of wake-ups and of how cores are shared the formula knows nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln  # scipy.stats.binom takes a second to import

_DAMPING = 0.5
_STEPS = 2000


@dataclass(frozen=True)
class Given:
    """Clients, cores, and what a request takes of them. Times in us.

    `cpu_us` of a core and `commits` per request; `group_us` and `commit_us` of CPU for the log.
    """

    clients: int
    cores: int
    cpu_us: float
    commits: float
    group_us: float = 0.0
    commit_us: float = 0.0


@dataclass(frozen=True)
class Expected:
    """`requests_per_s`, commits in a group, share of the time in which the log is busy."""

    requests_per_s: float
    group: float
    log_busy: float


def expect(given: Given, sync_us: float, burnt_us: float = 0.0) -> Expected:
    """The network at rest, with a sync of `sync_us` of which `burnt_us` keep a core."""
    n, p = given.clients, given.commits
    burnt_us = min(burnt_us, sync_us)
    in_log, on_cpu, rate, group = 0.0, float(n), 0.0, 1.0
    for _ in range(_STEPS):
        slower = _slowdown(n, given.cores, on_cpu / n)
        group = 1 + in_log * (n - 1) / n / 2
        leader_us = (given.group_us + given.commit_us * group) * slower
        commit_us = (sync_us + leader_us) * (2 - 1 / group)
        rate = n / (given.cpu_us * slower + p * commit_us)  # per us
        on_core_us = given.cpu_us * slower + p * (leader_us + burnt_us) / group
        targets = rate * p * commit_us, min(float(n), rate * on_core_us)
        moves = targets[0] - in_log, targets[1] - on_cpu
        in_log, on_cpu = in_log + _DAMPING * moves[0], on_cpu + _DAMPING * moves[1]
        if max(map(abs, moves)) < 1e-9 * n:
            break
    cycle_us = sync_us + (given.group_us + given.commit_us * group) * slower
    return Expected(1e6 * rate, group, rate * p / group * cycle_us)


def overhead(given: Given, sync_us: float, burnt_us: float = 0.0) -> float:
    """Against no log at all."""
    without_log = 1e6 * min(given.clients, given.cores) / given.cpu_us
    return 1 - expect(given, sync_us, burnt_us).requests_per_s / without_log


def _slowdown(clients: int, cores: int, wants_core: float) -> float:
    """The mean of max(1, (1 + B) / cores), B ~ Binomial(clients - 1, wants_core)."""
    others = np.arange(clients)
    q = min(max(wants_core, 1e-12), 1 - 1e-12)
    ways = gammaln(clients) - gammaln(others + 1) - gammaln(clients - others)
    logs = ways + others * np.log(q) + (clients - 1 - others) * np.log1p(-q)
    return float(np.exp(logs) @ np.maximum(1.0, (1 + others) / cores))
