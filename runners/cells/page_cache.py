"""Count and evict pages of files in memory, whoever they are charged to."""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [
    *(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long),
]
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p]
_FAILED = ctypes.c_void_p(-1).value


def evict(folder: Path) -> None:
    """Evict all files below `folder` from memory; what was written to them is on disk then."""
    for handle in _opened(folder):
        os.fsync(handle)  # a page that is not written yet stays
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)


def resident_bytes(folder: Path) -> int:
    """Return how much of all files below `folder` is in memory (mincore(2)); it may change."""
    sizes = ((handle, os.fstat(handle).st_size) for handle in _opened(folder))
    return sum(_pages(handle, size) * mmap.PAGESIZE for handle, size in sizes if size)


def _opened(folder: Path) -> Iterator[int]:
    """Open each regular file until the next one; files may vanish meanwhile."""
    for root, _, names in os.walk(folder):
        for file in (path for name in names if (path := Path(root) / name).is_file()):
            with suppress(FileNotFoundError):
                handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
                try:
                    yield handle
                finally:
                    os.close(handle)


def _pages(handle: int, length: int) -> int:
    """Count a file's pages in memory. Errors: OSError when the kernel does not say."""
    address = _libc.mmap(None, length, mmap.PROT_READ, mmap.MAP_SHARED, handle, 0)
    if address == _FAILED:
        raise OSError(ctypes.get_errno(), "mmap")
    try:
        resident = ctypes.create_string_buffer(-(-length // mmap.PAGESIZE))
        if _libc.mincore(address, length, resident) != 0:
            raise OSError(ctypes.get_errno(), "mincore")
        return sum(byte & 1 for byte in resident.raw[: len(resident)])
    finally:
        _libc.munmap(address, length)
