"""Evict pages of files from memory, whoever they are charged to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def evict(folder: Path) -> None:
    """Evict all files below `folder` from memory; what was written to them is on disk then."""
    for handle in _opened(folder):
        os.fsync(handle)  # a page that is not written yet stays
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)


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
