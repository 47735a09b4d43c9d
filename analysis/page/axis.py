"""Scales of charts: where a value lies, in percent of the chart's length, and the ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Tick:
    """`at` is in percent of the length."""

    at: float
    text: str


@dataclass(frozen=True)
class Axis:
    """From `low` to `high`, on a logarithmic scale if it `is_log`."""

    low: float
    high: float
    ticks: tuple[Tick, ...]
    is_log: bool = False

    def at(self, value: float) -> float:
        """Return the place in percent of the length; values outside lie at the end."""
        low, high, place = self.low, self.high, value
        if self.is_log:
            low, high, place = math.log10(low), math.log10(high), math.log10(max(value, low))
        share = (place - low) / (high - low)
        return round(100 * min(max(share, 0.0), 1.0), 2)

    def down(self, value: float) -> float:
        """Return the same from above, as a chart's heights are measured."""
        return round(100 - self.at(value), 2)

    def marked(self, values: Iterable[float]) -> Axis:
        """Return the same axis with a tick at each of these values."""
        return replace(self, ticks=tuple(Tick(self.at(value), _text(value)) for value in values))


def linear(low: float, high: float, count: int = 4) -> Axis:
    """Return an axis around `low` and `high` with about `count` whole steps."""
    span = (high - low) or abs(high) or 1.0
    power = 10.0 ** math.floor(math.log10(span / count))
    step = next(power * factor for factor in _STEPS if power * factor >= 0.999 * span / count)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    last = max(last, first + 1)
    values = [place * step for place in range(first, last + 1)]
    return Axis(values[0], values[-1], ()).marked(values)


def up_to(high: float, count: int) -> Axis:
    """Return an axis from 0 to `high`, which may lie between two steps."""
    wide = linear(0.0, high, count)
    values = (tick.at * wide.high / 100 for tick in wide.ticks)
    axis = Axis(0.0, high, ())
    shown = [(tick, value) for tick, value in zip(wide.ticks, values, strict=True) if value <= high]
    return replace(axis, ticks=tuple(Tick(axis.at(value), tick.text) for tick, value in shown))


def powers(values: Iterable[float]) -> Axis:
    """Return an axis of powers of ten around the positive values."""
    known = [value for value in values if value > 0] or [1.0, 10.0]
    first, last = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    marks = [10.0**power for power in range(first, max(last, first + 1) + 1)]
    return Axis(marks[0], marks[-1], (), is_log=True).marked(marks)


def _text(value: float) -> str:
    return "0" if abs(value) < 1e-12 else f"{value:,.6g}".replace("-", "\N{MINUS SIGN}")
