"""The log of a disk as Linux's dm-log-writes has it, and QEMU's driver `blklogwrites` writes it.

A block with a header comes first: magic, version and number of entries as 64 bits, size of a block
as 32, little-endian. Each entry is a block with first sector, number of sectors, flags and length
of a mark as 64 bits each, and the data behind it; in units of that block. Source:
Documentation/admin-guide/device-mapper/log-writes.rst of Linux, block/blklogwrites.c of QEMU.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from waltax.base.errors import WaltaxError

_MAGIC, _VERSION = 0x6A736677736872, 1
_SUPER, _ENTRY = struct.Struct("<3QI"), struct.Struct("<4Q")
_FLUSH, _FUA, _DISCARD, _MARK = 1, 2, 4, 8
_KNOWN = _FLUSH | _FUA | _DISCARD | _MARK
_BLOCK_BYTES = range(512, 65537)


@dataclass(frozen=True, slots=True)
class Entry:
    """One command that the disk had carried out, in bytes.

    `flush` empties the disk's cache before the data of this entry; with `fua` that data is on the
    medium itself. A discard has a `length` and no `data`.
    """

    offset: int
    length: int
    flush: bool
    fua: bool
    data: memoryview


def read(path: Path) -> tuple[Entry, ...]:
    """The entries in the order in which the disk carried them out.

    Errors: WaltaxError for what is no such log, or one that ends within an entry.
    """
    try:
        with path.open("rb") as file:
            content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        raise WaltaxError(f"{path}: cannot be read as a block log: {error}") from error
    if len(content) < _SUPER.size or _SUPER.unpack_from(content)[0] != _MAGIC:
        raise WaltaxError(f"{path}: found no block log, want what QEMU's blklogwrites wrote")
    _, version, count, block = _SUPER.unpack_from(content)
    if version != _VERSION or block not in _BLOCK_BYTES or block & (block - 1):
        raise WaltaxError(
            f"{path}: found a block log of version {version} with blocks of {block} bytes, want "
            f"version {_VERSION} and a power of two from 512 to 65536"
        )
    return tuple(_entries(path, content, count, block))


def _entries(path: Path, content: memoryview, count: int, block: int) -> Iterator[Entry]:
    at = block
    for number in range(count):
        if at + block > len(content):
            raise _torn(path, number, count)
        sector, sectors, flags, mark = _ENTRY.unpack_from(content, at)
        if flags & ~_KNOWN or mark > block - _ENTRY.size:
            raise WaltaxError(f"{path}: entry {number} is none; the log is torn, record it again")
        at += block
        carried = 0 if flags & _DISCARD else sectors * block
        if at + carried > len(content):
            raise _torn(path, number, count)
        if not flags & _MARK:
            data = content[at : at + carried]
            offset, length = sector * block, sectors * block
            yield Entry(offset, length, bool(flags & _FLUSH), bool(flags & _FUA), data)
        at += carried


def _torn(path: Path, number: int, count: int) -> WaltaxError:
    return WaltaxError(f"{path}: ends within entry {number} of {count}; record it again")
