"""The bytes that a file has after a cut.

A change is durable if it ended before a sync of its file began that returned before the cut. The
disk may or may not have other changes: each strategy is a function of the durable content and the
unsynced changes, in order.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ...base.errors import WaltaxError
from ..log import Call, Kind
from .history import KEEP_SIZE, PUNCH_HOLE, ZERO_RANGE, File

Failure = Literal["kill", "power"]
Change = Callable[[bytearray, Sequence[Call], int, random.Random], None]
SECTOR = 512
most_bytes = 8 << 30


def durable_and_unsynced(file: File, moment: int) -> tuple[list[Call], list[Call]]:
    """Return the changes that a cut at `moment` cannot undo, and others that had begun by then."""
    begins = [call.begin for call in file.syncs if returned(call, moment)]
    latest = max(begins, default=-1)
    durable, unsynced = [], []
    for call in file.changes:
        if returned(call, moment) and (_ends(call) <= latest or _by_itself(call)):
            durable.append(call)
        elif call.begin <= moment:
            unsynced.append(call)
    return durable, unsynced


def returned(call: Call, moment: int) -> bool:
    """Return whether the call had returned to the program by `moment`."""
    return call.end is not None and call.end <= moment


def _ends(call: Call) -> int:
    assert call.end is not None
    return call.end


def _by_itself(call: Call) -> bool:
    return call.kind == Kind.WRITE and bool(call.flags & 1)


def apply(content: bytearray, call: Call, limit: int | None = None) -> None:
    """Carry out a change, but only the first `limit` bytes of a write."""
    if call.kind == Kind.WRITE:
        data = written(call)[:limit]
        if data:
            _grow(content, call.offset)
            content[call.offset : call.offset + len(data)] = data
    elif call.kind == Kind.TRUNCATE:
        del content[call.offset :]
        _grow(content, call.offset)
    elif call.flags & (PUNCH_HOLE | ZERO_RANGE):
        end = min(call.offset + call.length, len(content))
        content[call.offset : end] = bytes(max(0, end - call.offset))
    elif not call.flags & KEEP_SIZE:
        _grow(content, call.offset + call.length)


def _grow(content: bytearray, size: int) -> None:
    if size > most_bytes:
        raise WaltaxError(
            f"a file of {size:,} bytes: the cutter holds a file in memory, at most {most_bytes:,}"
        )
    content.extend(bytes(max(0, size - len(content))))


def written(call: Call) -> memoryview:
    """Return what a write gave to the kernel, or may have given if it never returned."""
    return call.data if call.end is None else call.data[: call.length]


def kept(content: bytearray, unsynced: Sequence[Call], moment: int, _draw: random.Random) -> None:
    """Keep every call that had returned."""
    for call in unsynced:
        if returned(call, moment):
            apply(content, call)


def dropped(
    _content: bytearray, _unsynced: Sequence[Call], _moment: int, _draw: random.Random
) -> None:
    """Keep nothing that was not synced, so that a recycled file has its old bytes."""


def prefix(content: bytearray, unsynced: Sequence[Call], _moment: int, draw: random.Random) -> None:
    """Keep the first changes, up to a byte within a sector; calls under way count."""
    left = draw.randint(0, sum(map(_weight, unsynced)))
    for call in unsynced:
        if left < _weight(call):
            if call.kind == Kind.WRITE:
                apply(content, call, left)
            return
        apply(content, call)
        left -= _weight(call)


def _weight(call: Call) -> int:
    return max(1, len(written(call)))


def sectors(
    content: bytearray, unsynced: Sequence[Call], _moment: int, draw: random.Random
) -> None:
    """Keep or lose each sector, since a disk may write sectors in any order.

    A sector with several writes is in the state after any of them. Changes of only the size happen
    in order, as in a journal.
    """
    calls = [call for call in unsynced if call.kind != Kind.ALLOCATE or call.flags != KEEP_SIZE]
    sizes = [at for at, call in enumerate(calls) if call.kind != Kind.WRITE]
    begins, ends = [0, *(at + 1 for at in sizes)], [*sizes, len(calls)]
    begin, end = draw.choice(list(zip(begins, ends, strict=True)))
    for call in calls[:begin]:
        apply(content, call)
    _some_sectors(content, [call for call in calls[begin:end] if written(call)], draw)


def _some_sectors(content: bytearray, writes: Sequence[Call], draw: random.Random) -> None:
    ends = [len(content)]
    touching: dict[int, list[Call]] = {}
    for call in writes:
        end = call.offset + len(written(call))
        ends.append(max(ends[-1], end))
        for sector in range(call.offset // SECTOR, (end - 1) // SECTOR + 1):
            touching.setdefault(sector, []).append(call)
    _grow(content, ends[-1])
    for sector, calls in touching.items():
        some = draw.choice([0, 0, len(calls), len(calls), draw.randint(0, len(calls))])
        for call in calls[:some]:
            _apply_within(content, call, sector * SECTOR)
    del content[draw.choice([ends[-1], draw.choice(ends)]) :]


def _apply_within(content: bytearray, call: Call, at: int) -> None:
    """Carry out the part of a write that changes the sector at `at`."""
    data = written(call)
    begin, end = max(at, call.offset), min(at + SECTOR, call.offset + len(data))
    content[begin:end] = data[begin - call.offset : end - call.offset]


@dataclass(frozen=True)
class Strategy:
    """`failure` is what causes such a state; `names` is a key of each model of `names.MODELS`."""

    failure: Failure
    content: Change
    names: Literal["all", "durable", "some"]
    help: str


STRATEGIES: dict[str, Strategy] = {
    "kill": Strategy("kill", kept, "all", "all that the process gave to the kernel"),
    "kept": Strategy("power", kept, "all", "all of it reached the disk by chance"),
    "dropped": Strategy("power", dropped, "durable", "nothing that was not synced"),
    "empty": Strategy("power", dropped, "all", "names without their content"),
    "nameless": Strategy("power", kept, "durable", "content without its names"),
    "prefix": Strategy("power", prefix, "some", "the first bytes, the last sector torn"),
    "sectors": Strategy("power", sectors, "some", "any sectors of 512 bytes"),
}
