"""RocksDB releases from public package registries, without compiling RocksDB.

A release is fetched into a folder with include/ and lib/, as ROCKSDB_ROOT and --build expect.

It gets its name when it is complete: both digests match the table, and the headers are of the
release. An existing folder is verified again, but never fetched again. Maven and cargo, the
registries' ordinary clients, fetch it; they have their own caches, and their configuration chooses
the registry.
"""

from __future__ import annotations

import os
import shutil
import tarfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

from ...base import proc
from ...base.errors import UsageError, WaltaxError
from ...base.folders import places
from ...base.tomlfile import Strict, matching, read_toml
from .. import EMBEDDED
from ..builds.build import Named, sha256_of
from ..builds.inspection import look

TABLE = Path(__file__).parent / "known.toml"
LIBRARY = "librocksdbjni-linux64.so"
_INCLUDE = "rocksdb/include/"
_PACKAGE = "org.rocksdb:rocksdbjni"
_LONGEST_S = 900.0  # a jar has up to 90 MB
_SHA256 = matching(r"[0-9a-f]{64}", "a sha256, 64 hexadecimal digits")
_MANIFEST = """[package]
name = "waltax-headers"
version = "0.0.0"
edition = "2021"

[dependencies]
{crate} = {{ version = "={version}", default-features = false }}
"""


class Release(Strict):
    """The packages of a release, with the sha256 of the library and of the crate's file."""

    classifier: str  # of the jar with the library; "" is the package's own
    library: Annotated[str, _SHA256]
    crate: str
    crate_version: str
    headers: Annotated[str, _SHA256]


@cache
def read(table: Path = TABLE) -> Mapping[str, Release]:
    """Return releases by version, in the order of our table, which a test keeps correct."""
    return {version: Release.model_validate(row) for version, row in read_toml(table).items()}


def named(versions: Sequence[str], known: Mapping[str, Release]) -> dict[str, Release]:
    """Return the releases of `versions`. Errors: UsageError for an unknown or repeated one."""
    for version in versions:
        if version not in known:
            raise UsageError(
                f"--release: found {version}; of these releases the registries' library and "
                f"headers are known to match: {' '.join(known)}",
                "to add one, see docs/extending.md",
            )
    if len(set(versions)) < len(versions):
        raise UsageError(f"--release: found one twice in {' '.join(versions)}; name each once")
    return {version: known[version] for version in versions}


def fetched(version: str, release: Release, kept: Path, say: Callable[[str], None]) -> Path:
    """Return the folder of a release below `kept`. Errors: UsageError naming a mismatch."""
    root = kept / version
    if not root.exists():
        say(f"RocksDB {version}: fetching the library and the headers")
        places.sweep(kept, "partial-*", "build")
        with places.borrowed(kept, "partial-", "build") as staging:
            _lay_out(version, release, staging)
            (staging / version).rename(root)
    _require(f"{root / 'lib' / LIBRARY}", sha256_of(root / "lib" / LIBRARY), release.library)
    headers = look(EMBEDDED, [Named(version, str(root))])[version].release
    if headers != version:
        raise UsageError(f"{root}: found the headers of RocksDB {headers}, want those of {version}")
    return root


def _lay_out(version: str, release: Release, staging: Path) -> None:
    for folder in ("jar", "package", f"{version}/lib", f"{version}/include"):
        (staging / folder).mkdir(parents=True)
    _library(_jar(version, release.classifier, staging / "jar"), staging / version / "lib")
    _require(LIBRARY, sha256_of(staging / version / "lib" / LIBRARY), release.library)
    crate = _crate(release.crate, release.crate_version, version, staging / "package")
    _require(crate.name, sha256_of(crate), release.headers)
    _headers(crate, staging / version / "include")


def _library(jar: Path, folder: Path) -> None:
    with zipfile.ZipFile(jar) as archive:
        if LIBRARY not in archive.namelist():
            raise UsageError(f"{jar.name}: holds no {LIBRARY}; another classifier may have it")
        archive.extract(LIBRARY, folder)


def _headers(crate: Path, folder: Path) -> None:
    """Extract RocksDB's include/ from a verified crate file."""
    with tarfile.open(crate) as archive:
        for member in archive:
            _, _, path = member.name.partition("/")
            if path.startswith(_INCLUDE):
                member.name = path.removeprefix(_INCLUDE)
                archive.extract(member, folder, set_attrs=False)


def _require(what: str, digest: str, wanted: str) -> None:
    if digest != wanted:
        raise UsageError(
            f"{what}: found sha256 {digest[:16]}..., want {wanted[:16]}... of "
            "engines/releases/known.toml; nothing of it is used. "
            "Remove it, or find out who changed it"
        )


def _jar(version: str, classifier: str, folder: Path) -> Path:
    """Let Maven put the package's jar into `folder`. Errors: UsageError."""
    artifact = f"{_PACKAGE}:{version}" + (f":jar:{classifier}" if classifier else "")
    options = ("--batch-mode", "--quiet", "dependency:copy")
    _run(
        ["mvn", *options, f"-Dartifact={artifact}", f"-DoutputDirectory={folder}"],
        "maven",
        f"Maven cannot bring {artifact}",
    )
    return _only(folder, "*.jar", artifact)


def _crate(name: str, version: str, release: str, folder: Path) -> Path:
    """Let cargo fetch a crate, for a package in `folder` that needs it. Errors: UsageError."""
    (folder / "src").mkdir()
    (folder / "src" / "lib.rs").touch()
    (folder / "Cargo.toml").write_text(_MANIFEST.format(crate=name, version=version))
    wanted = f"{name} {version}+{release}"
    _run(
        ["cargo", "fetch", "--quiet", f"--manifest-path={folder / 'Cargo.toml'}"],
        "cargo",
        f"cargo cannot bring {wanted}",
    )
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    return _only(home / "registry" / "cache", f"*/{name}-{version}+{release}.crate", wanted)


def _run(argv: list[str], package: str, failed: str) -> None:
    if shutil.which(argv[0]) is None:
        raise UsageError(
            f"releases: found no {argv[0]}, which brings packages; type: apt-get install {package}"
        )
    try:
        proc.run(argv, timeout_s=_LONGEST_S)
    except WaltaxError as error:
        raise UsageError(f"{failed}: {proc.last_words(str(error))}") from error


def _only(folder: Path, pattern: str, wanted: str) -> Path:
    files = sorted(folder.glob(pattern))
    if not files:
        raise UsageError(f"{wanted}: its client brought nothing to {folder}/{pattern}")
    return files[0]
