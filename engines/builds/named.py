"""What --build says: NAME=DIR, several of them in one text where `make` hands them over."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...base.errors import UsageError

NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}"
"""A name goes into cells' ids, and so into names of files."""
_WANT = "type NAME=DIR, as in --build base=/opt/rocksdb-a --build new=/opt/rocksdb-b (with make: "
_WANT += 'BUILDS="base=/opt/rocksdb-a new=/opt/rocksdb-b")'


@dataclass(frozen=True)
class Named:
    """A build by its name, and the folder or server that was typed for it."""

    name: str
    path: str

    @property
    def typed(self) -> str:
        """What an error about it begins with."""
        return f"--build {self.name}={self.path}"


def named(word: str) -> Named:
    """The build that a word names. Errors: UsageError for a word that is no NAME=DIR."""
    name, equals, path = word.partition("=")
    if not equals or not path:
        raise UsageError(f"--build: found {word!r}; {_WANT}")
    if not re.fullmatch(NAME, name):
        raise UsageError(
            f"--build: found the name {name!r}; a name is 1 to 32 letters, digits, dots, dashes "
            f"and underscores, and begins with a letter or digit: {_WANT}"
        )
    return Named(name, path)
