"""Files written completely or not at all, even if the process is killed or the machine stops."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def write(path: Path, text: str) -> None:
    """Write `text` to the file at `path`, replacing any file or link there.

    It is first written beside it, under a name that nobody can prepare. Once this returns, it
    survives a crash of the machine. Errors: OSError.
    """
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
    ) as part:
        try:
            part.write(text)
            part.flush()
            os.fchmod(part.fileno(), 0o644)  # the usual mode; temporary files are private
            os.fsync(part.fileno())
            Path(part.name).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(part.name).unlink()
            raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)  # its name must survive, too
    finally:
        os.close(folder)
