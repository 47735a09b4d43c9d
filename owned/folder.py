"""A folder of ours: made, held, taken over from a process that was killed, and removed.

A kill at any moment leaves a folder with its marker, or one that is named as a half and holds
nothing but a marker: the next one to look removes both.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import secrets
import tempfile
from pathlib import Path

from . import marker, removal
from .marker import NotOursError
from .removal import MountedError

__all__ = ["HALF", "Folder", "HeldError", "MountedError", "NotOursError", "clear_half", "make"]

HALF = ".waltax-half-"
"""How the name of a folder begins that is just being made, or removed."""
_ATTEMPTS = 100


class HeldError(Exception):
    """A folder of ours that another process works in."""


class Folder:
    """Held by this process until it is released or removed. Use from one thread."""

    def __init__(self, path: Path, folder: int, mark: int) -> None:
        self.path = path
        self._folder = folder
        self._mark = mark

    @classmethod
    def take(cls, path: Path, *kinds: str) -> Folder:
        """Hold a folder that is there already.

        Errors: NotOursError unless it is this user's, of one of `kinds`, and no link; HeldError
        when a process works in it; OSError when it is gone.
        """
        try:
            folder = removal.open_folder(path)
        except NotADirectoryError as error:
            raise NotOursError("is a link, or no folder") from error
        try:
            mark = marker.open_valid(folder, kinds)
        except BaseException:
            os.close(folder)
            raise
        taken = cls(path, folder, mark)
        try:
            if not _locked(mark) or not taken._is_at(path):
                raise HeldError
        except BaseException:
            taken.release()
            raise
        return taken

    def release(self) -> None:
        """Let go of it; it stays, with its marker."""
        for handle in (self._mark, self._folder):
            os.close(handle)

    def disown(self) -> None:
        """Let go of it for ever: without a marker, waltax never removes it."""
        with contextlib.suppress(OSError):
            os.unlink(marker.NAME, dir_fd=self._folder)
        self.release()

    def move(self, path: Path) -> bool:
        """Give it another name on the same file system; False when something is there already."""
        if os.path.lexists(path):
            return False
        try:
            self.path.rename(path)
        except OSError:
            if os.path.lexists(path):
                return False
            raise
        self.path = path
        return True

    def remove(self) -> None:
        """Remove it and all that is in it; it is released in any case.

        Errors: MountedError when something is mounted below it, and nothing is removed then;
        OSError for what cannot be removed.
        """
        try:
            removal.require_no_mount(self._folder, self.path)
            if not self.path.name.startswith(HALF):
                self.move(self.path.with_name(f"{HALF}{secrets.token_hex(4)}"))
            removal.empty(self._folder, keep=marker.NAME)
            os.unlink(marker.NAME, dir_fd=self._folder)
            with contextlib.suppress(FileNotFoundError):  # another one cleared the rest
                self.path.rmdir()
        finally:
            self.release()

    def _is_at(self, path: Path) -> bool:
        with contextlib.suppress(OSError):
            return os.path.samestat(os.fstat(self._folder), path.lstat())
        return False


def make(path: Path, kind: str, mode: int = 0o700) -> Folder:
    """A new folder at `path`, held; its parent is there already.

    Errors: FileExistsError for anything that is there; OSError.
    """
    for _ in range(_ATTEMPTS):
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "it is there already", str(path))
        made = _begun(path.parent, kind, mode)
        if made is None:  # somebody took it for a leftover just now
            continue
        try:
            if made.move(path):
                return made
        except FileNotFoundError:  # the same
            made.release()
            continue
        except BaseException:
            made.remove()
            raise
        made.remove()
    raise OSError(errno.EAGAIN, "it is swept away again and again", str(path))


def make_unique(parent: Path, prefix: str, kind: str, mode: int = 0o700) -> Folder:
    """A new folder whose name begins with `prefix` and cannot be guessed, held. Errors: OSError."""
    return make(parent / f"{prefix}{secrets.token_hex(4)}", kind, mode)


def _begun(parent: Path, kind: str, mode: int) -> Folder | None:
    """A half folder, marked and held; None when somebody removed it meanwhile."""
    half = Path(tempfile.mkdtemp(prefix=HALF, dir=parent))
    try:
        folder = removal.open_folder(half)
    except FileNotFoundError:
        return None
    try:
        mark = marker.write(folder, kind)
    except BaseException as error:
        os.close(folder)
        if isinstance(error, FileNotFoundError):
            return None
        raise
    made = Folder(half, folder, mark)
    # Where a file system has no locks (some NFS), a folder is made all the same.
    with contextlib.suppress(OSError):
        if not _locked(mark):
            made.release()
            return None
    if os.fstat(mark).st_nlink == 0:  # cleared before it was locked
        made.release()
        return None
    os.fchmod(folder, mode)
    return made


def clear_half(path: Path) -> None:
    """Remove a half folder of this user that was left before it had a whole marker.

    Errors: OSError when it holds anything else, or a process is just making it.
    """
    folder = removal.open_folder(path)
    try:
        if os.fstat(folder).st_uid != os.geteuid():
            raise PermissionError(errno.EPERM, "it is another user's", str(path))
        if removal.names(folder) == [marker.NAME]:
            _clear_marker(folder)
        path.rmdir()
    finally:
        os.close(folder)


def _clear_marker(folder: int) -> None:
    """Errors: OSError when a process holds it."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    mark = os.open(marker.NAME, flags, dir_fd=folder)
    try:
        fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(marker.NAME, dir_fd=folder)
    finally:
        os.close(mark)


def _locked(mark: int) -> bool:
    """Whether nobody else holds it. Errors: OSError where a file system has no locks."""
    try:
        fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
