"""Overhead over the number of clients: the same device costs many of them less, for they share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...cell import Cell
from ...row import Row
from ..results import CellResult, Panel, of_panel, panels, words
from ..results.work import Work
from ..stats import Interval
from .curve import usable


@dataclass(frozen=True)
class ThreadPoint:
    """One device at one number of clients."""

    estimate: CellResult

    @property
    def threads(self) -> int:
        return self.estimate.threads

    @property
    def work(self) -> Work:
        return self.estimate.work

    @property
    def overhead(self) -> Interval:
        return self.estimate.interval


@dataclass(frozen=True)
class ThreadSweep:
    """One engine, workload, profile and size; each device's points with few clients first.

    Each number of clients, of `threads`, has an `off` of its own.
    """

    baseline: CellResult
    devices: Mapping[str, tuple[ThreadPoint, ...]]
    threads: tuple[int, ...]
    left_out: tuple[str, ...]

    @property
    def subject(self) -> str:
        size = f", {self.baseline.size}" if self.baseline.size else ""
        return f"{words.subject(self.baseline)}{size}"

    @property
    def sentences(self) -> list[str]:
        """Per device, from the fewest clients to the most."""
        return [_sentence(device, points) for device, points in self.devices.items()]


def thread_sweeps(rows: list[Row]) -> list[ThreadSweep]:
    """One per engine, workload, profile and size that was measured at two numbers or more."""
    groups: dict[tuple[str, ...], list[Panel]] = {}
    for panel in panels(rows):
        one = _first(panel)
        groups.setdefault((one.engine, one.workload, one.profile, one.size), []).append(panel)
    return [_sweep(groups[key]) for key in sorted(groups) if len(groups[key]) > 1]


def _first(panel: Panel) -> Cell:
    return next(iter(panel.rows))


def _sweep(members: list[Panel]) -> ThreadSweep:
    devices: dict[str, list[ThreadPoint]] = {}
    left_out = []
    members = sorted(members, key=lambda one: _first(one).threads)
    for panel in members:
        estimates = of_panel(panel)
        cells = [one for one in estimates if usable(one) and not one.is_baseline]
        known = [one for one in cells if one.overhead is not None and one.overhead < 1]
        left_out += [
            f"{one.device} with {words.clients(one.threads)}: "
            f"{words.FAILED if one.failed else 'no overhead'}"
            for one in cells
            if one not in known
        ]
        for one in known:
            devices.setdefault(one.device, []).append(ThreadPoint(one))
    ordered = sorted(devices.items(), key=lambda pair: pair[1][0].work.sync_us or 0.0)
    by_device = {device: tuple(points) for device, points in ordered}
    threads = tuple(_first(panel).threads for panel in members)
    return ThreadSweep(estimates[0], by_device, threads, tuple(left_out))


def _sentence(device: str, points: tuple[ThreadPoint, ...]) -> str:
    first, last = points[0], points[-1]
    costs = [
        f"{words.cost(one.overhead)} with {words.clients(one.threads)}" for one in (first, last)
    ]
    if len(points) == 1:
        return f"{device}: the log costs {costs[0]}"
    said = f"{device}: the log costs {costs[0]} and {costs[1]}, {_change(first, last)}"
    groups = first.work.commits_per_group, last.work.commits_per_group
    if groups[0] is None or groups[1] is None:
        return said
    return f"{said}; {groups[0]:.1f} and {groups[1]:.1f} commits share a sync"


def _change(first: ThreadPoint, last: ThreadPoint) -> str:
    """By intervals that do not overlap: those of two numbers of clients share no rounds."""
    a, b = first.overhead, last.overhead
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return "without intervals"
    if b.high < a.low:
        return "less"
    return "more" if b.low > a.high else "which cannot be told apart"
