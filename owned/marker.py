"""The file in a folder that says: waltax made this folder, and no other.

One line of JSON: {"made_by": "waltax", "kind": "work", "inode": 1234}. The number is the
folder's own, so that a copy of the folder, which somebody made to keep it, is not ours. setup.sh
writes the same line.
"""

from __future__ import annotations

import errno
import json
import os
import stat

NAME = ".waltax-owned"
_LONGEST = 4096
_NO_LINK = os.O_NOFOLLOW | os.O_CLOEXEC


class NotOursError(Exception):
    """A folder that waltax must leave alone; the words say why, after the folder's name."""


def write(folder: int, kind: str) -> int:
    """Mark the open, empty `folder`; returns the marker's descriptor.

    Errors: OSError, also when there is a marker already.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | _NO_LINK
    handle = os.open(NAME, flags, 0o600, dir_fd=folder)
    said = {"made_by": "waltax", "kind": kind, "inode": os.fstat(folder).st_ino}
    os.write(handle, json.dumps(said).encode() + b"\n")
    return handle


def open_valid(folder: int, kinds: tuple[str, ...]) -> int:
    """The descriptor of the marker of the open `folder`.

    Errors: NotOursError unless the folder and its marker are this user's, and the marker is this
    folder's and of one of `kinds`.
    """
    info = os.fstat(folder)
    if info.st_uid != os.geteuid():
        raise NotOursError(f"belongs to user {info.st_uid}")
    try:
        handle = os.open(NAME, os.O_RDWR | _NO_LINK | os.O_NONBLOCK, dir_fd=folder)
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ELOOP, errno.EISDIR, errno.ENXIO):
            raise
        raise NotOursError(f"has no marker of waltax ({NAME})") from error
    try:
        _require_valid(handle, info, kinds)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _require_valid(handle: int, folder: os.stat_result, kinds: tuple[str, ...]) -> None:
    info = os.fstat(handle)
    if not stat.S_ISREG(info.st_mode) or info.st_uid != os.geteuid() or info.st_nlink != 1:
        raise NotOursError(f"has a {NAME} that waltax did not write")
    try:
        said = json.loads(os.pread(handle, _LONGEST, 0))
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or said.get("made_by") != "waltax":
        raise NotOursError(f"has a {NAME} that waltax did not write")
    if said.get("inode") != folder.st_ino:
        raise NotOursError("is a copy: its marker is of another folder")
    if said.get("kind") not in kinds:
        raise NotOursError(f"is of another kind: {str(said.get('kind'))[:40]!r}")
