"""Rows to overheads: 1 - throughput(cell) / throughput(baseline), matched round by round."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ..errors import WaltaxError
from ..row import Row
from . import baseline, identity, stats
from .stats import Floats, Interval, Resampling

# `metric` is a number that a user's own program printed: whatever it counts, of its time nothing
# is known.
UNIT_SECONDS = {"requests/s": 1.0, "ops/s": 1.0, "tpmC": 60.0, "metric": None}

Slot = tuple[str, int, int]  # campaign, session, round


@dataclass(frozen=True)
class CellEstimate:
    """What one cell achieved and what its WAL costs. Fractions, not percent.

    `overhead` with `low` and `high` is against `baseline`, the id of the group's off cell, or,
    for an engine without off, of its device's weakest mode; None where it cannot be known. A
    baseline itself has overhead 0 by definition. A cell with a failed slice has no result: no
    throughput and no overhead.
    """

    cell: str
    engine: str
    workload: str
    profile: str
    device: str
    durability: str
    threads: int
    replica: str
    size: str
    knob: str
    emulated: bool
    device_kind: str
    throughput_unit: str
    several_modes: bool  # whether the group's cells write their logs in more than one mode
    paced: bool | None  # whether the group's clients pause as the specification asks; or unsaid
    baseline: str | None
    throughput: float | None
    throughput_low: float | None
    throughput_high: float | None
    overhead: float | None
    low: float | None
    high: float | None
    overhead_median_of_ratios: float | None
    added_us_per_request: float | None  # that throughput counts, as one of `threads` clients waits
    added_us_per_request_whole_system: float | None  # that, divided by `threads`
    sessions: int
    rounds: int  # in which both this cell and the baseline have a slice
    rounds_unmatched: int  # slices of this cell that were left out of the overhead
    failed_slices: int
    failures: tuple[str, ...]

    @property
    def is_baseline(self) -> bool:
        return self.cell == self.baseline

    @property
    def reference(self) -> str:
        """The durability of what it is compared with."""
        return baseline.reference(self.engine)

    @property
    def has_off(self) -> bool:
        """Whether its engine runs without a log: else it is compared within its device."""
        return baseline.has_off(self.engine)

    @property
    def failed(self) -> bool:
        return self.failed_slices > 0

    @property
    def writes_wal(self) -> bool:
        return self.durability != "off"

    @property
    def shows_model(self) -> bool:
        """Whether its throughput contains a model's latencies: without a WAL it has none."""
        return self.emulated and self.writes_wal

    @property
    def half_width(self) -> float | None:
        """Of the overhead's interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    @property
    def resolvable(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


@dataclass(frozen=True)
class Panel:
    """Throughputs of one comparison group, a column per (campaign, session, round).

    `values[cell][slot]` is NaN where a cell has no accepted slice, and everywhere when the
    cell has failed.
    """

    rows: list[Row]
    values: dict[str, Floats]
    by: Resampling
    slots: dict[Slot, int]

    def column(self, cell: str, name: str) -> Floats:
        """Another column of the cell's rows; NaN where `values` is, or a row has none of it."""
        found = np.full(len(self.slots), np.nan)
        for one in self.rows:
            if one["cell"] == cell and one.get(name) is not None and _slot(one) in self.slots:
                found[self.slots[_slot(one)]] = one[name]
        return np.where(np.isfinite(self.values[cell]), found, np.nan)

    def matched(self, a: str, b: str) -> NDArray[np.bool_]:
        """The slots in which both cells have an accepted slice."""
        return np.isfinite(self.values[a]) & np.isfinite(self.values[b])


def estimate(rows: list[Row]) -> list[CellEstimate]:
    """One estimate per cell that is not a baseline, replicas of `off` included."""
    return [one for one in every_cell(rows) if not one.is_baseline]


def every_cell(rows: list[Row]) -> list[CellEstimate]:
    """Baselines too; a comparison group at a time, the cheapest device first."""
    return [one for panel in panels(rows) for one in of_panel(panel)]


def by_group(estimates: list[CellEstimate]) -> list[list[CellEstimate]]:
    """The estimates of each comparison group, in the order of `every_cell`."""

    def group(one: CellEstimate) -> tuple[str, str, str, int, str]:
        return one.engine, one.workload, one.profile, one.threads, one.size

    return [list(members) for _, members in groupby(estimates, group)]


def panels(rows: list[Row]) -> list[Panel]:
    """The comparison groups: equal engine, workload, profile, threads and size.

    Raises WaltaxError for a cell whose rows were measured on different things, and for a group
    that mixes units of throughput.
    """
    identity.require_one(rows)

    def group(one: Row) -> tuple[str, str, str, int, str]:
        size = one.get("size") or ""
        return one["engine"], one["workload"], one["profile"], one["threads"], size

    return [_panel(list(members)) for _, members in groupby(sorted(rows, key=group), group)]


