"""What the states of a run must have come to, and whether both records agree on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from power.runs import Run
from power.states import CUTTER, DISK, LATE, Left

_DROPPED = "dropped"


@dataclass(frozen=True)
class Agreement:
    """Of how many cuts the disk lost what the cutter did, with all dropped that was not synced.

    That is between what the cutter lost at the first and at the last moment that the cut may have
    been. The kernel writes by itself, so that a disk may lose less; it may not lose more. States
    that are drawn differ by chance.
    """

    within: int
    less: int
    more: int

    def __str__(self) -> str:
        cuts = self.within + self.less + self.more
        return (
            f"of {cuts} cuts with all dropped the disk lost what the cutter did in {self.within}, "
            f"less in {self.less}, more in {self.more}"
        )


def agreement(left: Sequence[Left]) -> Agreement:
    disk, first, last = (
        {one.cut: one.lost for one in left if (one.by, one.strategy) == which}
        for which in ((DISK, _DROPPED), (CUTTER, _DROPPED), (CUTTER, LATE))
    )
    less = sum(lost < min(first[cut], last[cut]) for cut, lost in disk.items())
    more = sum(lost > max(first[cut], last[cut]) for cut, lost in disk.items())
    return Agreement(len(disk) - less - more, less, more)


def faults(run: Run, left: Sequence[Left]) -> Iterator[str]:
    """What is not as it must be."""
    disk = [one for one in left if one.by == DISK]
    if run.keeps:
        for one in left:
            if one.lost or not one.consistent or not one.sound:
                words = f"lost {one.lost} of {one.acknowledged}; {one.problem}"
                yield f"cut {one.cut}, {one.by}, {one.strategy}: {words}"
    elif not any(one.lost for one in disk):
        yield "no state lost anything: this cannot see a loss"
    if run.agrees and (found := agreement(left)).more:
        yield f"the cutter is too lenient: {found}"
