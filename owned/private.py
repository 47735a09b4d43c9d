"""The folder of a user that nobody else can enter: its lock says that a campaign measures."""

from __future__ import annotations

import os
import stat
from pathlib import Path

LOCK = "measuring.lock"


def path() -> Path:
    """Return where it is, or would be.

    It is not in /run/user, which goes with a user's last login, while a campaign may stay.
    """
    user = os.geteuid()
    return Path("/run/waltax" if user == 0 else f"/tmp/waltax-{user}")


def why_not(folder: Path) -> str | None:
    """Say why `folder` cannot be it; None when it is. Errors: OSError when there is none."""
    user, info = os.geteuid(), folder.lstat()
    if stat.S_ISDIR(info.st_mode) and info.st_uid == user and not info.st_mode & 0o077:
        return None
    return (
        f"is no folder of user {user} that only they can enter (user {info.st_uid}, "
        f"mode {info.st_mode & 0o7777:o})"
    )
