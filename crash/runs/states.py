"""A crash state, opened once by the real engine and checked: is it whole, and what is lost?"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...base.errors import WaltaxError
from ...base.folders import removal
from ...driver.client import Event
from ..cutter import state
from ..cutter.state import Cut
from . import spread
from .recording import Recording

PARTS = ("db", "wal", "acks")
"""What is in the folder of a state."""
_ACKNOWLEDGED = "acknowledged:"  # how a check begins to speak of what is lost


@dataclass(frozen=True)
class Outcome:
    """What a state came to. `problem` is the engine's or the check's first word on it, or None.

    A database that does not open has lost all that was acknowledged. `lost_seconds` is the age of
    the oldest lost acknowledgement when the power was cut, 0 when none is lost. Of one moment,
    states of one `digest` are the same byte for byte.
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
    """Have the state of each cut checked; moments that do not wait for each other are spread.

    Each state is written below `folder`, and removed there. The workload's own check looks at it,
    and compares it with what was acknowledged. Cuts of one moment often come to the same state,
    as where nothing was unsynced: that is looked at once.
    """
    moments = [list(group) for _, group in itertools.groupby(cuts, lambda cut: cut.moment)]

    def looked_at(group: Sequence[Cut], number: int) -> list[Outcome]:
        room = folder / f"{number}"
        room.mkdir(exist_ok=True)
        try:
            return list(_of_one_moment(recording, group, room))
        finally:
            removal.trees(room)

    return itertools.chain.from_iterable(spread.in_order(looked_at, moments))


def _of_one_moment(recording: Recording, cuts: Iterable[Cut], room: Path) -> Iterator[Outcome]:
    known: dict[str, Outcome] = {}
    parts = [room / name for name in PARTS]
    for cut in cuts:
        try:
            keep(recording, cut, room)
            same = state.digest(parts[:2])
            if same not in known:
                known[same] = _judged(recording, cut, same, _seen(recording, parts))
        finally:
            removal.trees(*parts)
        yield replace(known[same], cut=cut)


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
    db, wal, told = (folder / name for name in PARTS)
    state.write(recording.history, cut, {recording.db: db, recording.wal: wal})
    told.write_bytes(state.told(recording.log, cut.moment))


def _seen(recording: Recording, parts: Sequence[Path]) -> Event | WaltaxError:
    try:
        return recording.check(*parts)
    except WaltaxError as error:
        return error


def _judged(recording: Recording, cut: Cut, digest: str, seen: Event | WaltaxError) -> Outcome:
    ends = list(state.acknowledged(recording.log, cut.moment))
    count = len(ends)
    if isinstance(seen, WaltaxError):
        return Outcome(cut, digest, False, False, count, count, _age_s(cut, ends, 0), str(seen))
    found = checked(seen)
    age_s = _age_s(cut, ends, found.oldest_lost) if found.lost else 0.0
    return Outcome(cut, digest, True, found.consistent, count, found.lost, age_s, found.problem)


def _age_s(cut: Cut, ends: Sequence[int], number: int) -> float:
    return (cut.moment - ends[number]) / 1e9 if ends else 0.0


@dataclass(frozen=True)
class Checked:
    """What a driver's check says of a database, and of what was acknowledged.

    `problem` is its first word on what is wrong, the data before what is lost.
    `oldest_lost` is the number of the oldest lost acknowledgement, from 0; 0 when none is lost.
    """

    consistent: bool
    lost: int
    oldest_lost: int
    problem: str | None


def checked(event: Event) -> Checked:
    """Of the event `check` of a driver that was given a log of acknowledgements."""
    violations, told = event["violations"], event["acknowledged"]
    broken = [what for what in violations if not what.startswith(_ACKNOWLEDGED)]
    problem = next(iter(broken or violations), None)
    return Checked(not broken, told["lost"], told["oldest_lost"], problem)
