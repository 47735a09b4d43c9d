"""Record a user's own program, which acknowledges items, to its end; its own command checks."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from ...base.errors import WaltaxError
from ...devices.tap_preload import recorder_environment
from ...driver.client import Event
from ...runners.cells.command import shell
from ...runners.cells.program import cell, folder
from ...runners.cells.setting import Command
from .. import log
from ..cutter import history
from .recording import Recording

_CHECK = "--check"
# SQLite maps its index of the log to write it, and makes it anew when it opens the data.
_UNREAD = ("*-shm",)


def record(command: Command, line: str, room: Path) -> Recording:
    """Run `line` to its end in a copy of the command's data, in the empty folder `room`.

    It is one process, which appends a line to the file $WALTAX_ACKS for each acknowledged item.
    Errors: WaltaxError when it fails, acknowledges nothing, starts other processes, or changes
    files in a way that the recorder does not see.
    """
    source = Path(command.data) if command.data else None
    start, placed = (folder.make((), source, home, home, room) for home in _homes(room))
    wal, recorded, acks = room / "wal", room / "recorded", room / "acks"
    wal.mkdir()
    log.create(recorded)
    env = recorder_environment(recorded, [placed.data, wal], acks)
    env |= {**cell.variables(command, placed), "WALTAX_ACKS": str(acks)}
    # A shell would be the process that is recorded.
    cell.run(command, f"exec {line}", env=env, cwd=placed.data, log=room / "run")
    read = log.read(recorded)
    read.require_seen(but=_UNREAD)
    if not read.acks:
        raise WaltaxError(
            f"{_CHECK}: the command acknowledged nothing: it has to append a line to the file "
            "$WALTAX_ACKS for each item, by a write of its own"
        )

    def looked_at(db: Path, _wal: Path, acks: Path) -> Event:
        return check(command, db, acks)

    return Recording(read, history.of(read, {placed.data: start.data}), placed.data, wal, looked_at)


def _homes(room: Path) -> tuple[Path, Path]:
    return room / "start", room / "run"


def check(command: Command, db: Path, acks: Path) -> Event:
    """Have the user's command print the items that it finds in `db`, and compare.

    Return what a driver's check would say. Errors: WaltaxError when the command fails, which means
    that the data do not open, or are damaged.
    """
    env: Mapping[str, str] = {"WALTAX_DATA": str(db), "WALTAX_HERE": command.here}
    where = db.with_name("checked")
    done = shell.run(
        command.check, env=env, timeout_s=command.timeout_s, log=where, flag=_CHECK, cwd=db
    )
    there = set(done.output.splitlines())
    acknowledged = acks.read_text().splitlines()
    lost = [number for number, item in enumerate(acknowledged) if item not in there]
    first = f"acknowledged: {shlex.quote(acknowledged[lost[0]])} is lost" if lost else ""
    return {
        "violations": [first] if lost else [],
        "acknowledged": {"lost": len(lost), "oldest_lost": lost[0] if lost else 0},
    }
