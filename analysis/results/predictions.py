"""What the curve says about a device, and what the device itself said in the same campaign.

The curve is fitted to the grid's devices only, so any other device tests it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...device_names import is_point
from ...row import Row
from ..stats import NOTHING, Interval
from . import words
from .curve import Curve
from .facts import but_for_numbers
from .result import CellResult
from .source import origin_of

_SAYS_LITTLE = 0.05  # half-width of a difference
_STRAIGHT = 0.01  # what lines between the points of a bent curve add: docs/method.md


@dataclass(frozen=True)
class Prediction:
    """What the curve says about one device.

    Outside the curve's range `predicted` is unknown, and `bound` is the overhead at the nearest
    end: a lower bound above the range, an upper bound below it. `difference` is predicted -
    measured, in fractions, paired draw by draw.
    """

    curve: Curve
    device: str
    sync_us: float | None  # the device's own; None for a directory, which has no model
    waited_us: float  # what its callers wait, or did: its place on the curve

    @property
    def outside(self) -> str:
        """The side of the curve's range, "below" or "above"; empty inside."""
        return self.curve.outside(self.waited_us)

    @cached_property
    def bound(self) -> Interval:
        return self.curve.bound_at(self.waited_us)

    @property
    def predicted(self) -> Interval:
        return NOTHING if self.outside else self.bound

    @property
    def own(self) -> CellResult | None:
        """The result of its cell in the campaign, if it has one."""
        return self.curve.beside.get(self.device)

    @cached_property
    def difference(self) -> Interval | None:
        if self.own is None or self.measured is None or self.outside:
            return None
        return self.curve.apart(self.waited_us, self.own)

    @property
    def measured(self) -> Interval | None:
        """The overhead of its own cell."""
        return self.own.interval if self.own and self.own.costs_less_than_all else None

    @property
    def measured_sync_us(self) -> float | None:
        """What its own cell's syncs achieved."""
        return self.own.facts["sync_us"] if self.own else None

    @property
    def agrees(self) -> bool | None:
        """Whether the difference's interval covers zero; None if unknown."""
        return None if self.too_wide or self._side is None else self._side == 0

    @property
    def too_wide(self) -> bool:
        """Whether it covers zero, but is no more precise than five points either way."""
        half_width = None if self.difference is None else self.difference.half_width
        return self._side == 0 and half_width is not None and half_width > _SAYS_LITTLE

    @property
    def _side(self) -> int | None:
        """The side of zero on which the difference lies."""
        return None if self.difference is None else self.difference.side(0)

    @property
    def sentence(self) -> str:
        predicted = f"predicted {words.cost(self.predicted)}"
        if self.outside:
            below = self.outside == "below"
            side, bound = ("faster", "at most") if below else ("slower", "at least")
            predicted = f"outside the curve, {side} than any wait measured: {bound} "
            predicted += words.cost(self.bound)
        of, us = ("waits of", self.waited_us) if self.sync_us is None else ("sync", self.sync_us)
        said = f"{self.device}, {of} {words.number(us)} us: {predicted}"
        if self.measured is None:
            return f"{said}; not measured itself"
        said += f"; measured {words.cost(self.measured)}"
        if self.difference is None:
            return said
        points = words.percent(self.difference.value)
        apart = f"{points} points {words.bounds(self.difference.low, self.difference.high)} apart"
        return f"{said}; {apart}: {self._verdict()}"

    def _verdict(self) -> str:
        """Say whether both agree; an interval that covers everything also covers zero."""
        if self.too_wide:
            return "too wide an interval to tell"
        if self.agrees is None or self.difference is None:
            return "no interval"
        if self.agrees:
            return "agree"
        if abs(self.difference.value or 0.0) <= _STRAIGHT:
            return "differ, but by less than a straight line between two points may be off"
        return "DISAGREE"


def predictions(curve: Curve, devices: Mapping[str, float]) -> list[Prediction]:
    """Predict each device from its mean sync in us, at the bytes per sync that it would see.

    Those of the grid, through which the curve passes already, are left out.
    """
    return [
        Prediction(curve, device, sync_us, curve.waited_us(sync_us))
        for device, sync_us in devices.items()
        if not is_point(device)
    ]


def at_own_waits(curve: Curve, known: Collection[str]) -> list[Prediction]:
    """Predict each device that was measured beside the grid and is not among the `known`.

    No model says how long the syncs of a directory take. Its place on the curve is what its own
    callers waited on average.
    """
    return [
        Prediction(curve, device, None, waited_us)
        for device, result in curve.beside.items()
        if device not in known
        and result.costs_less_than_all
        and (waited_us := result.facts["sync_us"])
    ]


def doubts(rows: Sequence[Row], curve: Curve, overhead: Interval) -> list[str]:
    """Return what makes an overhead that was read off a curve worth less: its sign, missing points,
    the warnings of the curve's cells, once if they differ in numbers only, and mixed versions.
    """
    cells = [curve.baseline, *(point for point in curve.points if not point.is_baseline)]
    warned = ((result.device, text) for result in cells for text in result.warnings)
    negative = "a negative overhead: with a log more was served than without; read it as nothing"
    return [
        *([negative] if (overhead.value or 0.0) < 0 else []),
        *(f"the curve: {said}: left out of the curve" for said in curve.left_out),
        *(f"the curve: {said}" for said in words.once(warned, key=but_for_numbers)),
        *(f"the curve: {said}" for said in origin_of(rows).warnings),
    ]
