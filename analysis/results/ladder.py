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

import numpy as np

from ... import engines, workloads
from ...axes import PAIRED
from ...cell import BINLOG_FREE, BOTH_FREE, ENCODE, SYNC_FREE, WAIT, WAL_FREE, Cell
from ...row import Row
from ...workload import Unit
from .. import stats
from ..numerals import measured, times
from ..stats import NOTHING, Drawn, Floats, Interval
from . import words
from .panel import Panel, panel_of

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
    # A failed rung is left out, and its step becomes part of the next one.
    rungs = {name: cell for name, cell in planned.items() if cell in panel.slices}
    if order[0] not in rungs or DEVICE not in rungs:
        return Ladder(device, planned, panel)
    freed = [name for name in FREED if by_name.get(name) in panel.slices]
    gains = {name: panel.ratio(by_name[name], rungs[DEVICE]) for name in freed}
    return _climbed(Ladder(device, rungs, panel, gains=gains))


def _climbed(of: Ladder) -> Ladder:
    """Return the ladder with its steps, from the rounds in which every rung has a slice.

    The draws of a step are those of the ratio; the lower level's uncertainty only scales them.
    """
    panel = of.panel
    values = {name: panel.values(cell) for name, cell in of.rungs.items()}
    common = np.all([np.isfinite(value) & (value > 0) for value in values.values()], axis=0)
    if not common.any():
        return of
    client_us = 1e6 * (of.unit.seconds or math.nan) * of.top.threads

    def draws(rung: str, over: str = "") -> tuple[float, Floats]:
        bottom = values[over] if over else np.ones(common.size)
        drawn = stats.draws(np.where(common, values[rung], np.nan), bottom, panel.by)
        assert drawn.value
        # A rung over itself does not vary.
        return drawn.value, np.zeros_like(drawn.logs) if rung == over else drawn.logs

    def step(below: str, above: str) -> Step:
        (level, levels), (share, shares) = draws(below), draws(below, of.lowest)
        ratio, ratios = draws(below, above)
        added, points = client_us / level * (ratio - 1), share * (1 - 1 / ratio)
        added_draws = client_us / level * np.exp(-levels) * (ratio * np.exp(ratios) - 1) - added
        points_draws = share * np.exp(shares) * (1 - np.exp(-ratios) / ratio) - points
        intervals = Drawn(added, added_draws).difference(), Drawn(points, points_draws).difference()
        return Step(above, *intervals, added_draws)

    names = list(of.rungs)
    return replace(
        of,
        slots=int(common.sum()),
        steps=tuple(map(step, names, names[1:])),
        whole=replace(step(of.lowest, DEVICE), name=_ALL),
    )


def title(ladder: Ladder) -> str:
    """Return e.g. LinkBench on RocksDB, profile quick, 4 clients: from off to nvme (emulated)."""
    return f"{subject(ladder)}: from {ladder.lowest} to {device(ladder)}"


def subject(ladder: Ladder) -> str:
    top = ladder.top
    of = f"{workloads.of(top.workload).title} on {engines.of(top.engine).title}"
    values = "".join(f", {value}" for value in between(ladder))
    return f"{of}{values}, profile {top.profile}, {words.clients(top.threads)}"


def between(ladder: Ladder) -> list[str]:
    """Return e.g. ["build new"]: by what it differs from other ladders to the same device."""
    return [f"{name} {value}" for name in PAIRED if (value := ladder.top.axes[name])]


def device(ladder: Ladder) -> str:
    return f"{ladder.device} (emulated)" if ladder.emulated else ladder.device


def us(value: Interval) -> str:
    """Return e.g. 12.3 [10.1, 14.2]."""
    return f"{measured(value)}{'' if value.is_known else ' (no interval)'}"


def verdict(ladder: Ladder) -> str:
    """Say which step costs most, or that none can be told from the next."""
    if not ladder.steps:
        lacking = [name for name, cell in ladder.rungs.items() if cell not in ladder.panel.slices]
        failed = ", ".join(lacking) or "a rung"
        return f"{title(ladder)}: no step is known, since {failed} has no result"
    dearest = max(ladder.steps, key=lambda step: step.added_us.value or 0.0)
    a = "an" if ladder.unit.request[0] in "aeiou" else "a"
    total = f"of {us(ladder.whole.added_us)} us added to {a} {ladder.unit.request}"
    if not dearest.is_resolved or (dearest.added_us.value or 0.0) <= 0:
        return f"{title(ladder)}: no step can be told from nothing, {total}"
    rivals = [step for step in ladder.steps if step is not dearest and not _is_less(step, dearest)]
    said = f"{dearest.name} ({us(dearest.added_us)} us)"
    if not rivals:
        return f"{title(ladder)}: {said} costs most, {total}"
    others = ", ".join(f"{step.name} ({us(step.added_us)})" for step in rivals)
    return f"{title(ladder)}: {said} comes first, but cannot be told from {others}; {total}"


def _is_less(step: Step, than: Step) -> bool:
    """Compare two steps by their draws, which belong together."""
    if step.added_us.value is None or than.added_us.value is None:
        return False
    less = Drawn(than.added_us.value - step.added_us.value, than.draws - step.draws)
    return less.difference().side(0) == 1


def one_sync_less(ladders: Sequence[Ladder]) -> str:
    """Say what throughput gains without the binlog's sync, over devices of one subject, and whether
    a factor of 2 or of 4 follows; empty without rungs of two logs.
    """
    gains = {of: of.gains[BINLOG_FREE] for of in ladders if BINLOG_FREE in of.gains}
    ends = sorted(gains, key=lambda of: gains[of].value or 0.0)
    if not ends:
        return ""
    named = {device(of): gains[of] for of in ends}
    each = [f"{times(gains[of])} ({device(of)})" for of in dict.fromkeys([ends[0], ends[-1]])]
    kinds = sorted({str(of.panel.rows[of.top][0]["device_kind"]) for of in ends})
    return (
        f"{subject(ends[0])}: one sync less a commit, the binlog's, gives {' to '.join(each)} "
        f"times the throughput over {len(ends)} {'device' if len(ends) == 1 else 'devices'} (kind "
        f"{', '.join(kinds)}); {'; '.join(_follows(named, factor) for factor in (2, 4))}"
    )


def _follows(gains: Mapping[str, Interval], factor: int) -> str:
    """Say on which devices the gain is as large as the factor, by its interval."""
    yes = [name for name, gain in gains.items() if gain.low is not None and gain.low >= factor]
    no = [name for name, gain in gains.items() if gain.high is not None and gain.high < factor]
    if len(no) == len(gains):
        return f"a factor of {factor} follows on none"
    open_ = [name for name in gains if name not in {*yes, *no}]
    said = f"a factor of {factor} follows on {', '.join(yes) or 'none'}"
    return f"{said}, and cannot be told on {', '.join(open_)}" if open_ else said
