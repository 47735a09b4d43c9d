"""Parsing --build: NAME=DIR."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...base.errors import UsageError

NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}"
"""A name is part of cells' ids, and so of file names."""
_WANT = "type NAME=DIR, as in --build base=/opt/rocksdb-a --build new=/opt/rocksdb-b"


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
