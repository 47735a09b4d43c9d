"""What a campaign tells the simulation: three of its cells, and no throughput of any with a log.

off      commits per request, and the time that one takes of a core: cores over throughput. What
         idles there, or serves other programs, does so with a log, too. CPU time alone, tried on
         the same cells, was off by more.
fastest  CPU of writing the log: `group_us` is the time of its write calls, `commit_us` the rest of
         what the cell used more CPU than off, per commit
slowest  what only shows where clients wait for the log most of the time: how many commit at once
         (the groups that form), how long a thread waits to run after a wake-up, how much of a
         sync that sleeps keeps its core, and what CPU a halt costs (what the cell used more, over
         the machine's halts)
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...results.work import Work
from .network import Given, Sync, simulate

WAKE_US = 25.0
"""A wake-up across idle CPUs of a small virtual machine, where rows do not say: docs/method.md."""
_MOST_WAKE_US = 60.0  # what is longer was no wake-up, but a wait for a busy CPU
_FEW_GROUPS = 0.9  # of the groups that would form: fewer commit at once than there are clients


@dataclass(frozen=True)
class Fed:
    """`slept_us` is the CPU time of a sync whose caller sleeps.

    `commit_bytes` is what one commit appends to the log; None where rows do not say.
    """

    given: Given
    slept_us: float
    commit_bytes: float | None

    def sync(self, work: Work) -> Sync:
        """What is known of a cell's device."""
        return _sync(work, self.slept_us)


def feed(off: Work, fastest: Work, slowest: Work, *, eager: bool) -> Fed | str:
    """Or why there is no simulation.

    An engine without `off` gives its weakest mode for it: then the cost of having a log is in D.
    """
    if off.paced:
        return "its clients pause, which the model does not know"
    if not (off.commits_per_request and off.requests_per_s and off.cores):
        return "the rows lack the engine's count of commits, or the machine's cores"
    group_us = fastest.write_us_per_sync or 0.0
    given = Given(
        clients=off.threads,
        cores=off.cores,
        cpu_us=1e6 * min(off.threads, off.cores) / off.requests_per_s,
        commits=off.commits_per_request,
        group_us=group_us,
        commit_us=_commit_us(off, fastest, group_us),
        wake_us=_wake_us(slowest),
        eager=eager,
    )
    slept_us = slowest.burnt_us_per_sync or 0.0
    sync = _sync(slowest, slept_us)
    given = replace(given, lanes=_lanes(given, sync, slowest.commits_per_group))
    given = replace(given, halt_us=_halt_us(given, sync, off, slowest))
    return Fed(given, slept_us, _commit_bytes(slowest))


def device_us(work: Work) -> float:
    """A cell's mean sync: the device's own time where it is known, else what callers waited."""
    return work.model_sync_us or work.sync_us or 0.0


def _sync(work: Work, slept_us: float) -> Sync:
    """The time of the device, and the CPU time of its callers.

    What that is more than `slept_us` are syncs that were spun through, too short to sleep in.
    """
    us, cpu_us = device_us(work), work.burnt_us_per_sync or 0.0
    through = (cpu_us - slept_us) / (us - slept_us) if us > slept_us else 1.0
    return Sync.constant(us, min(slept_us, cpu_us), min(max(through, 0.0), 1.0))


def _commit_bytes(cell: Work) -> float | None:
    if cell.bytes_per_sync is None or not cell.commits_per_group:
        return None
    return cell.bytes_per_sync / cell.commits_per_group


def _commit_us(off: Work, fastest: Work, group_us: float) -> float:
    """CPU of a commit that is in neither the write call nor the sync; 0 where unknown."""
    more = _more_us(off, fastest, group_us)
    return 0.0 if more is None else max(0.0, more / (off.commits_per_request or 1.0))


def _more_us(off: Work, cell: Work, group_us: float) -> float | None:
    """CPU per request beyond off's, write calls and syncs."""
    cpu = cell.cpu_us_per_request, off.cpu_us_per_request
    if cpu[0] is None or cpu[1] is None or not cell.syncs_per_request:
        return None
    per_sync = group_us + (cell.burnt_us_per_sync or 0.0)
    return cpu[0] - cpu[1] - per_sync * cell.syncs_per_request


def _wake_us(slowest: Work) -> float:
    """Cores are idle there most of the time, so that who is runnable waits for a wake-up."""
    measured = slowest.wait_us_per_wakeup
    return WAKE_US if measured is None else min(measured, _MOST_WAKE_US)


def _lanes(given: Given, sync: Sync, measured: float | None) -> int | None:
    """How many commit at once, if fewer than there are clients; by the size of groups."""
    if measured is None or measured > _FEW_GROUPS * simulate(given, sync).group:
        return None
    low, high = 1, given.clients
    while low < high:
        middle = (low + high) // 2
        if simulate(replace(given, lanes=middle), sync).group < measured:
            low = middle + 1
        else:
            high = middle
    return low


def _halt_us(given: Given, sync: Sync, off: Work, slowest: Work) -> float:
    """What the cell used more CPU, over the machine's halts.

    Over those simulated where rows have fewer: beside other programs a machine hardly halts.
    """
    more = _more_us(off, slowest, given.group_us)
    halts = max(slowest.halts_per_request or 0.0, simulate(given, sync).halts_per_request)
    if more is None or not halts:
        return 0.0
    return max(0.0, (more - given.commits * given.commit_us) / halts)
