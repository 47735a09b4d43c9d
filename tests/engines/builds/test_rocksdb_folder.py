"""A folder that is named as a build of RocksDB is looked at before anything is made of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from rocksdb_roots import LIBRARY, debians, library_of, own_headers
from waltax.base.errors import UsageError
from waltax.engines.builds import driver_builds
from waltax.engines.builds.build import Build, equal_words
from waltax.engines.builds.build_names import Named
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


def _told(root: Path, says: str) -> list[str]:
    heard: list[str] = []
    with pytest.raises(UsageError, match=rf"(?s)^--build new={root}: .*{says}"):
        driver_builds.make(_look(root), ["mix"], heard.append)
    return heard


_SELF_TEST = """#!/bin/sh
mkdir -p "$BUILD_DIR"
printf '#!/bin/sh\\n%s\\n' '{}' >"$BUILD_DIR/rocksdb_facts"
chmod +x "$BUILD_DIR/rocksdb_facts"
"""


@pytest.mark.usefixtures("made_here")
@pytest.mark.parametrize(
    ("setup", "says"),
    [
        (
            _SELF_TEST.format('echo "{\\"headers\\": \\"7.8.9\\", \\"library\\": \\"7.8.3\\"}"'),
            "the headers are of RocksDB 7.8.9 and the library is of 7.8.3; name a folder with both",
        ),
        (
            _SELF_TEST.format("kill -ILL $$"),
            "a database of this library cannot be opened and written: killed by SIGILL",
        ),
        (
            "#!/bin/sh\necho 'facts.cc: undefined reference to `x`' >&2\nexit 1\n",
            "no driver can be compiled and linked against it: facts.cc: undefined reference to `x`",
        ),
    ],
)
def test_what_set_up_or_the_self_test_says_is_the_reason_of_a_refusal(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setup: str, says: str
) -> None:
    script = tmp_path / "setup.sh"
    script.write_text(setup)
    script.chmod(0o755)
    monkeypatch.setattr(driver_builds, "_SETUP", script)
    _told(root, says)


# What needs the compiler: the self-test alone, which takes seconds.


@pytest.mark.nightly
@pytest.mark.usefixtures("made_here")
def test_headers_of_another_release_than_the_library_are_refused(root: Path) -> None:
    header = own_headers(root) / "include/rocksdb/version.h"
    text = header.read_text()
    changed = text.replace("define ROCKSDB_PATCH ", "define ROCKSDB_PATCH 9")
    assert changed != text
    header.write_text(changed)
    heard = _told(root, r"the headers are of RocksDB [\d.]+ and the library is of [\d.]+; name")
    assert any(line.startswith("build new: building rocksdb_facts in ") for line in heard)


@pytest.mark.nightly
@pytest.mark.usefixtures("made_here")
def test_a_library_that_does_not_link_or_crashes_is_refused_with_the_reason(root: Path) -> None:
    exports = 'asm(".globl _ZN7rocksdb2DB4OpenX\\n_ZN7rocksdb2DB4OpenX:");\n'
    library_of(root, exports)
    _told(root, "no driver can be compiled and linked against it: .*undefined reference")
    # The same folder, so that it is compiled once: a library whose first call is its last.
    crash = 'asm(".globl NAME\\nNAME: ud2");\n'
    names = _undefined(root)
    library_of(root, exports + "".join(crash.replace("NAME", name) for name in names))
    _told(root, "cannot be opened and written: killed by SIGILL")


def _undefined(root: Path) -> list[str]:
    """What the self-test's object asks of a RocksDB."""
    folder = _look(root).programs
    assert folder is not None
    (found,) = folder.glob("builds-room/CMakeFiles/rocksdb_facts.dir/**/*.o")
    said = subprocess.run(["nm", "-u", found], capture_output=True, text=True, check=True)
    return [line.split()[-1] for line in said.stdout.splitlines() if "7rocksdb" in line]
