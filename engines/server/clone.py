"""Copies of data directories whose server was shut down cleanly."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import WaltaxError, in_words
from ...base.folders.folder import MARKER
from .. import ENGINES
from .access import give, owner

_ROCKSDB = "#rocksdb"
IMMUTABLE = {".sst", ".blob"}
"""Suffixes of RocksDB's files that are never written again: a link is enough."""
# Info logs and locks of the server that loaded the data.
_LEFT_BEHIND = ("LOG", "LOCK")
_PIECE = 1 << 30
_LARGE = 1 << 20


@dataclass(frozen=True)
class _Entry:
    """A file of the original in a folder that is held open, so that no links are followed."""

    folder: int
    name: str
    info: os.stat_result

    def open(self) -> int:
        return os.open(self.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=self.folder)


def clone(
    data_set: Path, target: Path, engine: str, wal_dir: Path | None, *, links: bool = True
) -> None:
    """Copy a data directory whose server was shut down to `target`.

    The log goes to `wal_dir` if that is given. Immutable files that the servers' user owns become
    hard links where the file system allows it; without `links` they are copied, so that the copy
    has its own pages in memory. Everything else is copied, InnoDB's log with all its bytes, since a
    log in use has all its blocks, too. The servers' user owns the copy; the original is never
    changed. Errors: WaltaxError when the file system is full, a directory cannot be written, or the
    original holds a link: the servers' user may have made it to a file that only we may read.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.mkdir(0o700)
        if wal_dir is not None:
            wal_dir.mkdir(parents=True, exist_ok=True)
        for root, folders, files, handle in os.fwalk(data_set, follow_symlinks=False):
            part = Path(root).relative_to(data_set)
            for name in sorted([*folders, *files]):
                info = os.stat(name, dir_fd=handle, follow_symlinks=False)
                place = _place(part / name, target, engine, wal_dir)
                if place is not None and name != MARKER:
                    _take(_Entry(handle, name, info), place, data_set / part / name, links=links)
    except OSError as error:
        raise WaltaxError(f"{target}: cannot clone {data_set.name}: {in_words(error)}") from error
    give(target)
    if wal_dir is not None:
        give(wal_dir)


def _take(entry: _Entry, place: Path, original: Path, *, links: bool) -> None:
    if stat.S_ISDIR(entry.info.st_mode):
        place.mkdir(exist_ok=True)
    elif not stat.S_ISREG(entry.info.st_mode):
        raise WaltaxError(
            f"{original}: neither a file nor a folder, and what a link points to is not copied; "
            "put what it stands for in its place"
        )
    elif not (links and _linked(entry, place)):
        _copy(entry, place)


def _linked(entry: _Entry, target: Path) -> bool:
    """Try to make `target` a hard link; return False if it must be a copy.

    A link shares the original's owner, so giving away the one would give away the other.
    """
    if target.suffix not in IMMUTABLE:
        return False
    info, ids = entry.info, owner()
    if (info.st_uid, info.st_gid) != ids and (ids is not None or info.st_uid != os.geteuid()):
        return False
    try:
        os.link(entry.name, target, src_dir_fd=entry.folder, follow_symlinks=False)
    except OSError as error:
        if error.errno in (errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP):
            return False
        raise
    return True


def _place(part: Path, target: Path, engine: str, wal_dir: Path | None) -> Path | None:
    """Return where the file at `part` of the data directory goes; None if it is left behind."""
    inside = part.parts[0] == _ROCKSDB and len(part.parts) == 2
    if inside and part.name.startswith(_LEFT_BEHIND):
        return None
    if wal_dir is not None and _is_log(part, engine):
        return wal_dir / part.name
    return target / part


def _is_log(part: Path, engine: str) -> bool:
    server = ENGINES[engine].served
    return part.parent == Path(server.log_in) and part.match(server.log_names)


def _copy(entry: _Entry, target: Path) -> None:
    """Copy a file; within a file system the kernel does it, and shares blocks if it can.

    A large copy is on the device when this returns, or it would be written back in the middle of a
    measurement.
    """
    with os.fdopen(entry.open(), "rb") as old, target.open("wb") as new:
        try:
            while os.copy_file_range(old.fileno(), new.fileno(), _PIECE):
                pass
        except OSError:
            new.seek(0)
            old.seek(0)
            shutil.copyfileobj(old, new, 1 << 20)
        new.flush()
        if os.fstat(new.fileno()).st_size >= _LARGE:
            os.fdatasync(new.fileno())
