"""The group-commit model beside what was measured, and where it fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..results import CellResult, Panel, words
from ..results.work import work_of
from ..stats import Interval
from . import group_commit
from .group_commit import Parameters

# Of throughput. The model leaves out too much to be held to less.
TOLERANCE = 0.15


@dataclass(frozen=True)
class Compared:
    """One cell with a log: its overhead and commits per group, expected and measured."""

    cell: str
    label: str
    sync_us: float
    expected: float
    measured: Interval
    expected_group: float
    measured_group: float | None
    cpu_share: float | None

    @property
    def throughput_error(self) -> float:
        """Expected / measured - 1."""
        return (1 - self.expected) / (1 - (self.measured.value or 0.0)) - 1

    @property
    def fails(self) -> bool:
        """Outside the interval, and by more than the tolerance."""
        low, high = self.measured.low, self.measured.high
        inside = low is not None and high is not None and low <= self.expected <= high
        return abs(self.throughput_error) > TOLERANCE and not inside

    @property
    def sentence(self) -> str:
        error = self.throughput_error
        said = (
            f"{self.label}: the model expects {words.percent(self.expected)} % overhead, measured "
            f"{words.cost(self.measured)}: {100 * abs(error):.0f} % too "
            f"{'much' if error > 0 else 'little'} throughput"
        )
        seen = []
        if self.measured_group is not None:
            group = f"{self.expected_group:.1f} expected, {self.measured_group:.1f} seen"
            seen.append(f"groups of {group}")
        if self.cpu_share is not None:
            seen.append(f"cores {self.cpu_share:.0%} busy".replace("%", " %"))
        return f"{said} ({'; '.join(seen)})" if seen else said


@dataclass(frozen=True)
class Modelled:
    """A comparison group's. Without `parameters` there is no model, and `why_not` says why.

    `burnt` pairs the sync latencies of the cells, rising, with the CPU that a sync used there.
    """

    parameters: Parameters | None
    why_not: str
    fastest: str  # the device whose cell gave the CPU of writing the log
    burnt: tuple[tuple[float, float], ...]
    compared: tuple[Compared, ...]

    def overhead_at(self, sync_us: float) -> float | None:
        if self.parameters is None:
            return None
        return group_commit.overhead(self.parameters, sync_us, _burnt_us(self.burnt, sync_us))

    @property
    def failures(self) -> list[str]:
        """A sentence per cell that the model misses."""
        return [one.sentence for one in self.compared if one.fails]


def modelled(panel: Panel, cells: Sequence[CellResult]) -> Modelled:
    """The model for these cells, all of one group and with a log; nothing is fitted to them.

    But that the one with the fastest sync gives the CPU of writing the log.
    """
    known = {one: one.work.sync_us for one in cells if one.work.sync_us}
    if not known:
        return Modelled(None, "no cell made a sync", "", (), ())
    fastest = min(known, key=lambda one: known[one])
    off = work_of(panel.rows[fastest.at.baseline])
    given = group_commit.parameters(off, fastest.work)
    if isinstance(given, str):
        return Modelled(None, given, "", (), ())
    burnt = [(us, one.work.burnt_us_per_sync or 0.0) for one, us in known.items()]
    compared = tuple(_compared(one, us, given) for one, us in known.items())
    return Modelled(given, "", fastest.device, tuple(sorted(burnt)), compared)


def _compared(one: CellResult, sync_us: float, given: Parameters) -> Compared:
    burnt_us = one.work.burnt_us_per_sync or 0.0
    return Compared(
        cell=one.cell,
        label=f"{one.device}, sync {words.number(sync_us)} us",
        sync_us=sync_us,
        expected=group_commit.overhead(given, sync_us, burnt_us),
        measured=one.interval,
        expected_group=group_commit.expect(given, sync_us, burnt_us).group,
        measured_group=one.work.commits_per_group,
        cpu_share=one.work.cpu_share,
    )


def _burnt_us(burnt: tuple[tuple[float, float], ...], sync_us: float) -> float:
    """Between the cells linear in the latency."""
    times, spent = zip(*burnt, strict=True)
    return float(np.interp(sync_us, times, spent))
