"""The log of a recorded program, whose layout is in devices/preload/recorder/recorder.h.

All its processes have one log. Times are nanoseconds of CLOCK_MONOTONIC.
"""

from __future__ import annotations

import enum
import itertools
import mmap
import os
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from ..base.errors import WaltaxError

_MAGIC, _VERSION, _START = 0x4345525841544C57, 3, 4096
_HEADER = struct.Struct("<6Q256s")
_RECORD = struct.Struct("<I2HIi6Q4I")
_CAPACITY_MB = 1024  # only what is used takes room
_SHARED = 4096  # locks that the processes share, behind the records
_CLAIMED, _ENDED = 0, 2


class Kind(enum.IntEnum):
    """enum recorder_kind."""

    ROOT = 1
    FILE = 2
    CREATE = 3
    TRUNCATE = 4
    WRITE = 5
    ALLOCATE = 6
    SYNC = 7
    SYNC_RANGE = 8
    SYNC_DIR = 9
    SYNC_ALL = 10
    RENAME = 11
    LINK = 12
    UNLINK = 13
    MKDIR = 14
    RMDIR = 15
    ACK = 16


_KINDS = frozenset(Kind)
Identity = tuple[int, int]
"""The device and the inode of a file; (0, 0) of none. A later file may have the same."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that did not fail. `end` is None when the process ended during the call.

    `file` is a number that no other file has, 0 for no file. `text` and `other` are absolute paths.
    `length` of a write is how much of `data` was written.
    """

    kind: Kind
    begin: int
    end: int | None
    thread: int
    file: int
    flags: int
    offset: int
    length: int
    text: str
    other: str
    data: memoryview


@dataclass(frozen=True)
class Log:
    """The recorded calls, in the order in which they began."""

    roots: tuple[Path, ...]
    calls: tuple[Call, ...]
    told: tuple[Call, ...]  # appends to the acknowledgement log that returned

    @cached_property
    def acks(self) -> tuple[Call, ...]:
        """The appends that acknowledge commits; a line that begins with "?" may be one."""
        return tuple(call for call in self.told if bytes(call.data[:1]) != b"?")


def create(path: Path, capacity_mb: int = _CAPACITY_MB) -> None:
    """Make an empty log, for the recorder of a program to map, whoever its processes run as."""
    capacity = capacity_mb << 20
    with path.open("wb") as file:
        file.write(_HEADER.pack(_MAGIC, _VERSION, capacity, *[0] * 3, b"").ljust(_START, b"\0"))
        file.truncate(capacity + _SHARED)
    path.chmod(0o666)


def read(path: Path) -> Log:
    """Read the log of a program that ended.

    Errors: WaltaxError for a file that is no log, a torn or full log, or one of no process.
    """
    calls = list(_numbered(sorted(_calls(path), key=lambda found: found[1].begin)))
    roots = dict.fromkeys(Path(call.text) for call in calls if call.kind == Kind.ROOT)
    return Log(
        tuple(roots),
        tuple(call for call in calls if call.kind not in (Kind.ROOT, Kind.ACK)),
        tuple(call for call in calls if call.kind == Kind.ACK and call.end is not None),
    )


def _numbered(found: Iterable[tuple[Identity, Call]]) -> Iterator[Call]:
    """Yield the calls with the numbers of their files; of a file that is known, no FILE again."""
    numbers: dict[Identity, int] = {}
    new = itertools.count(1)
    for identity, call in found:
        is_first = call.kind == Kind.FILE and identity not in numbers
        if call.kind == Kind.FILE and not is_first:
            continue
        if any(identity) and (is_first or call.kind == Kind.CREATE):
            numbers[identity] = next(new)
        yield replace(call, file=numbers.get(identity, 0))


def _calls(path: Path) -> Iterator[tuple[Identity, Call]]:
    try:
        with path.open("rb") as file:
            content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        raise WaltaxError(f"{path}: cannot be read as a log: {error}") from error
    at, used = _START, _used(path, content)
    while at < used:
        size, found = _call(path, content[:used], at)
        if found is not None:
            yield found
        at += size


def _used(path: Path, content: memoryview) -> int:
    """Return the end of the last record."""
    if len(content) < _START or content[:8] != struct.pack("<Q", _MAGIC):
        raise WaltaxError(f"{path}: found no log of the recorder, want a file that it wrote")
    numbers = _HEADER.unpack_from(content)
    _, version, capacity, used, programs, full, refused = numbers
    if version != _VERSION or capacity > len(content):
        raise WaltaxError(f"{path}: found a log of another release, or cut short; record it again")
    if refused.strip(b"\0"):
        words = refused.partition(b"\0")[0].decode(errors="replace")
        raise WaltaxError(f"{path}: the recorder ended a process: {words}")
    if programs == 0:
        raise WaltaxError(f"{path}: no process was recorded; preload the recorder")
    if full:
        raise WaltaxError(
            f"{path}: the log's {capacity >> 20} MiB were full before its program ended; record "
            "less, or make it larger"
        )
    if not (used == 0 or _START <= used <= capacity):
        raise _torn(path, used)
    return int(used)


def _call(path: Path, content: memoryview, at: int) -> tuple[int, tuple[Identity, Call] | None]:
    """Return the size of the record at `at`, and its call, unless that never began or failed."""
    if at + _RECORD.size > len(content):
        raise _torn(path, at)
    numbers = _RECORD.unpack_from(content, at)
    size, kind, state, thread, error, begin, end, device, inode, offset, length, flags = numbers[
        :12
    ]
    ends = at + size
    if size < _RECORD.size or size % 8 or ends > len(content) or state > _ENDED:
        raise _torn(path, at)
    if state == _CLAIMED:
        return size, None
    sizes = numbers[12:]
    if _RECORD.size + sum(sizes) > size or kind not in _KINDS or (state == _ENDED and end < begin):
        raise _torn(path, at)
    if error:
        return size, None
    parts, start = [], at + _RECORD.size
    for part in sizes:
        parts.append(content[start : start + part])
        start += part
    text, other = (os.fsdecode(bytes(part)) for part in parts[:2])
    returned = end if state == _ENDED else None
    call = Call(
        Kind(kind), begin, returned, thread, 0, flags, offset, length, text, other, parts[2]
    )
    return size, ((device, inode), call)


def _torn(path: Path, at: int) -> WaltaxError:
    return WaltaxError(f"{path}: the record at byte {at} is none; the log is torn, record it again")
