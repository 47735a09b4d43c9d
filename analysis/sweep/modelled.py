"""The simulation beside what was measured, and where it fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ... import engines
from ...row import Row
from ..results import CellResult, Panel, of_panel, panels, words
from ..results.work import work_of
from ..stats import Floats, Interval
from . import simulation
from .curve import usable
from .simulation import Fed, Given, Sync

# Of throughput. The model leaves out too much to be held to less.
TOLERANCE = 0.15
_PER_DECADE = 5  # points of the dashed line that are simulated; it is straight between them


@dataclass(frozen=True)
class Compared:
    """One cell with a log: its overhead and commits per group, expected and measured.

    `held_out`: the simulation was fed nothing of this cell but what its syncs take.
    """

    cell: str
    label: str
    sync_us: float
    held_out: bool
    expected: float
    measured: Interval
    expected_group: float
    measured_group: float | None
    expected_cpu_share: float
    cpu_share: float | None

    @property
    def throughput_error(self) -> float:
        """Expected / measured - 1."""
        return (1 - self.expected) / (1 - (self.measured.value or 0.0)) - 1

    @property
    def within(self) -> bool:
        """Whether what was measured leaves it open that the simulation is right."""
        low, high = self.measured.low, self.measured.high
        return low is not None and high is not None and low <= self.expected <= high

    @property
    def half_width(self) -> float | None:
        """Of the interval, as a part of the throughput: an error below it shows nothing."""
        low, value, high = self.measured.low, self.measured.value, self.measured.high
        if low is None or value is None or high is None:
            return None
        return (high - low) / 2 / (1 - value)

    @property
    def fails(self) -> bool:
        """Outside the interval, and by more than the tolerance."""
        return abs(self.throughput_error) > TOLERANCE and not self.within

    @property
    def sentence(self) -> str:
        error = self.throughput_error
        said = (
            f"{self.label}: the simulation expects {words.percent(self.expected)} % overhead, "
            f"measured {words.cost(self.measured)}: {100 * abs(error):.0f} % too "
            f"{'much' if error > 0 else 'little'} throughput"
        )
        seen = []
        if self.measured_group is not None:
            group = f"{self.expected_group:.1f} expected, {self.measured_group:.1f} seen"
            seen.append(f"groups of {group}")
        if self.cpu_share is not None:
            busy = f"{100 * self.expected_cpu_share:.0f} % expected, {100 * self.cpu_share:.0f} %"
            seen.append(f"cores busy {busy} seen")
        return f"{said} ({'; '.join(seen)})" if seen else said


@dataclass(frozen=True)
class Tested:
    """How far the simulation was off on the cells that it was not fed by, of throughput."""

    mean: float
    most: float
    cells: int

    @property
    def sentence(self) -> str:
        cells = "1 cell" if self.cells == 1 else f"{self.cells} cells"
        return (
            f"on {cells} that it was not fed by, its throughput is off by "
            f"{100 * self.mean:.0f} % in the mean and {100 * self.most:.0f} % at most"
        )


@dataclass(frozen=True)
class Modelled:
    """A comparison group's. Without `fed` there is no model, and `why_not` says why."""

    fed: Fed | None
    why_not: str
    fastest: str  # the device whose cell gave the CPU of writing the log
    slowest: str  # whose cell gave the CPU of a halt, and the wake-ups
    syncs: tuple[Sync, ...]  # of the cells, the fastest first
    compared: tuple[Compared, ...]

    @property
    def given(self) -> Given | None:
        return None if self.fed is None else self.fed.given

    @property
    def range_us(self) -> tuple[float, float]:
        """The devices' times, of the fastest and the slowest cell; 0 without cells."""
        times = [one.mean_us for one in self.syncs] or [0.0]
        return times[0], times[-1]

    def overhead_at(self, waited_us: float) -> float | None:
        """Where callers wait so long for a sync, in the simulation; an end's beyond the ends."""
        if self.fed is None:
            return None
        waited, overheads = self._line
        return float(np.interp(np.log(waited_us), waited, overheads))

    @cached_property
    def _line(self) -> tuple[Floats, Floats]:
        """The logarithms of the times that callers wait, and the overheads there."""
        assert self.fed is not None
        given, (low, high) = self.fed.given, self.range_us
        steps = 2 + int(_PER_DECADE * np.log10(high / low))
        syncs = [self._between(float(us)) for us in np.geomspace(low, high, steps)]
        waited = [max(simulation.simulate(given, one).waited_us, low) for one in syncs]
        # Waits rise with the device's time but for chance, and `interp` wants them to.
        rising = np.maximum.accumulate(np.log(waited))
        return rising, np.array([simulation.overhead(given, one) for one in syncs])

    def _between(self, us: float) -> Sync:
        """A device between those measured, whose syncs are spun as theirs are."""
        own = [one.mean_us for one in self.syncs]
        spun, through = (
            float(np.interp(us, own, each))
            for each in zip(*((one.spun_us, one.through) for one in self.syncs), strict=True)
        )
        return Sync.constant(us, spun, through)

    @property
    def tested(self) -> Tested | None:
        """None where every cell fed it."""
        return tested(self.compared)

    @property
    def failures(self) -> list[str]:
        """A sentence per cell that the model misses."""
        return [one.sentence for one in self.compared if one.fails]


