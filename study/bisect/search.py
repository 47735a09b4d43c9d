"""Which of a row of revisions is the first bad one, by as few decisions as can be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Decision = Literal["good", "bad", "skip"]


@dataclass(frozen=True)
class Found:
    """`suspects` are the revisions of which one is the first bad one, the oldest first."""

    suspects: tuple[str, ...]
    decisions: tuple[tuple[str, Decision], ...]


def search(revisions: Sequence[str], decide: Callable[[str], Decision]) -> Found:
    """Find the first bad one of `revisions`, the oldest first.

    What precedes them is good and the last of them is bad, of which neither is decided again. One
    that is skipped is a suspect as long as no neighbour clears it.
    """
    good, bad = -1, len(revisions) - 1
    skipped: set[int] = set()
    decisions: list[tuple[str, Decision]] = []
    while open_ones := [one for one in range(good + 1, bad) if one not in skipped]:
        middle = (good + bad) / 2
        one = min(open_ones, key=lambda at: abs(at - middle))
        decision = decide(revisions[one])
        decisions.append((revisions[one], decision))
        if decision == "good":
            good = one
        elif decision == "bad":
            bad = one
        else:
            skipped.add(one)
    return Found(tuple(revisions[good + 1 : bad + 1]), tuple(decisions))
