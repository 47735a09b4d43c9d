"""Slices that something outside disturbed, and whether they are left out of the estimates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...row import Row
from .hosts import NAMELESS, host_of

# Of a third of a host's slices or more nothing is left out: that is how the machine is, and the
# rest would be those that the rule misses.
_TOO_MANY = 1 / 3
# The others depend on how much CPU, memory or log a cell itself asks for.
_BLIND = {"foreign CPU", "memory speed", "paused"}
_APART = 0.5  # of the slices: two cells' shares that differ by so much are not of one disturbance
_CHANCE = 1e-4  # that it parts two cells' shares so far, since cells of a round are in random order


@dataclass(frozen=True)
class Disturbance:
    """Of the accepted slices of a comparison. A slice may have several reasons.

    `busy` are the hosts with too many disturbed slices to leave them out, which `kept` counts.
    """

    slices: int
    disturbed: int
    reasons: Mapping[str, int]
    recorded: bool  # whether any row says whether its slice was disturbed
    busy: tuple[str, ...]
    kept: int

    @property
    def left_out(self) -> int:
        """How many disturbed slices, and so the partners of each, are in no estimate."""
        return self.disturbed - self.kept

    def leaves_out(self, one: Row) -> bool:
        """Whether this slice is one of them."""
        return bool(one.get("disturbed")) and host_of(one) not in self.busy

    @property
    def words(self) -> str:
        """What a reader must know; empty where nothing was disturbed."""
        if not self.disturbed:
            return ""
        why = ", ".join(f"{name} {count}" for name, count in self.reasons.items())
        of = f"{self.disturbed} of {self.slices} slices disturbed ({why})"
        many = "too many to leave out, so that the overheads are those of a busy machine"
        if not self.kept:
            return f"{of}: left out with their partners"
        if not self.left_out:
            return f"{of}: {many}"
        hosts = ", ".join(one or NAMELESS for one in self.busy)
        return f"{of}: {self.left_out} left out with their partners; on {hosts} {many}"


def fell_on(hit: Sequence[Row], other: Sequence[Row]) -> bool:
    """Whether what knows nothing of cells fell on one cell far more than on another.

    Fisher's exact test of their accepted slices, and a least difference of the shares.
    """
    (a, of_a), (b, of_b) = map(counts, (hit, other))
    if not of_a or not of_b or a / of_a - b / of_b < _APART:
        return False
    from scipy.stats import fisher_exact  # takes a second to import

    chance = fisher_exact([[a, of_a - a], [b, of_b - b]]).pvalue
    return bool(chance < _CHANCE)


def counts(rows: Sequence[Row]) -> tuple[int, int]:
    """How many slices of a cell such a disturbance fell on, and of how many accepted ones."""
    accepted = [one for one in rows if one["status"] == "ok"]
    return sum(not _BLIND.isdisjoint(one.get("disturbed") or ()) for one in accepted), len(accepted)


def of(rows: Sequence[Row]) -> Disturbance:
    """What was recorded of the slices of one comparison; older rows have nothing of it."""
    accepted = [one for one in rows if one["status"] == "ok"]
    found = [one for one in accepted if one.get("disturbed")]
    reasons = Counter(name for one in found for name in one["disturbed"])
    recorded = any(one.get("disturbed") is not None for one in accepted) or not accepted
    slices, by_host = Counter(map(host_of, accepted)), Counter(map(host_of, found))
    busy = sorted(host for host, count in by_host.items() if count >= _TOO_MANY * slices[host])
    return Disturbance(
        slices=len(accepted),
        disturbed=len(found),
        reasons=dict(reasons.most_common()),
        recorded=recorded,
        busy=tuple(busy),
        kept=sum(by_host[host] for host in busy),
    )
