"""A folder that is named as a build of RocksDB is looked at before anything is made of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from rocksdb_roots import LIBRARY, debians, library_of, own_headers
from waltax.base.errors import UsageError
from waltax.engines.builds import driver_builds
from waltax.engines.builds.build import Build, Named, equal_words
from waltax.engines.builds.inspection import look

_TOO_OLD = "#define ROCKSDB_MAJOR 6\n#define ROCKSDB_MINOR 29\n#define ROCKSDB_PATCH 5\n"


def _look(root: Path, name: str = "new") -> Build:
    return look("rocksdb", [Named(name, str(root))])[name]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return debians(tmp_path / "a")


def test_a_build_has_the_release_of_its_headers_and_the_sha256_of_its_library(root: Path) -> None:
    found = _look(root)
    said = subprocess.run(["sha256sum", LIBRARY], capture_output=True, text=True, check=True)
    assert found.files == {str(root / "lib" / LIBRARY.name): said.stdout.split()[0]}
    assert found.release == LIBRARY.name.partition(".so.")[2]
    assert (found.linked_in, found.revision) == (False, "")


def test_copies_of_one_build_are_an_a_a_and_have_drivers_of_their_own(
    root: Path, tmp_path: Path
) -> None:
    one, other = _look(root, "base"), _look(debians(tmp_path / "b"), "new")
    assert one.digest == other.digest
    assert one.programs != other.programs
    (said,) = equal_words([one, other])
    assert said.startswith("builds base and new have the same bytes: this is an A/A")


def test_sources_under_git_have_their_revision_and_say_when_they_were_changed(root: Path) -> None:
    def git(*words: str) -> str:
        argv = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()

    own_headers(root)
    git("init", "-q")
    git("add", "include")
    git("commit", "-qm", "a")
    assert _look(root).revision == git("rev-parse", "--short=12", "HEAD")
    with (root / "include/rocksdb/db.h").open("a") as header:
        header.write("\n")
    assert _look(root).revision.endswith("-dirty")


def test_an_installation_in_somebody_elses_repository_has_none_of_its_revision(root: Path) -> None:
    subprocess.run(["git", "-C", root.parent, "init", "-q"], check=True)
    assert _look(root).revision == ""


def _without(root: Path, what: str) -> None:
    for path in (root / what).iterdir():
        path.unlink()


def _no_headers(root: Path) -> None:
    _without(root, "include")


def _no_library(root: Path) -> None:
    _without(root, "lib")


def _old(root: Path) -> None:
    (own_headers(root) / "include/rocksdb/version.h").write_text(_TOO_OLD)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_no_headers, "found no headers: include/rocksdb/db.h and version.h are missing"),
        (_no_library, "found no library: librocksdb.so is in none of lib, lib64"),
        (_old, "found RocksDB 6.29.5; the drivers compile against 7.8 to 11.x"),
    ],
)
def test_what_is_no_build_is_refused_by_its_name_before_anything_is_made(
    root: Path, spoil: object, says: str
) -> None:
    spoil(root)  # type: ignore[operator]
    with pytest.raises(UsageError, match=rf"^--build new={root}: .*{says}"):
        _look(root)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder; name an installation or a source tree"):
        _look(tmp_path / "none")


@pytest.fixture
def made_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WALTAX_BUILD_DIR", str(tmp_path / "build/release"))
    (tmp_path / "build").mkdir()


def _refused(root: Path, says: str) -> None:
    with pytest.raises(UsageError, match=rf"(?s)^--build new={root}: .*{says}"):
        driver_builds.make(_look(root), ["mix"], print)


@pytest.mark.usefixtures("made_here")
def test_the_compilers_first_error_is_the_reason_of_a_refusal(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "setup.sh"
    script.write_text("#!/bin/sh\necho 'mix.cc: undefined reference to `x`' >&2\nexit 1\n")
    monkeypatch.setattr(driver_builds, "_SETUP", script)
    _refused(root, "no driver can be compiled and linked against it: mix.cc: undefined reference")


# What needs the compiler.


@pytest.mark.nightly
@pytest.mark.usefixtures("made_here")
def test_a_library_that_does_not_link_is_refused_with_the_reason(root: Path) -> None:
    library_of(root, 'asm(".globl _ZN7rocksdb2DB4OpenX\\n_ZN7rocksdb2DB4OpenX:");\n')
    _refused(root, "no driver can be compiled and linked against it: .*undefined reference")
