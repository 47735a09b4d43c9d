"""What was counted on each rung, per request: evidence beside the interventions.

The time that a client waits for a request is time on a CPU, time in which a thread could run but
had no CPU, and time in which none of its threads could run: in a sync, in another group's, or
behind a lock. The scheduler counts the first two, of client and server together; the rest is the
third. Background threads count too, and so does a client running beside the server's thread that it
has just woken, so that the third is too small and can be negative: compare rungs with each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...cell import BINLOG_FREE, BOTH_FREE, WAIT, Cell
from ..results.facts import COMMITS, Sums, facts_of
from ..results.panel import THROUGHPUT, Panel
from .steps import DEVICE, WRITE, Ladder

# By step: the modes in which commits wait for a call of their group, the tap's count, and its time.
_SYNC = frozenset({"sync"}), "tap_syncs", "tap_sync_ns"
_CLOCKS = {
    WRITE: (frozenset({"flush", "sync"}), "tap_writes", "tap_write_ns"),
    **{WAIT: _SYNC, DEVICE: _SYNC, BINLOG_FREE: _SYNC},
}


@dataclass(frozen=True)
class Rung:
    """A rung, of whose slices those that the ladder compares are the `sums`."""

    rung: str
    cell: Cell
    panel: Panel

    @cached_property
    def sums(self) -> Sums:
        return Sums(self.panel.accepted(self.cell))

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        return facts_of(self.sums.slices)

    def each(self, *columns: str, scale: float = 1e6) -> float | None:
        """Return the sum of columns for each request of any kind; None: not recorded."""
        return self.sums.over(columns, "slice_requests", scale)

    @property
    def client_us(self) -> float | None:
        """The time that a client waits for it."""
        return self.each("warmup_s", "measure_s", scale=1e6 * self.cell.threads)

    @property
    def blocked_us(self) -> float | None:
        client_us, run_us = self.client_us, self.each("sched_run_s")
        wait_us = self.each("sched_wait_s")
        if client_us is None or run_us is None or wait_us is None:
            return None
        return client_us - run_us - wait_us

    @property
    def sync_us(self) -> float | None:
        """The wait of a commit; nothing if none waits, because then only closed logs are synced."""
        known: float | None = self.facts["sync_us"]
        return known if self.cell.durability == "sync" else None


def rungs(of: Ladder) -> list[Rung]:
    """Return the rungs, the lowest first."""
    return [Rung(name, cell, of.panel) for name, cell in of.rungs.items()]


def counted_us(of: Ladder) -> dict[str, float]:
    """Return the steps for which the tap has a clock, by their names, in us per request.

    That is the wait of a commit in its group's own call. It leaves out the previous group, for
    whose call a commit may have to wait as well.
    """
    counted, of_rungs = {}, rungs(of)
    for below, above, step in zip(of_rungs, of_rungs[1:], of.steps, strict=False):
        clock = _CLOCKS.get(step.name)
        # The last step of two logs is the binlog's, of which the tap has no clock.
        if clock is None or (step.name == DEVICE and of.lowest == BOTH_FREE):
            continue
        above_us, below_us = (_clock_us(rung, *clock) for rung in (above, below))
        if above_us is not None and below_us is not None:
            counted[step.name] = (above_us - below_us) * _per_counted(of, above)
    return counted


def _per_counted(of: Ladder, rung: Rung) -> float:
    """Return requests of any kind for each that throughput counts, such as New-Orders of TPC-C."""
    requests, throughput = rung.facts["requests_per_s"], of.panel.mean(rung.cell, THROUGHPUT)
    known = requests and throughput and of.unit.seconds
    return float(requests * of.unit.seconds / throughput) if known else 1.0


def _clock_us(rung: Rung, waits: frozenset[str], calls: str, ns: str) -> float | None:
    """Return a request's commits times the mean time of a call; nothing if they wait for none."""
    if rung.cell.durability not in waits:
        return 0.0
    commits, each = rung.each(*COMMITS, scale=1.0), rung.sums.over([ns], calls, 1e-3)
    return None if commits is None or each is None else commits * each
