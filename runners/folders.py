"""Where things are kept, and whether that can be."""

from __future__ import annotations

import os
from pathlib import Path

from ..base.errors import UsageError


def existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    folder = folder.absolute()
    return next(path for path in (folder, *folder.parents) if path.exists())


def require_writable(flag: str, folder: Path) -> None:
    """Errors: UsageError unless files can be made in the folder, which need not be there yet."""
    found = existing(folder)
    if not found.is_dir():
        raise UsageError(f"{flag}: {found} is no directory; name another with {flag}")
    if not os.access(found, os.W_OK | os.X_OK):
        # The kernel answers so for a read-only file system, to root as well.
        raise UsageError(
            f"{flag}: {found} is read-only, or not writable for user {os.getuid()}; name another "
            f"directory with {flag}"
        )
