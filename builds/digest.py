"""The sha256 of a file, as sha256sum prints it."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path


def of_file(path: Path | str) -> str:
    """Read once as long as the file stays what it is. Errors: OSError."""
    stat = Path(path).stat()
    # Who writes a file anew may set its time of modification back, but not that of its inode.
    return _content(str(path), stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _content(path: str, *_is: int) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def of_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
