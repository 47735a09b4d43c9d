"""A log as a history of files and names: what each call did to which file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...base.errors import WaltaxError
from ..log import Call, Kind, Log

KEEP_SIZE, PUNCH_HOLE, ZERO_RANGE = 1, 2, 16  # fallocate's modes
_EXCHANGE = 2  # renameat2's


@dataclass(eq=False)
class File:
    """A file throughout its life, whatever its names were.

    `start` has its content when the recording began, None for a file that was created later.
    `changes` are in the order in which they ended; those under way at the process's end come last.
    """

    start: Path | None
    changes: list[Call] = field(default_factory=list)
    syncs: list[Call] = field(default_factory=list)


@dataclass(frozen=True)
class Folder:
    """The value of a name that is a directory."""


@dataclass(frozen=True)
class Naming:
    """A call that changed names, with what each name refers to afterwards, None for nothing."""

    call: Call
    edits: Mapping[str, File | Folder | None]
    files: tuple[File, ...]  # those whose names they are


@dataclass(eq=False)
class History:
    """The absolute names and folders at the start, and all changes to them."""

    names: dict[str, File]
    folders: set[str]
    files: list[File] = field(default_factory=list)
    namings: list[Naming] = field(default_factory=list)
    folder_syncs: dict[str, list[Call]] = field(default_factory=dict)


def of(log: Log, starts: Mapping[Path, Path]) -> History:
    """Return the history of a log. `starts` has a copy of each root at the beginning.

    A root that is not in `starts` was empty. Errors: WaltaxError, which names the file, for a
    change that the log does not account for.
    """
    names: dict[str, File] = {}
    folders = {str(root) for root in log.roots}
    for root, start in starts.items():
        for folder, below, files in os.walk(start):
            here = root / Path(folder).relative_to(start)
            folders |= {str(here / name) for name in below}
            names |= {str(here / name): File(Path(folder) / name) for name in files}
    history = History(dict(names), set(folders), list(names.values()))
    teller = _Teller(history, names, folders)
    for call in log.calls:
        teller.take(call)
    for file in history.files:
        file.changes.sort(key=_ended)
    return history


def _ended(call: Call) -> tuple[bool, int]:
    return call.end is None, call.end or call.begin


class _Teller:
    """Follow the names as the program saw them."""

    def __init__(self, history: History, names: dict[str, File], folders: set[str]) -> None:
        self._history, self._names, self._folders = history, names, folders
        self._numbered: dict[int, File] = {}

    def take(self, call: Call) -> None:
        match call.kind:
            case Kind.FILE:
                self._numbered[call.file] = self._known(call.text)
            case Kind.CREATE:
                self._created(call)
            case Kind.ALLOCATE if call.flags & ~(KEEP_SIZE | PUNCH_HOLE | ZERO_RANGE):
                raise WaltaxError(f"fallocate with mode {call.flags}: the cutter cannot follow it")
            case Kind.TRUNCATE | Kind.WRITE | Kind.ALLOCATE:
                self._file(call).changes.append(call)
            case Kind.SYNC:
                self._file(call).syncs.append(call)
            case Kind.SYNC_DIR:
                self._folder_syncs(call.text).append(call)
            case Kind.SYNC_ALL:
                for file in self._history.files:
                    file.syncs.append(call)
                for folder in self._folders:
                    self._folder_syncs(folder).append(call)
            case Kind.RENAME | Kind.LINK:
                self._named(call)
            case Kind.UNLINK | Kind.RMDIR:
                self._folders.discard(call.text)
                self._name(call, {call.text: None}, *filter(None, [self._names.get(call.text)]))
            case Kind.MKDIR:
                self._folders.add(call.text)
                self._name(call, {call.text: Folder()})

    def _folder_syncs(self, folder: str) -> list[Call]:
        return self._history.folder_syncs.setdefault(folder, [])

    def _known(self, path: str) -> File:
        file = self._names.get(path)
        if file is None:
            raise WaltaxError(f"{path}: was not there at the start, and no recorded call made it")
        return file

    def _created(self, call: Call) -> None:
        file = File(None)
        self._history.files.append(file)
        if call.file:
            self._numbered[call.file] = file
        self._name(call, {call.text: file}, file)

    def _file(self, call: Call) -> File:
        file = self._numbered.get(call.file)
        if file is None:
            raise WaltaxError(
                f"a {call.kind.name} of file {call.file}, which no record before it names: a call "
                "that the recorder does not see opened or made it, such as mkstemp"
            )
        return file

    def _named(self, call: Call) -> None:
        if call.text in self._folders:
            raise WaltaxError(f"{call.text}: a folder was renamed, which the cutter cannot follow")
        if not call.text:
            raise WaltaxError(f"{call.other}: came from outside of what was recorded")
        file = self._known(call.text)
        if call.kind == Kind.LINK:
            self._name(call, {call.other: file}, file)
        elif not call.other:
            self._name(call, {call.text: None}, file)
        elif call.flags & _EXCHANGE:
            other = self._known(call.other)
            self._name(call, {call.text: other, call.other: file}, file, other)
        else:
            self._name(call, {call.text: None, call.other: file}, file)

    def _name(self, call: Call, edits: dict[str, File | Folder | None], *files: File) -> None:
        self._history.namings.append(Naming(call, edits, files))
        for path, what in edits.items():
            self._names.pop(path, None)
            if isinstance(what, File):
                self._names[path] = what
