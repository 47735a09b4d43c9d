"""The names that exist after a cut, by two models of a file system.

`journal`: names become durable in the order of their changes, as on ext4. A sync of a file commits
its names, and every change before those; so does a sync of a directory. fdatasync commits the name
that the file was created with, and all earlier changes if its size changed since its last sync.
`strict`: what POSIX promises. Only a sync of its directory commits a name.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial

from ..log import Call, Kind
from .content import returned
from .history import File, Folder, History, Naming

Edits = Mapping[str, File | Folder | None]
Chosen = Sequence[Edits]
Choice = Callable[[History, int, random.Random], Chosen]
"""A function that returns the changes of names that survive, in order."""


def all_returned(history: History, moment: int, _draw: random.Random) -> Chosen:
    return [naming.edits for naming in history.namings if returned(naming.call, moment)]


def journal_durable(history: History, moment: int, _draw: random.Random) -> Chosen:
    return [naming.edits for naming in history.namings[: _committed(history, moment)]]


def journal_some(history: History, moment: int, draw: random.Random) -> Chosen:
    begun = sum(naming.call.begin <= moment for naming in history.namings)
    least = _committed(history, moment)
    return [naming.edits for naming in history.namings[: draw.randint(least, max(least, begun))]]


def strict_durable(history: History, moment: int, _draw: random.Random) -> Chosen:
    return [_synced(history, naming, moment) for naming in history.namings]


def strict_some(history: History, moment: int, draw: random.Random) -> Chosen:
    """Return the durable changes, and each of the others by chance."""
    return [
        naming.edits if draw.random() < 0.5 else _synced(history, naming, moment)
        for naming in history.namings
        if naming.call.begin <= moment
    ]


MODELS: dict[str, dict[str, Choice]] = {
    "journal": {"all": all_returned, "durable": journal_durable, "some": journal_some},
    "strict": {"all": all_returned, "durable": strict_durable, "some": strict_some},
}


def _synced(history: History, naming: Naming, moment: int) -> Edits:
    """Return the edits whose directory was synced after them."""
    return {
        path: what
        for path, what in naming.edits.items()
        if _before_a_sync(naming.call, history.folder_syncs.get(_folder(path), ()), moment)
    }


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _before_a_sync(call: Call, syncs: Sequence[Call], moment: int) -> bool:
    return any(returned(sync, moment) and returned(call, sync.begin) for sync in syncs)


def _committed(history: History, moment: int) -> int:
    """Return how many changes, from the first, a cut cannot undo."""
    return max((count for end, count in _commits(history) if end <= moment), default=0)


@lru_cache(maxsize=2)
def _commits(history: History) -> list[tuple[int, int]]:
    """Return for each sync when it returned, and how many changes, from the first, it commits."""
    commits = [
        (sync, _last(history, sync, partial(_edits_in, folder)))
        for folder, syncs in history.folder_syncs.items()
        for sync in syncs
    ]
    for file in history.files:
        commits += [(sync, _brought(history, file, sync, grew)) for sync, grew in _resizes(file)]
    return [(sync.end, count) for sync, count in commits if sync.end is not None]


def _brought(history: History, file: File, sync: Call, resized: bool) -> int:
    """Return how many changes of names a sync of a file commits."""
    if sync.kind == Kind.SYNC_ALL or resized:
        return _last(history, sync, lambda _: True)
    if sync.flags:  # fdatasync
        return _last(
            history, sync, lambda naming: naming.call.kind == Kind.CREATE and file in naming.files
        )
    return _last(history, sync, lambda naming: file in naming.files)


def _last(history: History, sync: Call, wanted: Callable[[Naming], bool]) -> int:
    """Return the number of changes up to the last `wanted` one that ended before the sync began."""
    last = 0
    for number, naming in enumerate(history.namings, 1):
        if naming.call.begin > sync.begin:
            break
        if returned(naming.call, sync.begin) and wanted(naming):
            last = number
    return last


def _edits_in(folder: str, naming: Naming) -> bool:
    return any(_folder(path) == folder for path in naming.edits)


def _resizes(file: File) -> Iterator[tuple[Call, bool]]:
    """Yield each sync of the file, and whether the size had changed since the sync before."""
    size = file.start.stat().st_size if file.start is not None else 0
    changes = iter([*file.changes, None])
    change = next(changes)
    for sync in sorted(file.syncs, key=lambda call: call.begin):
        before = size
        while change is not None and returned(change, sync.begin):
            size = _size_after(change, size)
            change = next(changes)
        yield sync, size != before


def _size_after(change: Call, size: int) -> int:
    if change.kind == Kind.TRUNCATE:
        return change.offset
    if change.kind == Kind.WRITE or not change.flags:
        return max(size, change.offset + change.length)
    return size
