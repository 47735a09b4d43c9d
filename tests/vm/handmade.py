"""Block logs of a few entries, as QEMU's driver would write them."""

from __future__ import annotations

import struct
from pathlib import Path

from blocks.log import Entry
from blocks.replay import SECTOR

FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8


def packed(*entries: tuple[int, bytes, int], block: int = SECTOR) -> bytes:
    """A log of (first sector, data, flags); the data of a discard is not in it, but its length."""
    head = struct.pack("<3QI", 0x6A736677736872, 1, len(entries), block)
    parts = [head.ljust(block, b"\0")]
    for sector, data, flags in entries:
        entry = struct.pack("<4Q", sector, len(data) // block, flags, 0)
        parts += [entry.ljust(block, b"\0"), b"" if flags & DISCARD else data]
    return b"".join(parts)


def sector(letter: str) -> bytes:
    return letter.encode() * SECTOR


def write_of(at: int, letters: str, *, fua: bool = False) -> Entry:
    """A sector of each letter, from sector `at` on."""
    data = b"".join(map(sector, letters))
    return Entry(at * SECTOR, len(data), False, fua, memoryview(data))


def flush() -> Entry:
    return Entry(0, 0, True, False, memoryview(b""))


def letters(image: Path) -> str:
    """The first letter of each sector; dots are zeros."""
    content = image.read_bytes()
    return "".join(chr(content[at] or ord(".")) for at in range(0, len(content), SECTOR))
