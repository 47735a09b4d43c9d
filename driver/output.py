"""Files that a flag names to be written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ..errors import UsageError


@contextmanager
def output(flag: str, path: Path | None, mode: str = "w") -> Iterator[IO[str] | None]:
    """The file that a flag names, open for writing, or None. Errors: UsageError."""
    if path is None:
        yield None
        return
    try:
        file = path.open(mode, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{flag}: cannot write {path}: {error.strerror}") from error
    with file:
        yield file
