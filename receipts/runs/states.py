"""A crash state, opened once by the real engine and checked: is it whole, and what is lost?"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from ... import proc
from ...driver.argv import Parameters, check_argv
from ...driver.client import Driver, Event
from ...errors import WaltaxError
from ...owned import removal
from ..cutter import state
from ..cutter.state import Cut
from .embedded import Recording

_ACKNOWLEDGED = "acknowledged:"  # how the check begins to speak of a lost order
_FARTHER = 4  # how much farther each look back for the oldest lost order goes
_LATEST_S = 300.0
_THREADS = 2
_PARTS = ("db", "wal", "acks")  # of a state's folder


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


def keep(recording: Recording, cut: Cut, folder: Path) -> str:
    """Write the state of `cut` to `folder`; returns the command line of its check, to type there.

    The check opens the state, and changes it.
    """
    db, wal, acks = (folder / name for name in _PARTS)
    state.write(recording.history, cut, {recording.db: db, recording.wal: wal})
    acks.write_bytes(b"".join(line for _, line in state.acknowledged(recording.log, cut.moment)))
    return shlex.join(_argv(*map(Path, _PARTS)))


def _argv(db: Path, wal: Path, acks: Path) -> list[str]:
    parameters: Parameters = {"acks": str(acks)}
    return check_argv(
        proc.program("tpcc").absolute(), db, wal, threads=_THREADS, parameters=parameters
    )


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
        db, wal, acks = (self._folder / name for name in _PARTS)
        places = {self._recording.db: db, self._recording.wal: wal}
        try:
            state.write(self._recording.history, self._cut, places)
            acks.write_bytes(b"".join(line for _, line in self._acks[:count]))
            checker = Driver(None, _argv(db, wal, acks))
            try:
                return checker.wait_for("check", within_s=_LATEST_S)
            finally:
                checker.kill()
        finally:
            removal.trees(db, wal, acks)
