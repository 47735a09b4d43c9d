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

from ...cell import Cell
from ..results.facts import Sums, facts_of
from ..results.panel import Panel
from .steps import Ladder


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
