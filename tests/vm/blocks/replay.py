"""What a disk with a volatile cache may hold when its power is cut between two entries of its log.

An entry before the last flush is on the medium, and so is one with FUA. Of the others the disk may
have written any, in any order; a strategy says which. This takes a log whose disk carried out one
command at a time: then whatever stands before a flush was complete when the flush was sent.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from waltax.base import proc

from .log import Entry

SECTOR = 512


@dataclass(frozen=True)
class Region:
    """A part of a disk, in bytes."""

    offset: int
    length: int


Parts = Iterator[slice]
"""Ranges of an entry's bytes."""


@dataclass(frozen=True)
class BlockCut:
    """The power fails after `entries` of the log. Equal cuts of a log are equal byte for byte."""

    entries: int
    strategy: str
    seed: int = 0


def _none(_entry: Entry, _draw: random.Random) -> Parts:
    yield from ()


def _all(entry: Entry, _draw: random.Random) -> Parts:
    yield slice(0, entry.length)


def _some_writes(entry: Entry, draw: random.Random) -> Parts:
    if draw.random() < 0.5:
        yield slice(0, entry.length)


def _some_sectors(entry: Entry, draw: random.Random) -> Parts:
    for begin in range(0, entry.length, SECTOR):
        if draw.random() < 0.5:
            yield slice(begin, begin + SECTOR)


STRATEGIES: dict[str, Callable[[Entry, random.Random], Parts]] = {
    "dropped": _none,
    "writes": _some_writes,
    "sectors": _some_sectors,
    "kept": _all,
}
"""Which parts of an entry that was not flushed are on the medium."""


def within(log: Sequence[Entry], region: Region) -> list[Entry]:
    """The log as a disk that is the region alone would have it; as many entries."""
    return [_within(entry, region) for entry in log]


def _within(entry: Entry, region: Region) -> Entry:
    begin = max(0, region.offset - entry.offset)
    end = max(begin, min(entry.length, region.offset + region.length - entry.offset))
    offset = max(0, entry.offset + begin - region.offset)
    return Entry(offset, end - begin, entry.flush, entry.fua, entry.data[begin:end])


def write(base: Path, log: Sequence[Entry], cut: BlockCut, image: Path) -> None:
    """Write to `image` what the disk, which held `base` when the log began, holds after `cut`."""
    # Blocks of zeros take no room in the copy.
    proc.run(["cp", "--sparse=always", base, image])
    with image.open("r+b") as file:
        for entry, parts in _landed(log, cut):
            for part in parts:
                _carry_out(file.fileno(), entry, part)


def _landed(log: Sequence[Entry], cut: BlockCut) -> Iterator[tuple[Entry, Parts]]:
    """Each entry before the cut, and the parts of it that are on the medium."""
    strategy = STRATEGIES[cut.strategy]
    draw = random.Random(f"{cut.seed} {cut.entries} {cut.strategy}")
    before = log[: cut.entries]
    flushed = max((at for at, entry in enumerate(before) if entry.flush), default=0)
    for at, entry in enumerate(before):
        durable = at < flushed or entry.fua
        yield entry, _all(entry, draw) if durable else strategy(entry, draw)


def _carry_out(disk: int, entry: Entry, part: slice) -> None:
    """Of what was discarded, zeros are left."""
    data = entry.data[part] if entry.data else bytes(part.stop - part.start)
    os.pwrite(disk, data, entry.offset + part.start)
