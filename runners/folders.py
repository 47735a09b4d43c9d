"""Check where things are kept."""

from __future__ import annotations

import os
from pathlib import Path

from ..base.errors import UsageError


def existing(folder: Path) -> Path:
    """Return the folder, or its nearest parent that exists."""
    folder = folder.absolute()
    return next(path for path in (folder, *folder.parents) if path.exists())


def require_writable(flag: str, folder: Path) -> None:
    """Raise UsageError unless files can be made in the folder, which need not exist yet."""
    place = existing(folder)
    if not place.is_dir():
        raise UsageError(f"{flag}: {place} is no directory; name another with {flag}")
    if not os.access(place, os.W_OK | os.X_OK):
        # The kernel gives this answer for a read-only file system, to root as well.
        raise UsageError(
            f"{flag}: {place} is read-only, or not writable for user {os.getuid()}; name another "
            f"directory with {flag}"
        )