def _panel(rows: list[Row]) -> Panel:
    units = {one["throughput_unit"] for one in rows}
    if len(units) > 1 or not units <= set(UNIT_SECONDS):
        raise WaltaxError(
            f"throughput_unit of {rows[0]['cell']}: found {', '.join(sorted(units))}; "
            f"a comparison has one of {', '.join(UNIT_SECONDS)}"
        )
    failed = {one["cell"] for one in rows if one["status"] == "failed"}
    accepted = [one for one in rows if one["cell"] not in failed]
    keys = sorted({_slot(one) for one in accepted or rows})  # some slot, if all have failed
    slots = {key: number for number, key in enumerate(keys)}
    sessions = {key: number for number, key in enumerate(sorted({key[:2] for key in slots}))}
    values = {one["cell"]: np.full(len(slots), np.nan) for one in rows}
    for one in accepted:
        values[one["cell"]][slots[_slot(one)]] = one["throughput"]
    by = stats.resample(np.array([sessions[key[:2]] for key in slots]))
    return Panel(rows, values, by, slots)


def _slot(one: Row) -> Slot:
    return one["campaign"], one["session"], one["round"]


def of_panel(panel: Panel) -> list[CellEstimate]:
    """One estimate per cell of the group, the baseline first, then the cheapest."""
    firsts = {one["cell"]: one for one in reversed(panel.rows)}
    baselines = baseline.of_cells(firsts)
    found = [_cell_estimate(panel, one, baselines[cell]) for cell, one in firsts.items()]
    if all(one.has_off for one in found):
        return sorted(found, key=_cheapest_first)
    # Each device with its baseline: the device that costs least first.
    dearest: dict[str, float] = {}
    for one in found:
        dearest[one.device] = max(dearest.get(one.device, 0.0), one.overhead or 0.0)
    return sorted(found, key=lambda one: (dearest[one.device], one.device, _cheapest_first(one)))


def _cheapest_first(one: CellEstimate) -> tuple[bool, bool, float, str]:
    return not one.is_baseline, one.overhead is None, one.overhead or 0.0, one.cell


def _cell_estimate(panel: Panel, named: Row, against: str | None) -> CellEstimate:
    cell = named["cell"]
    throughput = stats.mean(panel.values[cell], panel.by)
    cost = _cost(panel, named, against)
    failures = [
        one["failure"] for one in panel.rows if one["status"] == "failed" and one["cell"] == cell
    ]
    slots = np.isfinite(panel.values[cell])
    matched = slots if against is None else panel.matched(cell, against)
    return CellEstimate(
        **{name: named[name] for name in identity.COLUMNS},
        size=named.get("size") or "",
        knob=named.get("knob") or "",
        several_modes=len({one["durability"] for one in panel.rows} - {"off"}) > 1,
        paced=next((r["paced"] for r in panel.rows if r.get("paced") is not None), None),
        baseline=against,
        throughput=throughput.value,
        throughput_low=throughput.low,
        throughput_high=throughput.high,
        overhead=cost.overhead.value,
        low=cost.overhead.low,
        high=cost.overhead.high,
        overhead_median_of_ratios=cost.median_of_ratios,
        added_us_per_request=cost.added_us_per_request,
        added_us_per_request_whole_system=cost.added_us_per_request_whole_system,
        sessions=np.unique(panel.by.session[matched]).size,
        rounds=int(matched.sum()),
        rounds_unmatched=int(slots.sum() - matched.sum()),
        failed_slices=len(failures),
        failures=tuple(dict.fromkeys(failures)),
    )


@dataclass(frozen=True)
class _Cost:
    """What a cell loses against the baseline."""

    overhead: Interval
    median_of_ratios: float | None = None
    added_us_per_request: float | None = None
    added_us_per_request_whole_system: float | None = None


def _cost(panel: Panel, named: Row, against: str | None) -> _Cost:
    cell = named["cell"]
    if cell == against and np.isfinite(panel.values[cell]).any():
        return _Cost(Interval(0.0, 0.0, 0.0), 0.0, 0.0, 0.0)
    matched = panel.matched(cell, against) if against else np.array([False])
    if against is None or not panel.values[against][matched].any():  # it may have done nothing
        return _Cost(Interval(None, None, None))
    with_wal, without = panel.values[cell][matched], panel.values[against][matched]
    ratio = stats.ratio_of_means(panel.values[cell], panel.values[against], panel.by)
    median = 1 - float(np.median(with_wal[without > 0] / without[without > 0]))
    unit_s = UNIT_SECONDS[named["throughput_unit"]]
    if not with_wal.any() or unit_s is None:
        return _Cost(ratio.complement(), median)
    # Little's law in a closed loop: each of `threads` clients waits threads / throughput.
    unit_us = 1e6 * unit_s
    added = unit_us * float(1 / with_wal.mean() - 1 / without.mean())
    return _Cost(ratio.complement(), median, added * named["threads"], added)
