"""Examining named builds, folders of RocksDB or servers, before anything is made."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path

from ...base import home
from ...base.errors import UsageError, WaltaxError
from .. import ENGINES
from ..server import binaries
from .build import Build, Named, revision_of, sha256_of

_ALONE = ("ROCKSDB_ROOT", "MARIADBD")
# The order is that of CMakeLists.txt.
_NAMES = ("librocksdb", "librocksdbjni-linux64")
_LIBRARY_FOLDERS = ("lib", "lib64", "lib/x86_64-linux-gnu", "build", ".")
_ENDINGS = (".so", ".a")
_SUPPORTED = ((7, 8), (12, 0))  # from, to below
_SERVER_FOLDERS, _SERVER = ("sbin", "bin", "sql", "."), "mariadbd"


def look(engine: str, builds: Sequence[Named]) -> dict[str, Build]:
    """Return the named builds by their names, without making anything.

    Errors: UsageError for a repeated name, for anything but a build of `engine`, and when a
    variable already names a build for all cells.
    """
    if not builds:
        return {}
    set_too = next((name for name in _ALONE if os.environ.get(name)), None)
    if set_too is not None:
        raise UsageError(
            f"--build: found {set_too}={os.environ[set_too]} as well, which names one build for "
            f"all cells; leave {set_too} out, or give it a name of its own: --build base=DIR"
        )
    names = [build.name for build in builds]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"--build: found {twice} twice; give each build a name of its own")
    return {build.name: _examined(build, engine) for build in builds}


def _examined(build: Named, engine: str) -> Build:
    root = Path(build.path).expanduser().absolute()
    try:
        if ENGINES[engine].on_server:
            return _of_server(build.name, root, engine)
        return _of_rocksdb(build.name, root)
    except WaltaxError as error:  # a server may not even start
        raise UsageError(f"--build {build.name}={build.path}: {error}") from error


def _of_server(name: str, root: Path, engine: str) -> Build:
    mariadbd = root if root.is_file() else _first(root, [f"{f}/{_SERVER}" for f in _SERVER_FOLDERS])
    if mariadbd is None and not root.is_dir():
        raise UsageError(
            "no such file or folder; name a server, a mariadbd, or the folder of its installation"
        )
    if mariadbd is None:
        raise UsageError(
            f"found no {_SERVER} in {', '.join(_SERVER_FOLDERS[:-1])} or the folder itself; name "
            "the server's program"
        )
    programs = binaries.find(engine, mariadbd)
    files = [file.resolve() for file in programs.files(engine)]
    return Build(
        name=name,
        root=root,
        files={str(file): sha256_of(file) for file in files},
        release=programs.version,
        revision=revision_of(mariadbd.parent),
        mariadbd=mariadbd,
    )


def _of_rocksdb(name: str, root: Path) -> Build:
    if not root.is_dir():
        raise UsageError(
            "no such folder; name an installation or a source tree of RocksDB, with its headers in "
            "include/ and its library in lib/ or beside"
        )
    release = _release(root)
    places = [f"{f}/{n}{end}" for n in _NAMES for f in _LIBRARY_FOLDERS for end in _ENDINGS]
    found = _first(root, places)
    if found is None:
        raise UsageError(
            f"found no library: {_NAMES[0]}.so is in none of {', '.join(_LIBRARY_FOLDERS[:-1])} "
            "and the folder itself; build it (make shared_lib), or name the folder where it was "
            "installed"
        )
    library = found.resolve()
    return Build(
        name=name,
        root=root,
        files={str(library): sha256_of(library)},
        release=release,
        revision=revision_of(root),
        linked_in=library.suffix == ".a",
        programs=_programs(root),
    )


def _first(root: Path, places: Sequence[str]) -> Path | None:
    return next((root / place for place in places if (root / place).is_file()), None)


def _programs(root: Path) -> Path:
    """Return a folder for the programs of each root, beside the usual programs.

    Its name has a digest, because different paths may look alike with their slashes replaced.
    """
    digest = hashlib.sha256(str(root).encode()).hexdigest()
    name = re.sub(r"[^A-Za-z0-9._-]", "-", root.name)[:40] or "root"
    return home.place("build") / f"rocksdb-{name}-{digest[:8]}"


def _release(root: Path) -> str:
    header = root / "include" / "rocksdb" / "version.h"
    if not header.is_file() or not header.with_name("db.h").is_file():
        raise UsageError(
            "found no headers: include/rocksdb/db.h and version.h are missing; name the folder "
            "that has both include/ and the library (make install, or the source tree itself after "
            "make shared_lib)"
        )
    text = header.read_text(errors="replace")
    numbers = [re.search(rf"ROCKSDB_{part}\s+(\d+)", text) for part in ("MAJOR", "MINOR", "PATCH")]
    if not all(numbers):
        raise UsageError(f"{header}: found no release in it; restore the headers")
    release = tuple(int(number[1]) for number in numbers if number)
    first, end = _SUPPORTED
    if not first <= release < end:
        raise UsageError(
            f"found RocksDB {'.'.join(map(str, release))}; the drivers compile against "
            f"{first[0]}.{first[1]} to {end[0] - 1}.x"
        )
    return ".".join(map(str, release))
