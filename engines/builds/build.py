"""A build of an engine: its name on the command line, its files, and its sources' revision."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ...base.errors import UsageError, WaltaxError

NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}"
"""A name is part of cells' ids, and so of file names."""
_WANT = "type NAME=DIR, as in --build base=/opt/rocksdb-a --build new=/opt/rocksdb-b"
_LETTERS = 12
_SOURCES = ("include/rocksdb/version.h", "sql/mysqld.cc")  # in a repository of an engine


@dataclass(frozen=True)
class Named:
    """A build's name, and the path of a folder or server that was typed for it."""

    name: str
    path: str

    def __str__(self) -> str:
        return f"{self.name}={self.path}"


def named(word: str) -> Named:
    """Return the build that a word names. Errors: UsageError unless it is NAME=DIR."""
    name, equals, path = word.partition("=")
    if not equals or not path:
        raise UsageError(f"--build: found {word!r}; {_WANT}")
    if not re.fullmatch(NAME, name):
        raise UsageError(
            f"--build: found the name {name!r}; a name is 1 to 32 letters, digits, dots, dashes "
            f"and underscores, and begins with a letter or digit: {_WANT}"
        )
    return Named(name, path)


@dataclass(frozen=True)
class Build:
    """What a user's folder or server contains, before anything is measured.

    `files` maps the real paths of the engine's files to their sha256: a process must map these and
    no others. No process maps an archive that is `linked_in`; the program itself is checked then.
    """

    name: str
    root: Path  # the typed path made absolute: a folder, or a server's program
    files: Mapping[str, str]
    release: str  # 7.8.3: of RocksDB's headers, or of the server
    revision: str  # "" if it is not known
    linked_in: bool = False
    programs: Path | None = None  # the folder of the drivers that are linked to it
    mariadbd: Path | None = None

    @property
    def digest(self) -> str:
        """A digest of the bytes of all its files, equal for copies of a build."""
        content = "".join(sorted(self.files.values()))
        return hashlib.sha256(content.encode()).hexdigest()[:_LETTERS]


def equal_words(builds: Iterable[Build]) -> list[str]:
    """Return a warning for each group of builds with the same bytes."""
    alike: dict[str, list[str]] = {}
    for build in builds:
        alike.setdefault(build.digest, []).append(build.name)
    return [
        f"builds {' and '.join(names)} have the same bytes: this is an A/A comparison, and what "
        "tells them apart is no change of the engine"
        for names in alike.values()
        if len(names) > 1
    ]


def sha256_of(path: Path | str) -> str:
    """Return a file's digest, read again only after the file has changed. Errors: OSError."""
    stat = Path(path).stat()
    # A rewritten file's modification time can be set back, but its inode's change time cannot.
    return _content(str(path), stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _content(path: str, *_is: int) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def revision_of(folder: Path) -> str:
    """Return the git revision of a folder's sources: 1a2b3c4d5e6f, 1a2b3c4d5e6f-dirty or "".

    Only a repository of the engine counts: an installation that happens to be inside another
    repository does not have its revision.
    """
    try:
        top = Path(_git(folder, "rev-parse", "--show-toplevel").strip())
        if not _git(top, "ls-files", "--", *_SOURCES).strip():
            return ""
        return _git(top, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*").strip()
    except WaltaxError:
        return ""


def _git(folder: Path, *words: str) -> str:
    from ...base import proc  # a help must not wait for psutil

    return proc.run(["git", "-C", folder, *words])
