"""What the curve says of a device, and what the device itself said in the same campaign.

The curve is fitted to the grid's devices only, so that any other device is a test of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...base.errors import UsageError
from ...cell import is_point
from ...row import Row
from ..results import CellResult, of_panel, panels, words
from ..stats import NOTHING, Interval
from .curve import Curve, bounds, usable

_SAYS_LITTLE = 0.05  # half-width of a difference
_SAME_SYNC = 0.1  # relative
_STRAIGHT = 0.01  # what lines between the points of a bent curve add: docs/method.md


@dataclass(frozen=True)
class Prediction:
    """What is read off for one device.

    `difference` is predicted - measured, in fractions, paired draw by draw. Outside the curve's
    range `predicted` is nothing and `bound` the overhead at the nearest end: it is at least that
    above the range, at most that below.
    """

    device: str
    sync_us: float | None  # the device's own; None of a directory, which has no model
    waited_us: float  # as its callers would wait, or did: its place on the curve
    outside: str  # "below" or "above" the curve's range; empty inside
    predicted: Interval
    bound: Interval
    measured: Interval | None  # None: not a cell of the campaign, or without a result
    measured_sync_us: float | None  # what its own cell's syncs achieved
    difference: Interval | None

    @property
    def agrees(self) -> bool | None:
        """Whether the difference's interval covers zero; None when it cannot be known."""
        return None if self.too_wide or self._side is None else self._side == 0

    @property
    def too_wide(self) -> bool:
        """Whether it covers zero, but is known to no better than five points either way."""
        half_width = None if self.difference is None else self.difference.half_width
        return self._side == 0 and half_width is not None and half_width > _SAYS_LITTLE

    @property
    def _side(self) -> int | None:
        """On which side of zero the difference is."""
        return None if self.difference is None else self.difference.side(0)

    @property
    def sentence(self) -> str:
        predicted = f"predicted {words.cost(self.predicted)}"
        if self.outside:
            below = self.outside == "below"
            side, bound = ("faster", "at most") if below else ("slower", "at least")
            predicted = f"outside the curve, {side} than any wait measured: {bound} "
            predicted += words.cost(self.bound)
        said = f"{self.device}, {self._place()}: {predicted}"
        if self.measured is None:
            return f"{said}; not measured itself"
        said += f"; measured {words.cost(self.measured)}"
        if self.difference is None:
            return said
        points = words.percent(self.difference.value)
        apart = f"{points} points {words.bounds(self.difference.low, self.difference.high)} apart"
        return f"{said}; {apart}: {self._verdict()}"

    def _place(self) -> str:
        """Beside its own time what its callers wait, where that is what is judged."""
        waited = f"{words.number(self.waited_us)} us"
        if self.sync_us is None:
            return f"waits of {waited}"
        own = f"{words.number(self.sync_us)} us"
        if not self.outside or own == waited:
            return f"sync {own}"
        return f"sync {own}, for which callers wait {waited}"

    def _verdict(self) -> str:
        """An interval that covers everything covers zero; a device is not its label."""
        if self.too_wide:
            return "too wide an interval to tell"
        if self.agrees is None or self.difference is None:
            return "no interval"
        if self.agrees:
            return "agree"
        if abs(self.difference.value or 0.0) <= _STRAIGHT:
            return "differ, but by less than a straight line between two points may be off"
        own = self.measured_sync_us
        if own is None or abs(own / self.waited_us - 1) < _SAME_SYNC:
            return "DISAGREE"
        waited = f"{words.number(own)} us, not {words.number(self.waited_us)}"
        return f"DISAGREE (its own callers waited {waited})"


@dataclass(frozen=True)
class Marked:
    """A curve, and the devices that are read off it."""

    curve: Curve
    marks: Sequence[Prediction]


def predictions(rows: list[Row], curve: Curve, devices: Mapping[str, float]) -> list[Prediction]:
    """One per device and its mean sync in us, at the bytes per sync that it would see.

    `rows` are those of the curve, or hold them. Errors: UsageError for a time that is none, or
    for a device of the grid, which the curve goes through already.
    """
    for device, sync_us in devices.items():
        if not (np.isfinite(sync_us) and sync_us > 0) or is_point(device):
            raise UsageError(
                f"{device}: found {sync_us} us; a prediction wants the mean time of a sync, above "
                "0, of a device that is not one of the grid (sync-<us>us)"
            )
    direct = _direct(rows, curve)
    return [
        _prediction(curve, device, sync_us, curve.waited_us(sync_us), direct.get(device))
        for device, sync_us in devices.items()
    ]


def at_own_waits(rows: list[Row], curve: Curve, known: Collection[str]) -> list[Prediction]:
    """One per device that was measured beside the grid and is not among the `known`.

    No model says how long the syncs of a directory take. Its place on the curve is what its own
    callers waited on average.
    """
    marks = []
    for device, one in _direct(rows, curve).items():
        waited_us = one.work.sync_us
        if device not in known and not is_point(device) and _has_overhead(one) and waited_us:
            marks.append(_prediction(curve, device, None, waited_us, one))
    return marks


def _direct(rows: list[Row], curve: Curve) -> dict[str, CellResult]:
    """What was measured of each device beside the curve.

    Nothing of other rounds than the curve's: only of the same ones are draws numbered alike.
    """
    group = curve.baseline.at.group
    panel = next(one for one in panels(rows) if group in {cell.group for cell in one.rows})
    if curve.panel.slots != panel.slots:
        return {}
    return {one.device: one for one in of_panel(panel) if usable(one)}


def _has_overhead(one: CellResult) -> bool:
    return one.overhead is not None and one.overhead < 1


def _prediction(
    curve: Curve, device: str, sync_us: float | None, waited_us: float, direct: CellResult | None
) -> Prediction:
    known = direct if direct and _has_overhead(direct) else None
    outside, bound = curve.outside(waited_us), curve.bound_at(waited_us)
    return Prediction(
        device=device,
        sync_us=sync_us,
        waited_us=waited_us,
        outside=outside,
        predicted=NOTHING if outside else bound,
        bound=bound,
        measured=known.interval if known else None,
        measured_sync_us=direct.work.sync_us if direct else None,
        difference=_difference(curve, waited_us, known) if known and not outside else None,
    )


def _difference(curve: Curve, sync_us: float, direct: CellResult) -> Interval:
    slowdown = curve.panel.draws(direct.at.baseline, direct.at)
    assert slowdown.value is not None  # it has an overhead
    measured = 1 - 1 / (slowdown.value * np.exp(slowdown.logs))
    value = 1 / slowdown.value - 1 / curve.fit.slowdown_at(sync_us)[0]
    low, high = bounds(value, curve.draws_at(sync_us) - measured)
    if curve.few_rounds and low is not None and high is not None:
        apart = max(high - value, value - low)
        low, high = value - apart, value + apart
    return Interval(value, low, high)
