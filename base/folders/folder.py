"""A folder of ours: made, held, taken over from a killed process, and removed.

A marker file in it shows that waltax made it. It is one line of JSON: {"made_by": "waltax", "kind":
"work", "inode": 1234}. The number is the folder's own, so that a copy that somebody keeps of the
folder is not ours. setup.sh writes the same line. A process that works in a folder holds the lock
of that file.

A kill at any moment leaves a folder with its marker, or one whose name begins with HALF and which
holds at most an empty marker: the next sweeps remove both.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import secrets
import stat
import tempfile
import time
from pathlib import Path

from . import removal

HALF = ".waltax-half-"
"""Prefix of the name of a folder that is being made or removed."""
MARKER = ".waltax-owned"
_MOMENT_S = 60.0
_LONGEST = 4096  # bytes of a marker
_NO_LINK = os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | _NO_LINK
_NO_MARKER = (errno.ENOENT, errno.ELOOP, errno.EISDIR, errno.ENXIO)


class NotOursError(Exception):
    """A folder that waltax must leave alone; the words say why, after the folder's name."""


class HeldError(Exception):
    """A folder of ours that another process works in."""


class Folder:
    """A folder that this process holds until it releases or removes it. Use from one thread."""

    def __init__(self, path: Path, folder: int, mark: int) -> None:
        self.path = path
        self._folder = folder
        self._mark = mark

    @classmethod
    def take(cls, path: Path, *kinds: str) -> Folder:
        """Hold an existing folder.

        Errors: NotOursError unless it is this user's, of one of `kinds`, and not a link; HeldError
        when a process works in it; OSError when it is gone.
        """
        with contextlib.ExitStack() as stack:
            try:
                folder = os.open(path, _FOLDER)
            except NotADirectoryError as error:
                raise NotOursError("is a link, or no folder") from error
            stack.callback(os.close, folder)
            mark = _open_marker(folder)
            stack.callback(os.close, mark)
            _require_ours(folder, mark, kinds)
            taken = cls(path, folder, mark)
            if not locked(mark) or not taken._is_at(path):
                raise HeldError
            stack.pop_all()
            return taken

    def release(self) -> None:
        """Release the folder, which stays with its marker."""
        for handle in (self._mark, self._folder):
            os.close(handle)

    def move(self, path: Path) -> bool:
        """Rename the folder within its file system; return False when `path` exists already."""
        if os.path.lexists(path):
            return False
        self.path.rename(path)
        self.path = path
        return True

    def remove(self) -> None:
        """Remove the folder and its contents; it is released in any case.

        Errors: OSError for what cannot be removed; nothing is, when something is mounted in it.
        """
        try:
            removal.require_no_mount(self.path)
            if not self.path.name.startswith(HALF):
                self.move(self.path.with_name(f"{HALF}{secrets.token_hex(4)}"))
            removal.empty(self._folder, keep=MARKER)
            os.unlink(MARKER, dir_fd=self._folder)
            with contextlib.suppress(FileNotFoundError):  # another process cleared the rest
                self.path.rmdir()
        finally:
            self.release()

    def _is_at(self, path: Path) -> bool:
        with contextlib.suppress(OSError):
            return os.path.samestat(os.fstat(self._folder), path.lstat())
        return False


def make(path: Path, kind: str, mode: int = 0o700) -> Folder:
    """Make a folder at `path`, whose parent exists, and return it held.

    Errors: FileExistsError when anything exists there; OSError.
    """
    made = _half(path.parent, kind, mode)
    try:
        if made.move(path):
            return made
    except BaseException:
        made.remove()
        raise
    made.remove()
    raise FileExistsError(errno.EEXIST, "it is there already", str(path))


def _half(parent: Path, kind: str, mode: int) -> Folder:
    """Make a half folder and hold it. Its marker is empty until it is locked."""
    half = Path(tempfile.mkdtemp(prefix=HALF, dir=parent))
    with contextlib.ExitStack() as stack:
        folder = os.open(half, _FOLDER)
        stack.callback(os.close, folder)
        mark = os.open(MARKER, os.O_RDWR | os.O_CREAT | os.O_EXCL | _NO_LINK, 0o600, dir_fd=folder)
        stack.callback(os.close, mark)
        with contextlib.suppress(OSError):  # a file system without locks, as some NFS
            locked(mark)
        content = {"made_by": "waltax", "kind": kind, "inode": os.fstat(folder).st_ino}
        os.write(mark, json.dumps(content).encode() + b"\n")
        os.fchmod(folder, mode)
        stack.pop_all()
        return Folder(half, folder, mark)


def remove_left(path: Path, *kinds: str) -> None:
    """Remove a folder of ours that no process works in.

    A half folder without its marker's text is left for a minute, since it may be just being made,
    and then removed if it holds nothing else. Errors: those of `Folder.take` and `Folder.remove`.
    """
    try:
        taken = Folder.take(path, *kinds)
    except NotOursError:
        info, mark = path.lstat(), path / MARKER
        ours = stat.S_ISDIR(info.st_mode) and info.st_uid == os.geteuid()
        if not (ours and path.name.startswith(HALF)):
            raise
        if time.time() - info.st_mtime < _MOMENT_S:
            return
        if [entry.name for entry in path.iterdir()] == [MARKER] and not mark.lstat().st_size:
            mark.unlink()
        with contextlib.suppress(OSError):
            path.rmdir()
            return
        raise
    taken.remove()


def locked(mark: int, *, shared: bool = False) -> bool:
    """Try to lock `mark`; return whether it worked. Errors: OSError without file locks."""
    try:
        fcntl.flock(mark, fcntl.LOCK_NB | (fcntl.LOCK_SH if shared else fcntl.LOCK_EX))
    except BlockingIOError:
        return False
    return True


def is_own_file(handle: int) -> bool:
    """Return whether it is a regular file of this user with a single link."""
    info = os.fstat(handle)
    return stat.S_ISREG(info.st_mode) and info.st_uid == os.geteuid() and info.st_nlink == 1


def _open_marker(folder: int) -> int:
    """Open the marker. Errors: NotOursError for another user's folder, or one without a marker."""
    info = os.fstat(folder)
    if info.st_uid != os.geteuid():
        raise NotOursError(f"belongs to user {info.st_uid}")
    try:
        return os.open(MARKER, os.O_RDWR | _NO_LINK | os.O_NONBLOCK, dir_fd=folder)
    except OSError as error:
        if error.errno not in _NO_MARKER:
            raise
        raise NotOursError(f"has no marker of waltax ({MARKER})") from error


def _require_ours(folder: int, mark: int, kinds: tuple[str, ...]) -> None:
    """Raise NotOursError unless the marker is ours, this folder's, and of one of `kinds`."""
    if not is_own_file(mark):
        raise NotOursError(f"has a {MARKER} that waltax did not write")
    try:
        content = json.loads(os.pread(mark, _LONGEST, 0))
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or content.get("made_by") != "waltax":
        raise NotOursError(f"has a {MARKER} that waltax did not write")
    if content.get("inode") != os.fstat(folder).st_ino:
        raise NotOursError("is a copy: its marker is of another folder")
    if content.get("kind") not in kinds:
        raise NotOursError(f"is of another kind: {str(content.get('kind'))[:40]!r}")
