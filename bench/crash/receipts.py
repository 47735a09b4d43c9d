"""Whether receipts would find a lie. `python -m waltax.bench receipts [CUTS]`

TPC-C with synced commits is recorded once, and the same record is cut as it is and as it would be
below something that lies: a sync that nobody carries out, of the log, of the tables and their list,
of the folders, and a device that reorders, which writes what a sync asked for only at the next one.
As it is nothing may be lost in any state; below a lie something must be, or the database must not
open. Folders alone may go without a sync where names have a journal's order.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from ...receipts.cutter import history, state
from ...receipts.cutter.state import Cut
from ...receipts.log import Call, Kind
from ...receipts.runs import embedded, states
from ...receipts.runs.recording import Recording, Run
from ...receipts.runs.states import Outcome
from ..homes import tpcc as tpcc_home

_SEED, _SECONDS, _CUTS = 1, 3.0, 4
_STRATEGIES = ("dropped", "prefix", "sectors")

Told = Callable[[Sequence[Call]], Sequence[Call]]


@dataclass(frozen=True)
class _Lie:
    """What the disk makes of the calls; whether receipts must show a loss."""

    name: str
    told: Told
    names: str = "journal"
    loses: bool = True


def main(arguments: list[str]) -> None:
    count = int(arguments[0]) if arguments else _CUTS
    table = Table("what is below", "names", "states", "opened", "lost of acknowledged", "shown")
    wrong = []
    with tpcc_home.home("receipts") as home:
        tpcc_home.fill(home, home / "loaded", 1)
        room = home / "run"
        room.mkdir()
        recording = embedded.record(home / "loaded", room, Run("sync", _SECONDS, threads=4))
        for lie in _LIES:
            found = list(_outcomes(_below(recording, lie), lie, home / "state", count))
            table.add_row(*_line(lie, found))
            wrong += [] if _shows(found) == lie.loses else [lie.name]
    Console(width=100).print(table)
    if wrong:
        raise SystemExit(f"that is not what was to be shown: {', '.join(wrong)}")


def _outcomes(recording: Recording, lie: _Lie, room: Path, count: int) -> Iterator[Outcome]:
    room.mkdir(exist_ok=True)
    moments = state.moments(recording.log, count, _SEED)
    cuts = [Cut(at, strategy, lie.names) for at in moments for strategy in _STRATEGIES]
    return states.outcomes(recording, cuts, room)


def _shows(found: Sequence[Outcome]) -> bool:
    return any(one.lost or not one.consistent for one in found)


def _line(lie: _Lie, found: Sequence[Outcome]) -> Iterator[str]:
    yield lie.name
    yield lie.names
    yield f"{len(found)}"
    yield f"{sum(one.opens for one in found)}"
    yield f"{sum(one.lost for one in found):,} of {sum(one.acknowledged for one in found):,}"
    yield "a loss" if _shows(found) else "none"


def _below(recording: Recording, lie: _Lie) -> Recording:
    """The same run, had the disk made that of it."""
    log = replace(recording.log, calls=tuple(lie.told(recording.log.calls)))
    starts = {recording.db: recording.db.parent / "start"}
    return replace(recording, log=log, history=history.of(log, starts))


def _without_syncs_of(*parts: str) -> Told:
    """Nobody carries out the syncs of files whose first name had one of these parts."""

    def told(calls: Sequence[Call]) -> Sequence[Call]:
        files = _files(calls, *parts)
        return [one for one in calls if one.kind != Kind.SYNC or one.file not in files]

    return told


def _without_folders(calls: Sequence[Call]) -> Sequence[Call]:
    return [one for one in calls if one.kind != Kind.SYNC_DIR]


def _late_syncs_of(part: str) -> Told:
    """A sync of such a file makes durable what the sync before it had asked for."""

    def told(calls: Sequence[Call]) -> Sequence[Call]:
        files, before, late = _files(calls, part), dict[int, int](), list[Call]()
        for one in calls:
            if one.kind != Kind.SYNC or one.file not in files:
                late.append(one)
                continue
            late.append(replace(one, begin=before.get(one.file, 0)))
            before[one.file] = one.begin
        return late

    return told


def _files(calls: Sequence[Call], *parts: str) -> set[int]:
    """The numbers of those whose first name had one of these parts."""
    named = (one for one in calls if one.kind in (Kind.CREATE, Kind.FILE))
    return {one.file for one in named if any(part in one.text for part in parts)}


_LIES = (
    _Lie("nothing that lies", lambda calls: calls, loses=False),
    _Lie("nothing that lies", lambda calls: calls, names="strict", loses=False),
    _Lie("no sync of the log", _without_syncs_of(".log")),
    _Lie("no sync of tables and MANIFEST", _without_syncs_of(".sst", "MANIFEST")),
    _Lie("no sync of folders", _without_folders, loses=False),
    _Lie("no sync of folders", _without_folders, names="strict"),
    _Lie("a device that reorders the log", _late_syncs_of(".log")),
    _Lie("a device that reorders all", _late_syncs_of("")),
)


if __name__ == "__main__":
    main(sys.argv[1:])
