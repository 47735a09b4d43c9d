"""A build of an engine as a campaign has it: its files, and the revision of its sources."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ...base import proc
from ...base.errors import WaltaxError

_LETTERS = 12
_SOURCES = ("include/rocksdb/version.h", "sql/mysqld.cc")  # in a repository of an engine


@dataclass(frozen=True)
class Build:
    """What was found at the place that a user named, before anything is measured.

    `files` are the engine's, by their real paths, with their sha256: a process must map these and
    no others. An archive that is `linked_in` is mapped by no process: there the program itself is
    what is watched.
    """

    name: str
    root: Path  # absolute, as it was typed: a folder, or a server's program
    files: Mapping[str, str]
    release: str  # 7.8.3: of RocksDB's headers, or of the server
    revision: str  # "" where it is not known
    linked_in: bool = False
    programs: Path | None = None  # the folder of the drivers that are linked to it
    mariadbd: Path | None = None

    @property
    def digest(self) -> str:
        """Of the bytes of all its files, wherever they are: equal for copies of one build."""
        content = "".join(sorted(self.files.values()))
        return hashlib.sha256(content.encode()).hexdigest()[:_LETTERS]


def equal_words(builds: Iterable[Build]) -> list[str]:
    """A warning for each group of builds with the same bytes."""
    alike: dict[str, list[str]] = {}
    for one in builds:
        alike.setdefault(one.digest, []).append(one.name)
    return [
        f"builds {' and '.join(names)} have the same bytes: this is an A/A comparison, and what "
        "tells them apart is no change of the engine"
        for names in alike.values()
        if len(names) > 1
    ]


def sha256_of(path: Path | str) -> str:
    """Of a file that is read once as long as it stays what it is. Errors: OSError."""
    stat = Path(path).stat()
    # Who writes a file anew may set its time of modification back, but not that of its inode.
    return _content(str(path), stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _content(path: str, *_is: int) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def revision_of(folder: Path) -> str:
    """The git revision of a folder's sources: 1a2b3c4d5e6f, or 1a2b3c4d5e6f-dirty; "": unknown.

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
