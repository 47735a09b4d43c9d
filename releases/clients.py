"""The registries' ordinary clients, which are told a package by its name and its version.

Both keep what they brought where they always do, so that a release is brought once. Which registry
they ask is their own configuration's.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from .. import proc
from ..errors import UsageError, WaltaxError

_PACKAGE = "org.rocksdb:rocksdbjni"
_LONGEST_S = 900.0  # a jar has up to 90 MB
_MANIFEST = """[package]
name = "waltax-headers"
version = "0.0.0"
edition = "2021"

[dependencies]
{crate} = {{ version = "={version}", default-features = false }}
"""


def jar(version: str, classifier: str, folder: Path) -> Path:
    """Have Maven put the package's jar into `folder`. Errors: UsageError."""
    _require("mvn", "maven")
    artifact = f"{_PACKAGE}:{version}" + (f":jar:{classifier}" if classifier else "")
    told = ("--batch-mode", "--quiet", "dependency:copy")
    _run(
        ["mvn", *told, f"-Dartifact={artifact}", f"-DoutputDirectory={folder}"],
        f"Maven cannot bring {artifact}",
    )
    return _only(folder, "*.jar", artifact)


def crate(name: str, version: str, release: str, folder: Path) -> Path:
    """Have cargo bring a crate, for a package in `folder` that needs it. Errors: UsageError."""
    _require("cargo", "cargo")
    (folder / "src").mkdir()
    (folder / "src" / "lib.rs").touch()
    (folder / "Cargo.toml").write_text(_MANIFEST.format(crate=name, version=version))
    wanted = f"{name} {version}+{release}"
    _run(
        ["cargo", "fetch", "--quiet", f"--manifest-path={folder / 'Cargo.toml'}"],
        f"cargo cannot bring {wanted}",
    )
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    return _only(home / "registry" / "cache", f"*/{name}-{version}+{release}.crate", wanted)


def _require(program: str, package: str) -> None:
    if shutil.which(program) is None:
        raise UsageError(
            f"releases: found no {program}, which brings packages; type: apt-get install {package}"
        )


def _run(argv: list[str], failed: str) -> None:
    try:
        proc.run(argv, timeout_s=_LONGEST_S)
    except WaltaxError as error:
        raise UsageError(f"{failed}: {proc.last_words(str(error))}") from error


def _only(folder: Path, pattern: str, wanted: str) -> Path:
    found = sorted(folder.glob(pattern))
    if not found:
        raise UsageError(f"{wanted}: its client brought nothing to {folder}/{pattern}")
    return found[0]
