"""How fast a log device must be, in words that promise no more than was measured."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..results import words
from ..stats import Interval

_SAID_FROM = 0.1  # share of the latency in which callers wait for a core


@dataclass(frozen=True)
class Answer:
    """The longest sync with at most `overhead`, a fraction: `sync_us`, with its interval.

    0 means faster than any measured sync, infinity slower. `device_us` is the part that the device
    itself may take; the rest is a wait for a core. `ends` are the overheads at the ends of
    `range_us`.
    """

    subject: str
    overhead: float
    sync_us: Interval
    device_us: float
    range_us: tuple[float, float]
    ends: tuple[Interval, Interval]

    @property
    def resolved(self) -> bool:
        """Whether its interval leaves out some of the measured range."""
        low, high = self.sync_us.low, self.sync_us.high
        if low is None or high is None:
            return False
        return {self._side(low), self._side(high)} != {"below", "above"}

    @property
    def outside(self) -> str:
        """ "below" if even the fastest sync costs more, "above" if none does, else empty."""
        value = self.sync_us.value or 0.0
        return "" if 0 < value < math.inf else self._side(value)

    def _side(self, us: float) -> str:
        return "below" if us < self.range_us[0] else "above" if us > self.range_us[1] else ""

    @property
    def text(self) -> str:
        """Text for a table: 38.0 [30.1, 44.2]; < 0.9 and > 5,000 outside the range."""
        doubt = "" if self.resolved else "not resolved: "
        return f"{doubt}{self._us(self.sync_us.value or 0.0)} {self._interval}"

    @property
    def _interval(self) -> str:
        low, high = self.sync_us.low, self.sync_us.high
        if low is None or high is None:
            return "(no interval)"
        return f"[{self._us(low)}, {self._us(high)}]"

    @property
    def _reaches_back(self) -> bool:
        """Whether its interval reaches into the range from outside."""
        return bool(self.outside) and self.sync_us.low != self.sync_us.high

    @property
    def sentence(self) -> str:
        said = f"for at most {100 * self.overhead:g} % overhead {self._said()}"
        if self._reaches_back:
            said += f"; within the error is {self._interval} us"
        return said

    def _said(self) -> str:
        if not self.outside:
            value = self.sync_us.value or 0.0
            needed = f"{words.number(value)} us {self._interval}"
            if self.device_us <= (1 - _SAID_FROM) * value:
                needed += f", of which the device may take {words.number(self.device_us)}: cores "
                needed += "are busy"
            if self.resolved:
                return f"{self.subject} needs a sync under {needed}"
            unknown = f"it is not known how fast a sync {self.subject} needs"
            return f"{unknown}: the fit says under {needed}"
        below = self.outside == "below"
        known = "no sync is" if below else "every measured sync is"
        if not self.resolved or self._reaches_back:
            known = f"it is not known whether {'any sync' if below else 'every measured sync'} is"
        cost, us = words.cost(self.ends[not below]), words.number(self.range_us[not below])
        end = f"{cost} with a sync of {us} us, the {'fastest' if below else 'slowest'} measured"
        return f"{known} fast enough for {self.subject}: the log costs {end}"

    def _us(self, value: float) -> str:
        side = self._side(value)
        sign, end = ("<", 0) if side == "below" else (">", 1)
        return f"{sign} {words.number(self.range_us[end])}" if side else words.number(value)
