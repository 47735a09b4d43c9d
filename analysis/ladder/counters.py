"""What was counted on each rung, per request: evidence beside the interventions.

The time that a client waits for a request is time on a CPU, time in which a thread could run but
had no CPU, and time in which none of its threads could run: in a sync, in another group's, or
behind a lock. The scheduler counts the first two, of client and server together; the rest is the
third. Background threads count too, and so does a client running beside the server's thread that it
has just woken, so that the third is too small and can be negative: compare rungs with each other.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...cell import BINLOG_FREE, BOTH_FREE, WAIT, Cell
from ..results.panel import THROUGHPUT
from ..results.sums import COMMITS, Sums, Work, work_of
from .steps import DEVICE, WRITE, Ladder, Step

# By step: the modes in which commits wait for a call of their group, the tap's count, and its time.
_SYNC = frozenset({"sync"}), "tap_syncs", "tap_sync_ns"
_CLOCKS = {
    WRITE: (frozenset({"flush", "sync"}), "tap_writes", "tap_write_ns"),
    **{WAIT: _SYNC, DEVICE: _SYNC, BINLOG_FREE: _SYNC},
}


@dataclass(frozen=True)
class Counted:
    """One rung, per request of any kind. None: not recorded."""

    rung: str
    client_us: float | None  # that a client waits for it
    run_us: float | None
    wait_us: float | None
    switches: float | None
    ipis: float | None
    halts: float | None
    cpu_us: float | None
    synced: bool  # whether commits wait for a sync
    work: Work

    @property
    def blocked_us(self) -> float | None:
        if self.client_us is None or self.run_us is None or self.wait_us is None:
            return None
        return self.client_us - self.run_us - self.wait_us

    @property
    def sync_us(self) -> float | None:
        """The wait of a commit; nothing if none waits, because then only closed logs are synced."""
        return self.work.sync_us if self.synced else None


@dataclass(frozen=True)
class Compared:
    """A step by the tap's clocks: the wait of a commit in its group's own call, per request.

    It leaves out the previous group, for whose call a commit may have to wait as well.
    """

    step: Step
    counted_us: float
    agree: bool


def counted(of: Ladder) -> list[Counted]:
    """Return the counts of each rung, the lowest first."""
    return [_counted(of, name) for name in of.rungs]


def compared(of: Ladder) -> list[Compared]:
    """Return the steps for which the tap has a clock.

    A step agrees if its interval holds the counted time, plus or minus a tenth of it.
    """
    steps = []
    for below, step in zip(of.names, of.steps, strict=False):
        low, high, clock = step.added_us.low, step.added_us.high, _CLOCKS.get(step.name)
        # The last step of two logs is the binlog's, of which the tap has no clock.
        is_binlog = step.name == DEVICE and of.lowest == BOTH_FREE
        if clock is None or is_binlog or low is None or high is None:
            continue
        above_us, below_us = (_clock_us(of, name, *clock) for name in (step.name, below))
        if above_us is None or below_us is None:
            continue
        # Throughput may count only some requests: New-Orders of TPC-C.
        us = (above_us - below_us) * _per_counted(of, step.name)
        error = 0.1 * abs(us)
        steps.append(Compared(step, us, low - error <= us <= high + error))
    return steps


def _sums(of: Ladder, cell: Cell) -> Sums:
    return Sums(of.panel.accepted(cell))


def _accepted(of: Ladder, cell: Cell) -> Sums:
    """Return all accepted slices, including those left out of the comparison."""
    return Sums([row for row in of.panel.rows[cell] if row["status"] == "ok"])


def _counted(of: Ladder, name: str) -> Counted:
    cell = of.rungs[name]
    sums, work = _sums(of, cell), work_of(_accepted(of, cell))

    def each(column: str, scale: float = 1.0) -> float | None:
        return sums.over([column], "slice_requests", scale)

    return Counted(
        rung=name,
        client_us=sums.over(["warmup_s", "measure_s"], "slice_requests", 1e6 * cell.threads),
        run_us=each("sched_run_s", 1e6),
        wait_us=each("sched_wait_s", 1e6),
        switches=each("sched_switches_voluntary"),
        ipis=each("machine_rescheduling_ipis"),
        halts=each("machine_idle_entries"),
        cpu_us=work.cpu_us_per_request,
        synced=cell.durability == "sync",
        work=work,
    )


def _per_counted(of: Ladder, name: str) -> float:
    """Return requests of any kind for each that throughput counts."""
    cell = of.rungs[name]
    requests = work_of(_accepted(of, cell)).requests_per_s
    throughput = of.panel.mean(cell, THROUGHPUT)
    if not requests or not throughput:
        return 1.0
    return requests * of.unit_us / 1e6 / throughput


def _clock_us(of: Ladder, name: str, waits: frozenset[str], calls: str, ns: str) -> float | None:
    """Return a request's commits times the mean time of a call; nothing if they wait for none."""
    if of.rungs[name].durability not in waits:
        return 0.0
    sums = _sums(of, of.rungs[name])
    commits, each = sums.over(COMMITS, "slice_requests"), sums.over([ns], calls, 1e-3)
    return None if commits is None or each is None else commits * each
