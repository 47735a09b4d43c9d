"""Open a crash state once with the real engine, and check consistency and losses."""

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
from . import parallel
from .recording import Recording

PARTS = ("db", "wal", "acks")
"""The parts of a state's folder."""
_ACKNOWLEDGED = "acknowledged:"  # prefix of a check's lines about losses


@dataclass(frozen=True)
class Outcome:
    """The outcome of a state. `problem` is the first line of the engine or the check, or None.

    A database that does not open has lost all acknowledged commits. `lost_seconds` is the age of
    the oldest lost acknowledgement at the power cut, 0 when none is lost. States of one moment with
    the same `digest` are equal byte for byte.
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
    """Check the state of each cut; moments are spread over the CPUs.

    Each state is written below `folder` and removed. The workload's own check compares it with what
    was acknowledged. Cuts of one moment often give the same state, for example if nothing was
    unsynced; such a state is checked once.
    """
    moments = [list(group) for _, group in itertools.groupby(cuts, lambda cut: cut.moment)]

    def looked_at(group: Sequence[Cut], number: int) -> list[Outcome]:
        room = folder / f"{number}"
        room.mkdir(exist_ok=True)
        try:
            return list(_of_one_moment(recording, group, room))
        finally:
            removal.trees(room)

    return itertools.chain.from_iterable(parallel.in_order(looked_at, moments))


def _of_one_moment(recording: Recording, cuts: Iterable[Cut], room: Path) -> Iterator[Outcome]:
    known: dict[str, Outcome] = {}
    parts = [room / name for name in PARTS]
    for cut in cuts:
        try:
            keep(recording, cut, room)
            same = state.digest(parts[:2], recording.unread)
            if same not in known:
                known[same] = _judged(recording, cut, same, parts)
        finally:
            removal.trees(*parts)
        yield replace(known[same], cut=cut)


def outcome(recording: Recording, cut: Cut, folder: Path) -> Outcome:
    """Return the outcome of one cut."""
    return next(outcomes(recording, [cut], folder))


def require_opens(recording: Recording, folder: Path) -> None:
    """Check that the data before the run open and are consistent. Errors: WaltaxError.

    Otherwise, in a place where nothing opens, every state would count as lost.
    """
    before = outcome(recording, Cut(0, "dropped"), folder)
    if not before.consistent:
        raise WaltaxError(f"the data of before the run cannot be checked here: {before.problem}")


def keep(recording: Recording, cut: Cut, folder: Path) -> None:
    """Write the state of `cut` to `folder`, with the commits acknowledged before."""
    db, wal, acks = (folder / name for name in PARTS)
    state.write(recording.history, cut, {recording.db: db, recording.wal: wal})
    acks.write_bytes(state.told(recording.log, cut.moment))


def _judged(recording: Recording, cut: Cut, digest: str, parts: Sequence[Path]) -> Outcome:
    ends = list(state.acknowledged(recording.log, cut.moment))
    count = len(ends)
    try:
        event = recording.check(*parts)
    except WaltaxError as error:
        return Outcome(cut, digest, False, False, count, count, _age_s(cut, ends, 0), str(error))
    lost, oldest = (event["acknowledged"][name] for name in ("lost", "oldest_lost"))
    age_s = _age_s(cut, ends, oldest) if lost else 0.0
    return Outcome(cut, digest, True, is_consistent(event), count, lost, age_s, problem_of(event))


def _age_s(cut: Cut, ends: Sequence[int], number: int) -> float:
    return (cut.moment - ends[number]) / 1e9 if ends else 0.0


def is_consistent(event: Event) -> bool:
    """Return whether a driver's check found nothing but losses, if anything."""
    return all(what.startswith(_ACKNOWLEDGED) for what in event["violations"])


def problem_of(event: Event) -> str | None:
    """Return the first violation of a check; those of the data come before those about losses."""
    return min(event["violations"], key=lambda what: what.startswith(_ACKNOWLEDGED), default=None)
