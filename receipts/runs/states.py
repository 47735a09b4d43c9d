"""A crash state, opened once by the real engine and checked: is it whole, and what is lost?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
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
    too long. Of one moment, states of one `digest` are the same byte for byte.
    """

    cut: Cut
    digest: str
    opens: bool
    consistent: bool
    acknowledged: int
    lost: int
    lost_seconds: float
    problem: str | None


def outcomes(recording: Recording, cuts: Iterable[Cut], folder: Path) -> Iterator[Outcome]:
    """Write the state of each cut to `folder`, where it is removed again, and have it checked.

    It is TPC-C's: its twelve conditions, and its orders against those that were acknowledged. An
    engine changes what it opens, so each look is at a state that was written anew. Cuts of one
    moment often come to the same state, as where nothing was unsynced: that is looked at once.
    """
    known: dict[tuple[int, str], Outcome] = {}
    for cut in cuts:
        yield _Look(recording, cut, folder).outcome(known)


def outcome(recording: Recording, cut: Cut, folder: Path) -> Outcome:
    """That of one cut."""
    return next(outcomes(recording, [cut], folder))


def require_opens(recording: Recording, folder: Path) -> None:
    """Errors: WaltaxError when what was there before the run does not open or is not consistent.

    A place where nothing opens would make every state one that is lost.
    """
    found = outcome(recording, Cut(0, "dropped"), folder)
    if not found.consistent:
        raise WaltaxError(f"the data of before the run cannot be checked here: {found.problem}")


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

    def outcome(self, known: dict[tuple[int, str], Outcome]) -> Outcome:
        """`known` are those of states that were looked at before, and gets this one's."""
        with self._written(len(self._acks)) as parts:
            same = self._cut.moment, state.digest(parts[:2])
            found = known.get(same)
            seen = None if found else self._seen(parts)
        if found is None:
            assert seen is not None
            found = known[same] = self._judged(same[1], seen)
        return replace(found, cut=self._cut)

    def _seen(self, parts: Sequence[Path]) -> Event | WaltaxError:
        try:
            return self._recording.check(*parts)
        except WaltaxError as error:
            return error

    def _judged(self, digest: str, seen: Event | WaltaxError) -> Outcome:
        count, cut = len(self._acks), self._cut
        if isinstance(seen, WaltaxError):
            return Outcome(cut, digest, False, False, count, count, self._age_s(0), str(seen))
        broken = [what for what in seen["violations"] if not what.startswith(_ACKNOWLEDGED)]
        lost = seen["violation_count"]
        if broken:
            lost -= self._checked(0)["violation_count"]
        age_s = self._age_s(self._oldest(lost)) if lost else 0.0
        problem = next(iter(broken or seen["violations"]), None)
        return Outcome(cut, digest, True, not broken, count, lost, age_s, problem)

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
        with self._written(count) as parts:
            return self._recording.check(*parts)

    @contextmanager
    def _written(self, count: int) -> Iterator[list[Path]]:
        """The state, with what was acknowledged first, until it was looked at."""
        parts = [self._folder / name for name in PARTS]
        acks = [line for _, line in self._acks[:count]]
        try:
            _write(self._recording, self._cut, self._folder, acks)
            yield parts
        finally:
            removal.trees(*parts)
