"""Copies whose files are out of the page cache, as after a reboot."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from ...mariadb.datadir import IMMUTABLE


def copied(source: Path, target: Path) -> None:
    """Copy a folder. Tables are never written to, so a link will do."""
    target.mkdir()
    for path in _files(source):
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in IMMUTABLE:
            os.link(path, place)
        else:
            shutil.copyfile(path, place)


def forget(*folders: Path) -> None:
    """Have the kernel drop what it has of the files in memory, which go to the disk for that."""
    for folder in folders:
        for path in _files(folder):
            file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                os.fsync(file)
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(file)


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
