"""Examining a user's mariadbd, or a folder with one."""

from __future__ import annotations

from pathlib import Path

from ...base.errors import UsageError, WaltaxError
from ..server import binaries
from .build import Build, revision_of, sha256_of
from .build_names import Named

_FOLDERS = ("sbin", "bin", "sql", ".")
_PROGRAM = "mariadbd"


def look(named: Named, engine: str) -> Build:
    """Return the build. Errors: UsageError if it is not a MariaDB server, or lacks the engine."""
    root = Path(named.path).expanduser().absolute()
    mariadbd = _program(named, root)
    try:
        programs = binaries.find(engine, mariadbd)
    except WaltaxError as error:  # the server may not even start
        raise UsageError(f"{named.typed}: {error}") from error
    files = [file.resolve() for file in programs.files(engine)]
    return Build(
        name=named.name,
        root=root,
        files={str(file): sha256_of(file) for file in files},
        release=programs.version,
        revision=revision_of(mariadbd.parent),
        mariadbd=mariadbd,
    )


def _program(named: Named, root: Path) -> Path:
    if not root.is_dir():
        if root.is_file():
            return root
        raise UsageError(
            f"{named.typed}: no such file or folder; name a server, a mariadbd, or the folder of "
            "its installation"
        )
    for folder in _FOLDERS:
        if (root / folder / _PROGRAM).is_file():
            return root / folder / _PROGRAM
    raise UsageError(
        f"{named.typed}: found no {_PROGRAM} in {', '.join(_FOLDERS[:-1])} or the folder itself; "
        "name the server's program"
    )
