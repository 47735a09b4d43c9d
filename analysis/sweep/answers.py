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

    Minus infinity means faster than any measured sync, infinity slower; bounds are None without an
    interval. `device_us` is the part that the device itself may take; the rest is a wait for a
    core. `ends` are the overheads at the ends of `range_us`.
    """

    subject: str
    overhead: float
    sync_us: float
    low: float | None
    high: float | None
    device_us: float
    range_us: tuple[float, float]
    ends: tuple[Interval, Interval]

    @property
    def resolved(self) -> bool:
        """Whether its interval leaves out some of the measured range."""
        return self.low is not None and (self.low, self.high) != (-math.inf, math.inf)

    @property
    def outside(self) -> str:
        """ "below" if even the fastest sync costs more, "above" if none does, else empty."""
        return "" if math.isfinite(self.sync_us) else "below" if self.sync_us < 0 else "above"

    @property
    def text(self) -> str:
        """Text for a table: 38.0 [30.1, 44.2]; < 0.9 and > 5,000 outside the range."""
        doubt = "" if self.resolved else "not resolved: "
        return f"{doubt}{self._us(self.sync_us)} {self.interval}"

    @property
    def interval(self) -> str:
        if self.low is None or self.high is None:
            return "(no interval)"
        return f"[{self._us(self.low)}, {self._us(self.high)}]"

    @property
    def sure(self) -> bool:
        """Whether it needs no caveat: resolved, and its whole interval on one side of the range's
        end.
        """
        return self.resolved and not self._reaches_back

    @property
    def _reaches_back(self) -> bool:
        """Whether its interval reaches into the range from outside."""
        return bool(self.outside) and self.low != self.high

    @property
    def sentence(self) -> str:
        said = f"for at most {100 * self.overhead:g} % overhead {self._said()}"
        if self._reaches_back:
            said += f"; within the error is {self.interval} us"
        return said

    def _said(self) -> str:
        if not self.outside:
            needed = f"{words.number(self.sync_us)} us {self.interval}"
            if self.device_us <= (1 - _SAID_FROM) * self.sync_us:
                needed += f", of which the device may take {words.number(self.device_us)}: cores "
                needed += "are busy"
            if self.resolved:
                return f"{self.subject} needs a sync under {needed}"
            unknown = f"it is not known how fast a sync {self.subject} needs"
            return f"{unknown}: the fit says under {needed}"
        below = self.outside == "below"
        known = "no sync is" if below else "every measured sync is"
        if not self.sure:
            known = f"it is not known whether {'any sync' if below else 'every measured sync'} is"
        cost, us = words.cost(self.ends[not below]), words.number(self.range_us[not below])
        end = f"{cost} with a sync of {us} us, the {'fastest' if below else 'slowest'} measured"
        return f"{known} fast enough for {self.subject}: the log costs {end}"

    def _us(self, value: float) -> str:
        if math.isfinite(value):
            return words.number(value)
        sign, end = ("<", 0) if value < 0 else (">", 1)
        return f"{sign} {words.number(self.range_us[end])}"
