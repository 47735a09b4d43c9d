"""The git revision of the sources that a folder is of."""

from __future__ import annotations

from pathlib import Path

from .. import proc
from ..errors import WaltaxError

_SOURCES = ("include/rocksdb/version.h", "sql/mysqld.cc")


def of_folder(folder: Path) -> str:
    """E.g. 1a2b3c4d5e6f, or 1a2b3c4d5e6f-dirty; "" where nobody knows.

    A folder inside of somebody's repository is of that revision only if the repository is the
    engine's: an installation that merely lies there is not.
    """
    try:
        top = Path(_git(folder, "rev-parse", "--show-toplevel").strip())
        if not _git(top, "ls-files", "--", *_SOURCES).strip():
            return ""
        return _git(top, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*").strip()
    except WaltaxError:
        return ""


def _git(folder: Path, *words: str) -> str:
    return proc.run(["git", "-C", folder, *words])
