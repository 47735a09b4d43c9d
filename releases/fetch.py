"""A release in a folder of its own, laid out as ROCKSDB_ROOT and --build want it: include/, lib/.

It comes to its name when it is whole: both digests are those of the table, and the headers say the
release themselves. What is there already is verified again, and brought anew by nobody.
"""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from ..builds import digest, rocksdb
from ..builds.named import Named
from ..engines import EMBEDDED
from ..errors import UsageError
from ..owned import places
from . import clients
from .known import Release

LIBRARY = "librocksdbjni-linux64.so"
_INCLUDE = "rocksdb/include/"


def fetched(version: str, release: Release, kept: Path, say: Callable[[str], None]) -> Path:
    """The folder of a release below `kept`. Errors: UsageError naming what does not match."""
    root = kept / version
    if not root.exists():
        say(f"RocksDB {version}: fetching the library and the headers")
        places.sweep(kept, "partial-*", "build")
        with places.borrowed(kept, "partial-", "build") as staging:
            _lay_out(version, release, staging)
            (staging / version).rename(root)
    _require(f"{root / 'lib' / LIBRARY}", digest.of_file(root / "lib" / LIBRARY), release.library)
    found = rocksdb.look(Named(version, str(root)), EMBEDDED).release
    if found != version:
        raise UsageError(f"{root}: found the headers of RocksDB {found}, want those of {version}")
    return root


def _lay_out(version: str, release: Release, staging: Path) -> None:
    for folder in ("jar", "package", f"{version}/lib", f"{version}/include"):
        (staging / folder).mkdir(parents=True)
    _library(clients.jar(version, release.classifier, staging / "jar"), staging / version / "lib")
    _require(LIBRARY, digest.of_file(staging / version / "lib" / LIBRARY), release.library)
    crate = clients.crate(release.crate, release.crate_version, version, staging / "package")
    _require(crate.name, digest.of_file(crate), release.headers)
    _headers(crate, staging / version / "include")


def _library(jar: Path, folder: Path) -> None:
    with zipfile.ZipFile(jar) as archive:
        if LIBRARY not in archive.namelist():
            raise UsageError(f"{jar.name}: holds no {LIBRARY}; another classifier may have it")
        archive.extract(LIBRARY, folder)


def _headers(crate: Path, folder: Path) -> None:
    """Of a crate's file, which was verified: what is in its RocksDB's include/."""
    with tarfile.open(crate) as archive:
        for member in archive:
            _, _, path = member.name.partition("/")
            content = archive.extractfile(member) if path.startswith(_INCLUDE) else None
            if content is not None:  # a file
                file = _within(folder, path.removeprefix(_INCLUDE))
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content.read())


def _within(folder: Path, path: str) -> Path:
    if ".." in Path(path).parts or Path(path).is_absolute():
        raise UsageError(f"{path}: a file of the crate that would lie elsewhere; it is refused")
    return folder / path


def _require(what: str, found: str, wanted: str) -> None:
    if found != wanted:
        raise UsageError(
            f"{what}: found sha256 {found[:16]}..., want {wanted[:16]}... of releases/known.toml; "
            "nothing of it is used. Remove it, or find out who changed it"
        )
