"""Slices that something outside disturbed, and whether they are left out of the estimates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...row import Row

# Of a third of all slices or more nothing is left out: that is how the machine is, and the rest
# would be those that the rule misses.
_TOO_MANY = 1 / 3


@dataclass(frozen=True)
class Disturbance:
    """Of the accepted slices of a comparison. A slice may have several reasons."""

    slices: int
    disturbed: int
    reasons: Mapping[str, int]
    recorded: bool  # whether any row says whether its slice was disturbed

    @property
    def left_out(self) -> bool:
        """Whether the disturbed slices, and so the partners of each, are in no estimate."""
        return 0 < self.disturbed < _TOO_MANY * self.slices

    @property
    def words(self) -> str:
        """What a reader must know; empty where nothing was disturbed."""
        if not self.disturbed:
            return ""
        why = ", ".join(f"{name} {count}" for name, count in self.reasons.items())
        of = f"{self.disturbed} of {self.slices} slices disturbed ({why})"
        if self.left_out:
            return f"{of}: left out with their partners"
        return f"{of}: too many to leave out, so that the overheads are those of a busy machine"


def of(rows: Sequence[Row]) -> Disturbance:
    """What was recorded of the slices of one comparison; older rows have nothing of it."""
    accepted = [one for one in rows if one["status"] == "ok"]
    found = [one["disturbed"] for one in accepted if one.get("disturbed")]
    reasons = Counter(name for names in found for name in names)
    recorded = any(one.get("disturbed") is not None for one in accepted) or not accepted
    return Disturbance(len(accepted), len(found), dict(reasons.most_common()), recorded)
