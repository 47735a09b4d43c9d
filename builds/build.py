"""A build of an engine as a campaign has it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

_LETTERS = 12


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


def equal(builds: Iterable[Build]) -> list[tuple[str, ...]]:
    """The names of builds that have the same bytes, a tuple for each such group."""
    alike: dict[str, list[str]] = {}
    for one in builds:
        alike.setdefault(one.digest, []).append(one.name)
    return [tuple(names) for names in alike.values() if len(names) > 1]


def equal_words(builds: Iterable[Build]) -> list[str]:
    """A warning for each group of builds with the same bytes."""
    return [
        f"builds {' and '.join(names)} have the same bytes: this is an A/A comparison, and what "
        "tells them apart is no change of the engine"
        for names in equal(builds)
    ]
