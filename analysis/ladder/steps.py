"""What each step from no log to a device adds to a request, from cells that took turns.

In a closed loop a client waits `threads` / throughput for each request (Little's law). The
difference between two consecutive rungs is what the step between them adds, and the differences add
up to what the device costs. A negative one stays negative: something was faster although it did
more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from ... import engines, workloads
from ...cell import BINLOG_FREE, BOTH_FREE, ENCODE, SYNC_FREE, WAIT, WAL_FREE, Cell
from ...row import Row
from ...workload import Unit
from .. import stats
from ..results.panel import Panel, panel_of
from ..stats import NOTHING, Drawn, Floats, Interval

OFF, DELAYED, WRITE, DEVICE = "off", "delayed", "write", "device"
_ALL = "all"
FREED = (BOTH_FREE, WAL_FREE, BINLOG_FREE)
_LEADS = (SYNC_FREE, BOTH_FREE)  # a rung that only a ladder has


@dataclass(frozen=True)
class Step:
    """What the rung `name` adds to the one below it.

    `added_us` is per request of one client, `points` is of the overhead, a fraction of off's
    throughput.
    """

    name: str
    added_us: Interval = NOTHING
    points: Interval = NOTHING
    draws: Floats = field(default_factory=lambda: np.empty(0), repr=False, compare=False)
    """Draws of `added_us`, minus its value."""

    @property
    def is_resolved(self) -> bool:
        return bool(self.added_us.side(0))


@dataclass(frozen=True, eq=False)
class Ladder:
    """One device, workload and number of clients; with two logs, from neither's syncs to both's.

    `rungs` are the cells by the names of their rungs, the lowest first; `slots` are those of
    `panel` in which each rung has a slice, and everything is computed from these. `whole` are all
    steps together. `gains` are the throughputs with syncs of two logs left out, by rung, over the
    device's.
    """

    device: str
    rungs: Mapping[str, Cell]
    panel: Panel = field(repr=False)
    failures: Mapping[str, str]  # of expected cells, by rung
    slots: int = 0
    steps: tuple[Step, ...] = ()
    whole: Step = Step(_ALL)
    gains: Mapping[str, Interval] = field(default_factory=dict)

    @property
    def lowest(self) -> str:
        return next(iter(self.rungs))

    @property
    def top(self) -> Cell:
        return self.rungs[DEVICE]

    @property
    def emulated(self) -> bool:
        return bool(self.panel.rows[self.top][0]["emulated"])

    @property
    def unit(self) -> Unit:
        """The unit of throughput."""
        return workloads.UNITS[self.panel.rows[self.top][0]["throughput_unit"]]


def ladders(rows: Sequence[Row]) -> list[Ladder]:
    """Return a ladder per comparison group and device of the rows that hold rungs.

    Errors: WaltaxError where the rows of a cell were measured on different things.
    """
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        # Where the binlog is on the WAL's device, so is that of the baseline.
        key: tuple[object, ...] = (*Cell.of_row(row).group, row.get("binlog_digest") or "")
        groups.setdefault(key, []).append(row)
    climbed = []
    for key in sorted(groups):
        panel = panel_of(groups[key])
        devices = dict.fromkeys(cell.device for cell in panel.rows if cell.rung in _LEADS)
        every = [_ladder(panel, device) for device in devices]
        # The cheapest device first, as in every table; unknown ones last.
        climbed += sorted(every, key=lambda of: (not of.steps, of.whole.added_us.value or 0.0))
    return climbed


def rung_of(cell: Cell) -> str:
    """Return the name of a cell's rung."""
    named = {"off": OFF, "delayed": DELAYED, "flush": WRITE, "sync": DEVICE}
    return cell.rung or named[cell.durability]


def _ladder(panel: Panel, device: str) -> Ladder:
    mine = [cell for cell in panel.rows if cell.device in (OFF, device) and not cell.replica]
    by_name = {rung_of(cell): cell for cell in mine}
    served = (DELAYED,) if engines.of(mine[0].engine).on_server else ()
    order: tuple[str, ...] = (OFF, ENCODE, *served, WRITE, SYNC_FREE, WAIT, DEVICE)
    if BOTH_FREE in by_name:
        order = (BOTH_FREE, BINLOG_FREE, DEVICE)
    planned = {name: by_name[name] for name in order if name in by_name}
    failures = {
        name: str(next(row["failure"] for row in panel.rows[cell] if row["status"] == "failed"))
        for name, cell in by_name.items()
        if cell not in panel.slices
    }
    # A failed rung is left out, and its step becomes part of the next one.
    rungs = {name: cell for name, cell in planned.items() if cell in panel.slices}
    if order[0] not in rungs or DEVICE not in rungs:
        return Ladder(device, planned, panel, failures)
    freed = [name for name in FREED if by_name.get(name) in panel.slices]
    gains = {name: panel.ratio(by_name[name], rungs[DEVICE]) for name in freed}
    return _climbed(Ladder(device, rungs, panel, failures, gains=gains))


def _climbed(of: Ladder) -> Ladder:
    """Return the ladder with its steps, from the rounds in which every rung has a slice."""
    panel = of.panel
    values = {name: panel.values(cell) for name, cell in of.rungs.items()}
    common = np.all([np.isfinite(value) & (value > 0) for value in values.values()], axis=0)
    if not common.any():
        return of
    matched = {name: np.where(common, rates, np.nan) for name, rates in values.items()}
    client_us = 1e6 * (of.unit.seconds or math.nan) * of.top.threads
    step = partial(_step, matched, panel.by, client_us, of.lowest)
    names = list(of.rungs)
    return replace(
        of,
        slots=int(common.sum()),
        steps=tuple(map(step, names, names[1:])),
        whole=replace(step(of.lowest, DEVICE), name=_ALL),
    )


def _step(
    values: Mapping[str, Floats],
    by: stats.Resampling,
    client_us: float,
    lowest: str,
    below: str,
    above: str,
) -> Step:
    """Return a step, from throughputs by rung on one grid, whose draws belong together.

    Its draws are those of the ratio; the lower level's uncertainty only scales them.
    """
    lower, upper = values[below], values[above]
    level, share, ratio = (
        stats.draws(lower, other, by) for other in (np.ones_like(lower), values[lowest], upper)
    )
    assert level.value
    assert share.value
    assert ratio.value
    # The lowest over itself does not vary.
    shares = np.zeros_like(share.logs) if below == lowest else share.logs
    each_us = client_us / level.value
    added = each_us * (ratio.value - 1)
    points = share.value * (1 - 1 / ratio.value)
    added_draws = each_us * np.exp(-level.logs) * (ratio.value * np.exp(ratio.logs) - 1) - added
    points_draws = share.value * np.exp(shares) * (1 - np.exp(-ratio.logs) / ratio.value)
    return Step(
        above,
        Drawn(added, added_draws).difference(),
        Drawn(points, points_draws - points).difference(),
        added_draws,
    )
