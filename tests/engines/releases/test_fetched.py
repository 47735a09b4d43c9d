"""Releases from registries that are folders, whose mvn and cargo bring what lies there."""

from __future__ import annotations

import hashlib
import os
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
import rocksdb_roots
from click.testing import CliRunner
from waltax.base.errors import UsageError
from waltax.engines.releases.fetch import LIBRARY, Release, fetched, named, read
from waltax.studies import frame

_VERSION_H = Path("/usr/include/rocksdb/version.h")
_MVN = """#!/bin/sh
for word; do case $word in -DoutputDirectory=*) cp "$REGISTRY"/*.jar "${word#*=}";; esac; done
"""
_CARGO = """#!/bin/sh
mkdir -p "$CARGO_HOME/registry/cache/x" && cp "$REGISTRY"/*.crate "$CARGO_HOME/registry/cache/x"
"""


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _release() -> str:
    words = _VERSION_H.read_text().split()
    return ".".join(words[words.index(f"ROCKSDB_{one}") + 1] for one in ("MAJOR", "MINOR", "PATCH"))


@dataclass
class _Registry:
    """Debian's library and headers as the two packages have them."""

    folder: Path
    version: str
    said: list[str]

    @property
    def release(self) -> Release:
        library = next(Path("/usr/lib").glob("*/librocksdb.so"))
        with zipfile.ZipFile(self.folder / "jni.jar", "w") as jar:
            jar.write(library, LIBRARY)
        crate = self.folder / f"headers-1.0.0+{self.version}.crate"
        with tarfile.open(crate, "w:gz") as archive:
            archive.add(_VERSION_H.parent, "headers-1.0.0/rocksdb/include/rocksdb")
            archive.add(_VERSION_H, "headers-1.0.0/build.rs")
        return Release(
            classifier="linux64",
            library=_sha256(library),
            crate="headers",
            crate_version="1.0.0",
            headers=_sha256(crate),
        )

    def fetch(self, release: Release, kept: Path) -> Path:
        return fetched(self.version, release, kept, self.said.append)


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> _Registry:
    folder, programs = tmp_path / "registry", tmp_path / "bin"
    for one in (folder, programs):
        one.mkdir()
    for name, text in (("mvn", _MVN), ("cargo", _CARGO)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("REGISTRY", str(folder))
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "cargo"))
    return _Registry(folder, _release(), [])


def test_a_release_is_laid_out_once_and_verified_each_time(
    registry: _Registry, tmp_path: Path
) -> None:
    kept, release = tmp_path / "kept", registry.release
    root = registry.fetch(release, kept)
    assert (root / "include" / "rocksdb" / "db.h").is_file()
    assert not (root / "include" / "build.rs").exists()
    assert sorted(one.name for one in kept.iterdir()) == [registry.version]
    assert registry.fetch(release, kept) == root
    assert len(registry.said) == 1
    library = root / "lib" / LIBRARY
    library.write_bytes(library.read_bytes()[:-1] + b"x")
    with pytest.raises(UsageError, match=f"{LIBRARY}: found sha256 .*, want"):
        registry.fetch(release, kept)


@pytest.mark.parametrize("half", ["library", "headers"])
def test_another_digest_leaves_nothing_behind(
    registry: _Registry, tmp_path: Path, half: str
) -> None:
    kept = tmp_path / "kept"
    other = registry.release.model_copy(update={half: 64 * "0"})
    with pytest.raises(UsageError, match=r"found sha256 .*want 0000000000000000\.\.\."):
        registry.fetch(other, kept)
    assert list(kept.iterdir()) == []


def test_headers_of_another_release_are_refused(registry: _Registry, tmp_path: Path) -> None:
    right = registry.version
    registry.version = "11.0.0"
    with pytest.raises(UsageError, match=rf"found the headers of RocksDB {right}, want those of"):
        registry.fetch(registry.release, tmp_path / "kept")


def test_a_missing_client_is_named_with_its_package(
    registry: _Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match=r"found no mvn, .*apt-get install maven"):
        registry.fetch(registry.release, tmp_path / "kept")


def test_an_unknown_release_is_refused_with_those_that_match() -> None:
    table = read()
    assert list(named(["10.10.1", "7.9.2"], table)) == ["10.10.1", "7.9.2"]
    with pytest.raises(UsageError, match=r"found 7\.4\.4; .*match: 7\.9\.2 8\.10\.0"):
        named(["7.4.4"], table)
    with pytest.raises(UsageError, match="name each once"):
        named(["7.9.2", "7.9.2"], table)


def test_releases_are_builds_of_a_run_and_fetched_for_its_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WALTAX_BUILD_DIR", str(tmp_path / "build" / "release"))

    def fetched(version: str, _release: Release, folder: Path, _say: object) -> Path:
        return rocksdb_roots.debians(folder / version)

    monkeypatch.setattr("waltax.engines.releases.fetch.fetched", fetched)
    words = ("--release", "7.9.2 10.10.1", "--workload", "kv-fillseq", "--device", "nvme", "--plan")
    folders = ("--results", f"{tmp_path}/results", "--data-dir", f"{tmp_path}/data")
    done = CliRunner().invoke(frame.command("run"), [*words, *folders])
    assert done.exit_code == 0, done.output
    for version in ("7.9.2", "10.10.1"):
        for place in ("off-off", "nvme-sync"):
            assert f"rocksdb-kv-fillseq-quick-{place}-t4@{version} " in done.output, done.output
