"""Copies of data directories whose server was shut down."""

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
"""Suffixes of RocksDB's files that whoever opens a clone never writes to: a link is enough."""
# Of the server that loaded: its info logs and its locks.
_LEFT_BEHIND = ("LOG", "LOCK")
_PIECE = 1 << 30
_LARGE = 1 << 20


@dataclass(frozen=True)
class _Entry:
    """A file of the original, in a folder that is held open: links are not followed to it."""

    folder: int
    name: str
    found: os.stat_result

    def open(self) -> int:
        return os.open(self.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=self.folder)


def clone(
    data_set: Path, target: Path, engine: str, wal_dir: Path | None, *, links: bool = True
) -> None:
    """A copy at `target` of a data directory whose server was shut down.

    The log goes to `wal_dir` when there is one. Immutable files that the servers' user owns
    become hard links where the file system allows it, unless without `links` the copy's pages in
    memory shall be its own; all else is copied, InnoDB's log with all
    its bytes, since a log that is used for a while has its blocks, too. The servers' user owns
    the copy; the original is never changed. Errors: WaltaxError when the file system is full, a
    directory cannot be written, or the original holds a link: the servers' user may have made
    it, and we may read what it points to and that user may not.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.mkdir(0o700)
        if wal_dir is not None:
            wal_dir.mkdir(parents=True, exist_ok=True)
        for root, folders, files, handle in os.fwalk(data_set, follow_symlinks=False):
            part = Path(root).relative_to(data_set)
            for name in sorted([*folders, *files]):
                found = os.stat(name, dir_fd=handle, follow_symlinks=False)
                place = _place(part / name, target, engine, wal_dir)
                if place is not None and name != MARKER:
                    _take(_Entry(handle, name, found), place, data_set / part / name, links=links)
    except OSError as error:
        raise WaltaxError(f"{target}: cannot clone {data_set.name}: {in_words(error)}") from error
    give(target)
    if wal_dir is not None:
        give(wal_dir)


def _take(entry: _Entry, place: Path, original: Path, *, links: bool) -> None:
    if stat.S_ISDIR(entry.found.st_mode):
        place.mkdir(exist_ok=True)
    elif not stat.S_ISREG(entry.found.st_mode):
        raise WaltaxError(
            f"{original}: neither a file nor a folder, and what a link points to is not copied; "
            "put what it stands for in its place"
        )
    elif not (links and _linked(entry, place)):
        _copy(entry, place)


def _linked(entry: _Entry, target: Path) -> bool:
    """Whether `target` is now a hard link; False where there must be a copy.

    A link has the original's owner, so that giving the one away would give away the other.
    """
    if target.suffix not in IMMUTABLE:
        return False
    found, ids = entry.found, owner()
    if (found.st_uid, found.st_gid) != ids and (ids is not None or found.st_uid != os.geteuid()):
        return False
    try:
        os.link(entry.name, target, src_dir_fd=entry.folder, follow_symlinks=False)
    except OSError as error:
        if error.errno in (errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP):
            return False
        raise
    return True


def _place(part: Path, target: Path, engine: str, wal_dir: Path | None) -> Path | None:
    """Where the file at `part` of the data directory goes; None for what is left behind."""
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
    """Within a file system the kernel copies, and shares blocks where it can.

    A large copy is on the device when this returns: written back later, it would be so in the
    middle of a measurement.
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