def tested(compared: Sequence[Compared]) -> Tested | None:
    errors = [abs(one.throughput_error) for one in compared if one.held_out]
    return Tested(sum(errors) / len(errors), max(errors), len(errors)) if errors else None


def models(rows: list[Row], engine: str, workload: str) -> list[Modelled]:
    """Of each number of clients that an engine and a workload were measured with."""
    found = []
    for panel in panels(rows):
        known = with_log(panel)
        if known and (known[0].engine, known[0].workload) == (engine, workload):
            found.append(modelled(panel, known))
    return found


def with_log(panel: Panel) -> list[CellResult]:
    """The cells that have a log, and an overhead that a simulation can be held against."""
    cells = [one for one in of_panel(panel) if usable(one) and not one.is_baseline]
    return [one for one in cells if one.overhead is not None and one.overhead < 1]


def modelled(panel: Panel, cells: Sequence[CellResult]) -> Modelled:
    """The model for these cells, all of one group and with a log.

    It is fed by their baseline, the one with the fastest sync and the one with the slowest; of
    the others it knows what a sync takes.
    """
    known = sorted((one for one in cells if one.work.sync_us), key=_device_us)
    if not known:
        return _none("no cell made a sync")
    fastest, slowest = known[0], known[-1]
    off = work_of(panel.rows[fastest.at.baseline])
    eager = engines.of(fastest.engine).eager_writers
    fed = simulation.feed(off, fastest.work, slowest.work, eager=eager)
    if isinstance(fed, str):
        return _none(fed)
    ends = (fastest, slowest)
    found = tuple(compared(one, fed, held_out=one not in ends) for one in known)
    syncs = tuple(fed.sync(one.work) for one in known)
    return Modelled(fed, "", fastest.device, slowest.device, syncs, found)


def _none(why: str) -> Modelled:
    return Modelled(None, why, "", "", (), ())


def _device_us(one: CellResult) -> float:
    return simulation.device_us(one.work)


def compared(one: CellResult, fed: Fed, *, held_out: bool) -> Compared:
    """A cell beside what the simulation expects of it, whatever fed that."""
    sync = fed.sync(one.work)
    found = simulation.simulate(fed.given, sync)
    return Compared(
        cell=one.cell,
        label=f"{one.device}, sync {words.number(sync.mean_us)} us",
        sync_us=sync.mean_us,
        held_out=held_out,
        expected=simulation.overhead(fed.given, sync),
        measured=one.interval,
        expected_group=found.group,
        measured_group=one.work.commits_per_group,
        expected_cpu_share=found.cores_busy,
        cpu_share=one.work.cpu_share,
    )
