"""Lock files. All locks are the kernel's: however a process ends, it gives them back.

A lock file is its user's own, and nobody else may open it: whoever can open a file can hold its
lock for ever.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from pathlib import Path

from ..errors import WaltaxError

_OPEN = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def open_file(path: Path) -> int:
    """A descriptor of the lock file at `path`, which is made when there is none.

    Errors: WaltaxError for a link, what is no file, and what belongs to another user.
    """
    try:
        handle = os.open(path, _OPEN, 0o600)
    except OSError as error:
        why = "it is a link" if path.is_symlink() else error.strerror
        raise WaltaxError(f"{path}: cannot be used as a lock: {why}; remove it") from error
    info = os.fstat(handle)
    if not stat.S_ISREG(info.st_mode) or info.st_uid != os.geteuid() or info.st_nlink != 1:
        os.close(handle)
        raise WaltaxError(
            f"{path}: cannot be used as a lock: it is no file of user {os.geteuid()}; remove it"
        )
    os.fchmod(handle, 0o600)  # an older waltax let others open it
    return handle


def try_lock(handle: int, *, shared: bool = False) -> bool:
    """Whether `handle` is locked now. Where a file system has no locks (NFS), it is believed."""
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL):
            raise
    return True
