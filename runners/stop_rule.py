"""Decide when a campaign stops, by the rule that `make bench NAME=coverage` uses as well."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from ..profiles.model import Timing

LOOKS_FROM = 8
"""Sessions before which no interval ends a campaign: fewer agree by chance too often."""


class Stop(Enum):
    """Why a workload is no longer measured."""

    TIGHT = "every interval is narrower than its target"
    BUDGET = "the time budget is spent"
    BOTH = "the time budget is spent; every interval is narrower than its target"
    HOPELESS = "no cell is left that can be compared with its baseline"
    INTERRUPTED = "it was interrupted"


@dataclass(frozen=True)
class Rule:
    """The rule that each workload of a campaign stops by.

    Intervals are looked at only where a session ends: the sessions that an interval rests on are
    whole then, but for the one that the budget cut short, whatever was measured in it. A look after
    each round would stop where two sessions happen to agree in the middle. At least `LOOKS_FROM`
    sessions are needed: docs/results.md, "Campaigns that stop early", says why. A campaign that
    runs out of time earlier still says how narrow they are, which is not why it ended.
    """

    min_sessions: int
    target_half_width: float
    budget_s: float

    @classmethod
    def of(cls, timing: Timing) -> Rule:
        return cls(timing.min_sessions, timing.target_half_width, timing.time_budget_s)

    def out_of_time(self, spent_s: float) -> bool:
        """Return whether its slices have used up the budget; asked after each round."""
        return spent_s >= self.budget_s

    def has_sessions(self, sessions: int) -> bool:
        """Return whether an interval has enough of them: a small budget shortens sessions only."""
        return sessions >= self.min_sessions

    def looks(self, sessions: int) -> bool:
        """Return whether the widths of the intervals of these sessions may end it."""
        return sessions >= LOOKS_FROM and self.has_sessions(sessions)

    def at_session_end(
        self, sessions: int, spent_s: float, half_widths: Iterable[float | None]
    ) -> Stop | None:
        """Return why it ends after these sessions, or None if it goes on.

        `half_widths` are those of its overheads that can still get tighter. Tight intervals do not
        end a workload with time for less than one more session: the stretch would save only that.
        """
        if not self.has_sessions(sessions):
            return None
        narrow = all(width is not None and width <= self.target_half_width for width in half_widths)
        if self.out_of_time(spent_s):
            return Stop.BOTH if narrow else Stop.BUDGET
        nearly_out = self.out_of_time(spent_s * (sessions + 1) / sessions)
        return Stop.TIGHT if narrow and self.looks(sessions) and not nearly_out else None
