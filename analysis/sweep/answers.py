"""How fast a log device must be, in words that do not promise more than was measured."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .. import words
from ..stats import Interval

_SAID_FROM = 0.1  # of the latency


@dataclass(frozen=True)
class Answer:
    """The longest sync with at most `overhead`, a fraction: `sync_us`, with its interval.

    Minus infinity stands for faster than any sync that was measured, infinity for slower;
    bounds are None without an interval. `device_us` is what the device itself may take of it,
    the rest being a wait for a core. `ends` are the overheads at the ends of `range_us`.
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
    def outside(self) -> str:
        """Is "below" where even the fastest sync costs more, "above" where none does."""
        return "" if math.isfinite(self.sync_us) else "below" if self.sync_us < 0 else "above"

    @property
    def text(self) -> str:
        """For a table: 38.0 [30.1, 44.2]; < 0.9 and > 5,000 for what lies outside."""
        return f"{self._us(self.sync_us)} {self.interval}"

    @property
    def interval(self) -> str:
        if self.low is None or self.high is None:
            return "(no interval)"
        return f"[{self._us(self.low)}, {self._us(self.high)}]"

    @property
    def sure(self) -> bool:
        """Whether the interval, too, lies outside the range, where the answer does."""
        return self.low == self.high if self.outside and self.low is not None else True

    @property
    def sentence(self) -> str:
        asked = f"for at most {100 * self.overhead:g} % overhead "
        if not self.outside:
            needed = f"{words.number(self.sync_us)} us {self.interval}{self._device()}"
            return f"{asked}{self.subject} needs a sync under {needed}"
        if not self.sure:
            asked += "it is not known whether "
        if self.outside == "below":
            known = "no sync is fast enough for" if self.sure else "any sync is fast enough for"
            return f"{asked}{known} {self.subject}: the log costs {self._at(0)}{self._error()}"
        known = "every measured sync is fast enough for"
        return f"{asked}{known} {self.subject}: it costs {self._at(1)}{self._error()}"

    def _device(self) -> str:
        """Said where callers wait for a core so long that the device must be faster by a tenth."""
        if self.device_us > (1 - _SAID_FROM) * self.sync_us:
            return ""
        return f", of which the device may take {words.number(self.device_us)}: cores are busy"

    def _error(self) -> str:
        """How far the other end of the interval reaches."""
        if self.sure or self.low is None or self.high is None:
            return ""
        if self.outside == "below":
            return f"; up to {self._us(self.high)} us are within the error"
        return f"; anything above {self._us(self.low)} us is within the error"

    def _at(self, end: int) -> str:
        cost = self.ends[end]
        found = f"{words.percent(cost.value)} % {words.bounds(cost.low, cost.high)}"
        us = words.number(self.range_us[end])
        return f"{found} with a sync of {us} us, the {('fastest', 'slowest')[end]} measured"

    def _us(self, value: float) -> str:
        if math.isfinite(value):
            return words.number(value)
        sign, end = ("<", 0) if value < 0 else (">", 1)
        return f"{sign} {words.number(self.range_us[end])}"
