"""A crash state, opened once by the real engine and checked: is it whole, and what is lost?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...driver.client import Event
from ...errors import WaltaxError
from ...owned import removal
from ..cutter import state
from ..cutter.state import Cut
from .recording import Recording

_ACKNOWLEDGED = "acknowledged:"  # how the check begins to speak of a lost order
_FARTHER = 4  # how much farther each look back for the oldest lost order goes
PARTS = ("db", "wal", "acks")
"""What is in the folder of a state."""


@dataclass(frozen=True)
class Outcome:
    """What a state came to. `problem` is the engine's or the check's first word on it, or None.

    A database that does not open has lost all that was acknowledged. `lost_seconds` is the age of
    the oldest lost acknowledgement when the power was cut, 0 when none is lost; where
    orders were acknowledged in another order than they were committed, it is at most some orders
    too long.
    """

    cut: Cut
    opens: bool
    consistent: bool
    acknowledged: int
    lost: int
    lost_seconds: float
    problem: str | None


def outcome(recording: Recording, cut: Cut, folder: Path) -> Outcome:
    """Write the state of `cut` to `folder`, where it is removed again, and have it checked.

    It is TPC-C's: its twelve conditions, and its orders against those that were acknowledged. An
    engine changes what it opens, so each look is at a state that was written anew.
    """
    return _Look(recording, cut, folder).outcome()


def keep(recording: Recording, cut: Cut, folder: Path) -> None:
    """Write the state of `cut` to `folder`, and beside it what was acknowledged before."""
    _write(
        recording, cut, folder, [line for _, line in state.acknowledged(recording.log, cut.moment)]
    )


def _write(recording: Recording, cut: Cut, folder: Path, acks: Sequence[bytes]) -> None:
    db, wal, told = (folder / name for name in PARTS)
    state.write(recording.history, cut, {recording.db: db, recording.wal: wal})
    told.write_bytes(b"".join(acks))


class _Look:
    def __init__(self, recording: Recording, cut: Cut, folder: Path) -> None:
        self._recording, self._cut, self._folder = recording, cut, folder
        self._acks = list(state.acknowledged(recording.log, cut.moment))

    def outcome(self) -> Outcome:
        count = len(self._acks)
        try:
            event = self._checked(count)
        except WaltaxError as error:
            return Outcome(self._cut, False, False, count, count, self._age_s(0), str(error))
        broken = [what for what in event["violations"] if not what.startswith(_ACKNOWLEDGED)]
        lost = event["violation_count"]
        if broken:
            lost -= self._checked(0)["violation_count"]
        age_s = self._age_s(self._oldest(lost)) if lost else 0.0
        problem = next(iter(broken or event["violations"]), None)
        return Outcome(self._cut, True, not broken, count, lost, age_s, problem)

    def _oldest(self, lost: int) -> int:
        """The number of an acknowledgement before which none is lost.

        When those that are lost are the last, one look shows it. A database that was recovered to
        an earlier moment has lost the last commits; their acknowledgements may be in another order.
        """
        first, step = len(self._acks) - lost, 1
        while first > 0 and self._lost_of(first):
            first = max(0, first - step)
            step *= _FARTHER
        return first

    def _lost_of(self, count: int) -> int:
        """How many of the first `count` acknowledged orders are lost, in a consistent database."""
        event = self._checked(count)
        return sum(what.startswith(_ACKNOWLEDGED) for what in event["violations"])

    def _age_s(self, number: int) -> float:
        if not self._acks:
            return 0.0
        return (self._cut.moment - self._acks[number][0]) / 1e9

    def _checked(self, count: int) -> Event:
        """The check of a new copy, told of the first `count` acknowledged orders.

        Errors: WaltaxError when the database does not open.
        """
        parts = [self._folder / name for name in PARTS]
        try:
            acks = [line for _, line in self._acks[:count]]
            _write(self._recording, self._cut, self._folder, acks)
            return self._recording.check(*parts)
        finally:
            removal.trees(*parts)
