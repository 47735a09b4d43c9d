"""Pages of files in memory, whoever they are charged to: how many there are, and none any more."""

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
    """Have no file below `folder` in memory; what was written to it is on the disk then."""
    for handle in _opened(folder):
        os.fsync(handle)  # a page that is not written yet stays
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)


def resident_bytes(folder: Path) -> int:
    """How much of all files below `folder` is in memory (mincore(2)); others may change it."""
    sizes = ((handle, os.fstat(handle).st_size) for handle in _opened(folder))
    return sum(_pages(handle, size) * mmap.PAGESIZE for handle, size in sizes if size)


def _opened(folder: Path) -> Iterator[int]:
    """Each regular file, open until the next one is; one or the other may go meanwhile."""
    for root, _, names in os.walk(folder):
        for file in (path for name in names if (path := Path(root) / name).is_file()):
            with suppress(FileNotFoundError):
                handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
                try:
                    yield handle
                finally:
                    os.close(handle)


def _pages(handle: int, length: int) -> int:
    """Errors: OSError when the kernel does not tell."""
    address = _libc.mmap(None, length, mmap.PROT_READ, mmap.MAP_SHARED, handle, 0)
    if address == _FAILED:
        raise OSError(ctypes.get_errno(), "mmap")
    try:
        told = ctypes.create_string_buffer(-(-length // mmap.PAGESIZE))
        if _libc.mincore(address, length, told) != 0:
            raise OSError(ctypes.get_errno(), "mincore")
        return sum(byte & 1 for byte in told.raw[: len(told)])
    finally:
        _libc.munmap(address, length)
