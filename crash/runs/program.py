"""Record a user's own program, which acknowledges items, to its end; its own command checks."""

from __future__ import annotations

import contextlib
import filecmp
import os
import shlex
import time
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from ...base.errors import WaltaxError
from ...base.folders import places, removal
from ...devices.resolve import SHM
from ...devices.tap_preload import recorder_environment
from ...driver.client import Event
from ...runners.cells.program import run, shell
from ...runners.cells.program.run import Folder, Tap
from ...runners.recipe.parts import Command
from .. import log
from ..cutter import history, state
from ..cutter.state import Cut
from .recording import Recording

_CHECK = "--check"
# SQLite maps its index of the log to write it, and makes it anew when it opens the data.
_UNREAD = ("*-shm",)


def record(command: Command, line: str, room: Path) -> Recording:
    """Run `line` to its end in a copy of the command's data, in the empty folder `room`.

    A server runs until its load has ended. For each acknowledged item, a process of either appends
    a line to the file $WALTAX_ACKS. Errors: WaltaxError when it fails, acknowledges nothing, or
    changes files in a way that the recorder does not see.
    """
    tap, recorded, acks = Tap.make(room / "tap"), room / "recorded", room / "acks"
    start = Folder.make(command, room / "start", tap.sockets).data
    log.create(recorded)
    acks.touch()
    acks.chmod(0o666)  # the program's user may be another
    with _sockets() as sockets:
        placed = Folder.make(command, room / "run", sockets)
        env = recorder_environment(recorded, [placed.data], acks, folder=tap.home)
        env |= {"WALTAX_ACKS": str(acks)}
        with run.begun(command, line, env, placed, room / "said", of_load=env) as (to_end, _):
            to_end()
    read = log.read(recorded)
    if not read.acks:
        raise WaltaxError(
            f"{_CHECK}: the command acknowledged nothing: it has to append a line to the file "
            "$WALTAX_ACKS for each item, by a write of its own"
        )

    def looked_at(db: Path, _wal: Path, acks: Path) -> Event:
        _own(db, start)
        with _sockets() as sockets:
            return check(command, replace(placed, data=db, sockets=sockets), acks)

    story = history.of(read, {placed.data: start})
    recording = Recording(read, story, placed.data, room / "wal", looked_at, _UNREAD)
    _require_replayed(recording, room / "replayed")
    return recording


def _require_replayed(recording: Recording, folder: Path) -> None:
    """Refuse a recording that does not make its folder what it is now. Errors: WaltaxError."""
    try:
        state.write(recording.history, Cut(time.monotonic_ns(), "kept"), {recording.db: folder})
        for name in _different(recording.db, folder):
            if not any(fnmatch(name, pattern) for pattern in recording.unread):
                raise WaltaxError(
                    f"{_CHECK}: {name}: is not what the recorded calls made it: a process changed "
                    "it unseen, such as a static program, one that clears its environment, maps "
                    "files to write them, or makes links or temporary files of the C library"
                )
    finally:
        removal.trees(folder)


def _different(one: Path, other: Path) -> Iterator[str]:
    """Yield the files, by their paths below both folders, that only one has or that differ."""
    ours, theirs = (
        {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}
        for place in (one, other)
    )
    yield from sorted(ours ^ theirs)
    for name in sorted(ours & theirs):
        if not filecmp.cmp(one / name, other / name, shallow=False):
            yield name


def _own(db: Path, start: Path) -> None:
    """Give a state to the user whose data they were, with the mode of their folder."""
    about = start.stat()
    for path in (db, *db.rglob("*")):
        os.chown(path, about.st_uid, about.st_gid)
        if path.is_dir():
            path.chmod(about.st_mode)


@contextlib.contextmanager
def _sockets() -> Iterator[Path]:
    """Yield a folder for sockets, whose paths have 107 bytes at most, for whoever runs there."""
    with places.borrowed(SHM, "waltax-cut-", "memory") as sockets:
        sockets.chmod(run.FOR_ALL)
        yield sockets


def check(command: Command, placed: Folder, acks: Path) -> Event:
    """Have the user's command print the items that it finds in a state, and compare.

    Return what a driver's check would say. What the command leaves running is killed. Errors:
    WaltaxError when the command fails, which means that the data do not open, or are damaged.
    """
    with shell.ending():
        done = shell.run(
            command.check,
            env=run.variables(command, placed),
            timeout_s=command.timeout_s,
            log=placed.data.with_name("checked"),
            flag=_CHECK,
            cwd=placed.data,
        )
    there = set(done.output.splitlines())
    acknowledged = acks.read_text().rpartition("\n")[0].splitlines()
    lost = [number for number, item in enumerate(acknowledged) if item not in there]
    first = f"acknowledged: {shlex.quote(acknowledged[lost[0]])} is lost" if lost else ""
    return {
        "violations": [first] if lost else [],
        "acknowledged": {"lost": len(lost), "oldest_lost": lost[0] if lost else 0},
    }
