"""Slices that something outside disturbed, and whether the estimates leave them out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...row import Row

# From this share of the slices on, none is left out: the machine is simply busy, and only those
# that the rule misses would remain.
_TOO_MANY = 1 / 3
# The other reasons depend on how much CPU, memory or log a cell itself asks for.
_BLIND = {"foreign CPU", "paused"}


@dataclass(frozen=True)
class Disturbance:
    """The disturbances among a comparison's accepted slices. A slice may have several reasons."""

    slices: int
    disturbed: int
    reasons: Mapping[str, int]

    @property
    def is_too_much(self) -> bool:
        """Whether too many slices were disturbed to leave them out."""
        return self.disturbed >= _TOO_MANY * self.slices

    @property
    def left_out(self) -> int:
        """The number of disturbed slices that no estimate uses; their partners are left out with
        them.
        """
        return 0 if self.is_too_much else self.disturbed

    def leaves_out(self, row: Row) -> bool:
        """Return whether the estimates leave out this slice."""
        return bool(row.get("disturbed")) and not self.is_too_much

    @property
    def words(self) -> str:
        """What a reader must know; empty if nothing was disturbed."""
        if not self.disturbed:
            return ""
        why = ", ".join(f"{name} {count}" for name, count in self.reasons.items())
        many = "too many to leave out, so that the overheads are those of a busy machine"
        what = many if self.is_too_much else "left out with their partners"
        return f"{self.disturbed} of {self.slices} slices disturbed ({why}): {what}"


def counts(rows: Sequence[Row]) -> tuple[int, int]:
    """Return how many slices of a cell such a disturbance hit, and how many were accepted."""
    accepted = [row for row in rows if row["status"] == "ok"]
    return sum(not _BLIND.isdisjoint(row.get("disturbed") or ()) for row in accepted), len(accepted)


def of(rows: Sequence[Row]) -> Disturbance:
    """Return what the slices of one comparison recorded; older rows recorded nothing."""
    accepted = [row for row in rows if row["status"] == "ok"]
    hit = [row["disturbed"] for row in accepted if row.get("disturbed")]
    reasons = Counter(name for names in hit for name in names)
    return Disturbance(len(accepted), len(hit), dict(reasons.most_common()))
