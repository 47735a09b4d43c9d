"""A state of a synced log that lost something: kept, and looked at again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from ... import strictjson
from ...engines import ENGINES
from ...errors import UsageError
from ...owned import places
from ...receipts.runs import embedded, served, states
from ...runners.recipe import typed
from .recording import loaded, told_server

if TYPE_CHECKING:
    from ...cell import Cell
    from ...driver.client import Event
    from ...receipts.runs.recording import Recording
    from ...receipts.runs.states import Outcome
    from ...runners.campaign import Campaign

_FOLDER, _CUT = "broken", "cut.json"
_PASSABLE = 0o711  # for the servers' user


def kept_of(
    campaign: Campaign, cell: Cell, recording: Recording, outcomes: Sequence[Outcome]
) -> list[str]:
    """Keep the first state that lost something, and say so; nothing when there is none."""
    for one in outcomes:
        if one.lost or not one.consistent:
            room = campaign.folder / _FOLDER / cell.id
            room.mkdir(parents=True)
            states.keep(recording, one.cut, room)
            told = {"workload": cell.workload, "mode": cell.durability, **asdict(one)}
            (room / _CUT).write_text(json.dumps(told, indent=1) + "\n")
            return [
                f"{cell.id}: a synced log lost {one.lost:,} of {one.acknowledged:,} commits "
                f"({one.cut.strategy}, {one.problem}); see it again: "
                f"{typed.program()} receipts --again {room}"
            ]
    return []


def look_again(folder: Path, data_root: Path) -> int:
    """Open a copy of a state that was kept, and say what its check finds; returns the exit code.

    An engine changes what it opens. Errors: UsageError when there is no such state; WaltaxError
    when the state does not open.
    """
    from ...runners import campaign
    from ...terminal import Terminal, say

    told = _told(folder)
    begun = campaign.resume(folder.resolve().parent.parent, None)
    with places.borrowed(
        data_root / "work", "again-", "work", flag="--data-dir", mode=_PASSABLE
    ) as room:
        db, wal, acks = (room / name for name in states.PARTS)
        shutil.copytree(folder / "db", db)
        shutil.copytree(folder / "wal", wal)
        shutil.copyfile(folder / "acks", acks)
        event = _looked_at(begun, told, db, wal, acks)
    console = Terminal()
    count = event["violation_count"]
    say(console, *event["violations"], f"{folder}: {count:,} violations")
    return 1 if count else 0


def _looked_at(begun: Campaign, told: dict[str, str], db: Path, wal: Path, acks: Path) -> Event:
    data = loaded(begun.profile, told["workload"])
    if not ENGINES[begun.recipe.engine].on_server:
        return embedded.check(db, wal, acks, data)
    server = told_server(begun.profile, data.workload)
    return served.look(server, data, told["mode"], db, wal, acks)


def _told(folder: Path) -> dict[str, str]:
    try:
        told = strictjson.loads((folder / _CUT).read_bytes(), printable=False)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"--again: {folder}: found no state ({_CUT}: {error}); type a folder that "
            f"`receipts` named, as in --again results/20240131-235959-123-.../{_FOLDER}/..."
        ) from error
    if not isinstance(told, dict):
        raise UsageError(f"--again: {folder / _CUT}: found no table of a state")
    return {name: str(told.get(name, "")) for name in ("workload", "mode")}
