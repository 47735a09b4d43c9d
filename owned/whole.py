"""Files that are there whole or not at all, wherever a kill comes."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def write(path: Path, text: str) -> None:
    """Write `text` to the file at `path`; what was there before is replaced, a link too.

    It is written beside, under a name that nobody can prepare. Errors: OSError; then nothing has
    changed.
    """
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
    ) as part:
        try:
            part.write(text)
            part.flush()
            os.fchmod(part.fileno(), 0o644)  # as files are made; a temporary one is closed
            Path(part.name).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(part.name).unlink()
            raise
