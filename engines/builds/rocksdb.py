"""Examining a folder with RocksDB's headers and library before anything is made."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from ...base import home, proc
from ...base.errors import UsageError, WaltaxError
from .build import Build, revision_of, sha256_of
from .build_names import Named

# The order is that of CMakeLists.txt.
_NAMES = ("librocksdb", "librocksdbjni-linux64")
_FOLDERS = ("lib", "lib64", "lib/x86_64-linux-gnu", "build", ".")
_ENDINGS = (".so", ".a")
_OPEN = "_ZN7rocksdb2DB4Open"  # rocksdb::DB::Open, in all its forms
_SUPPORTED = ((7, 8), (12, 0))  # from, to below


def look(named: Named, _engine: str) -> Build:
    """Return the build. Errors: UsageError naming what is missing, or not RocksDB's."""
    root = Path(named.path).expanduser().absolute()
    if not root.is_dir():
        raise UsageError(
            f"{named.typed}: no such folder; name an installation or a source tree of RocksDB, "
            "with its headers in include/ and its library in lib/ or beside"
        )
    release = _release(named, root)
    library = _library(named, root)
    _require_symbols(named, library)
    return Build(
        name=named.name,
        root=root,
        files={str(library): sha256_of(library)},
        release=release,
        revision=revision_of(root),
        linked_in=library.suffix == ".a",
        programs=_programs(root),
    )


def _programs(root: Path) -> Path:
    """Return a folder for the programs of each root, beside the usual programs.

    Its name has a digest, because different paths may look alike with their slashes replaced.
    """
    digest = hashlib.sha256(str(root).encode()).hexdigest()
    name = re.sub(r"[^A-Za-z0-9._-]", "-", root.name)[:40] or "root"
    return home.place("build") / f"rocksdb-{name}-{digest[:8]}"


def _release(named: Named, root: Path) -> str:
    header = root / "include" / "rocksdb" / "version.h"
    if not header.is_file() or not header.with_name("db.h").is_file():
        raise UsageError(
            f"{named.typed}: found no headers: include/rocksdb/db.h and version.h are missing; "
            "name the folder that has both include/ and the library (make install, or the source "
            "tree itself after make shared_lib)"
        )
    text = header.read_text(errors="replace")
    numbers = [re.search(rf"ROCKSDB_{part}\s+(\d+)", text) for part in ("MAJOR", "MINOR", "PATCH")]
    if not all(numbers):
        raise UsageError(f"{named.typed}: {header}: found no release in it; restore the headers")
    release = tuple(int(number[1]) for number in numbers if number)
    first, end = _SUPPORTED
    if not first <= release < end:
        raise UsageError(
            f"{named.typed}: found RocksDB {'.'.join(map(str, release))}; the drivers compile "
            f"against {first[0]}.{first[1]} to {end[0] - 1}.x"
        )
    return ".".join(map(str, release))


def _library(named: Named, root: Path) -> Path:
    for name in _NAMES:
        for folder in _FOLDERS:
            for ending in _ENDINGS:
                path = root / folder / f"{name}{ending}"
                if path.is_file():
                    return path.resolve()
    raise UsageError(
        f"{named.typed}: found no library: {_NAMES[0]}.so is in none of "
        f"{', '.join(folder for folder in _FOLDERS if folder != '.')} and the folder itself; build "
        "it (make shared_lib), or name the folder where it was installed"
    )


def _require_symbols(named: Named, library: Path) -> None:
    """Raise UsageError for a library that a C++ program cannot be linked to."""
    flags = ["-D"] if library.suffix != ".a" else []
    try:
        symbols = proc.run(["nm", *flags, "--defined-only", library])
    except WaltaxError as error:
        raise UsageError(
            f"{named.typed}: {library}: found no library that nm can read: "
            f"{proc.last_words(str(error))}"
        ) from error
    if _OPEN not in symbols:
        raise UsageError(
            f"{named.typed}: {library}: exports no C++ symbols (no rocksdb::DB::Open): a program "
            "in C++ cannot be linked to it; build it without hidden visibility and unstripped of "
            "its dynamic symbols"
        )
