"""Writing a crash state to disk."""

from __future__ import annotations

import hashlib
import itertools
import os
import random
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from ...base.errors import UsageError
from ...engines.server.datadir import IMMUTABLE, linked
from ..log import Log
from . import content
from .content import STRATEGIES, Strategy
from .history import File, Folder, History
from .names import MODELS, Chosen


@dataclass(frozen=True)
class Cut:
    """The identity of a state. `moment` is in nanoseconds of CLOCK_MONOTONIC.

    `strategy` is a key of `STRATEGIES`, `names` one of `MODELS`. Equal cuts of a log give states
    that are equal byte for byte.
    """

    moment: int
    strategy: str
    names: str = "journal"
    seed: int = 0


def moments(log: Log, count: int, seed: int) -> list[int]:
    """Return random moments, sorted, between the first and last acknowledgement of a log."""
    draw = random.Random(seed)
    ends = [call.end for call in log.acks if call.end is not None]
    if not ends:
        raise UsageError("the log has no acknowledgement; record a run with --ack-log")
    return sorted(draw.randint(min(ends), max(ends)) for _ in range(count))


def write(history: History, cut: Cut, places: Mapping[Path, Path]) -> None:
    """Write the state of `cut`: what was below each root of `places` goes to its new folder."""
    strategy = STRATEGIES[cut.strategy]
    draw = random.Random(f"{cut.seed} {cut.moment} {cut.strategy} {cut.names}")
    chosen = MODELS[cut.names][strategy.names](history, cut.moment, draw)
    names, folders = _after(history, chosen)
    targets = {str(root): place for root, place in places.items()}
    for place in places.values():
        place.mkdir(parents=True)
    for folder in sorted(folders - targets.keys()):
        if (below := _place(folder, targets)) is not None and below.parent.is_dir():
            below.mkdir(exist_ok=True)
    made: dict[File, Path] = {}
    for path, file in sorted(names.items()):
        target = _place(path, targets)
        if target is None or not target.parent.is_dir():
            continue  # its folder's name was lost
        if file in made:
            os.link(made[file], target)
        else:
            _write_file(file, target, cut, strategy, draw)
            made[file] = target


def digest(places: Sequence[Path], unread: Sequence[str] = ()) -> str:
    """Return a digest of the names below `places` and their content, to tell states apart.

    Names that match a pattern of `unread` are left out.
    """
    sha = hashlib.sha256()
    for number, place in enumerate(places):
        for path in sorted(place.rglob("*")):
            if any(fnmatch(path.name, pattern) for pattern in unread):
                continue
            sha.update(f"{number}/{path.relative_to(place)}\0{_held(path)}\0".encode())
    return sha.hexdigest()


def _held(path: Path) -> str:
    """Return what a path holds; an unchanged, linked file is identified by its inode number."""
    if path.is_dir():
        return "folder"
    about = path.stat()
    if path.suffix in IMMUTABLE and about.st_nlink > 1:
        return f"file {about.st_ino}"
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _after(history: History, chosen: Chosen) -> tuple[dict[str, File], set[str]]:
    """Return the names and folders after only these changes of names."""
    names, folders = dict(history.names), set(history.folders)
    for edits in chosen:
        for path, what in edits.items():
            names.pop(path, None)
            folders.discard(path)
            if isinstance(what, Folder):
                folders.add(path)
            elif what is not None:
                names[path] = what
    return names, folders


def _place(path: str, targets: Mapping[str, Path]) -> Path | None:
    """Return where a recorded path goes, below the nearest root, or None."""
    for root in sorted(targets, key=len, reverse=True):
        if path.startswith(f"{root}/"):
            return targets[root] / path[len(root) + 1 :]
    return None


def _write_file(file: File, place: Path, cut: Cut, strategy: Strategy, draw: random.Random) -> None:
    durable, unsynced = content.durable_and_unsynced(file, cut.moment)
    if file.start is not None and not durable and not unsynced:
        if not linked(file.start, place):  # no engine writes to immutable files
            shutil.copyfile(file.start, place)
        return
    held = bytearray(file.start.read_bytes() if file.start is not None else b"")
    for call in durable:
        content.apply(held, call)
    strategy.content(held, unsynced, cut.moment, draw)
    place.write_bytes(held)


def acknowledged(log: Log, moment: int) -> Iterator[int]:
    """Yield when each acknowledgement that existed at `moment` had been appended to its log."""
    for call in log.acks:
        if call.end is not None and call.end <= moment:
            yield from itertools.repeat(call.end, bytes(call.data).count(b"\n"))


def told(log: Log, moment: int) -> bytes:
    """Return the acknowledgement log as it was at `moment`."""
    return b"".join(
        bytes(content.written(call))
        for call in log.told
        if call.end is not None and call.end <= moment
    )
