"""`make test-bare` where it cannot be: told why, and what to type, before anything is made."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BARE = ROOT / "tests" / "bare"
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


@pytest.fixture
def clone(place: Path) -> Path:
    """A folder with the script and nothing else."""
    (place / "tests").mkdir()
    shutil.copy(BARE, place / "tests")
    return place


def _refused(clone: Path, *words: str, before: tuple[str, ...] = (), path: str = "") -> str:
    argv = [*before, "/bin/sh", str(clone / "tests" / "bare"), *words]
    env = {"PATH": path or os.environ["PATH"]}
    done = subprocess.run(argv, capture_output=True, text=True, check=False, env=env, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert not (clone / "build").exists()
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.parametrize("release", ["sid", "bullseye", "bookworm/", "-x", "*", "bookworm sid"])
def test_a_release_that_is_not_supported_is_refused_by_its_name(clone: Path, release: str) -> None:
    wrong = release.split()[-1]
    assert _refused(clone, release) == (
        f"make test-bare: RELEASE={wrong}: no Debian that waltax is set up on; type "
        'RELEASE="bookworm trixie", or one'
    )


def test_whoever_is_not_root_is_told_to_be(clone: Path) -> None:
    assert "type sudo make test-bare" in _refused(clone, "bookworm", before=NOBODY)


def test_programs_that_are_missing_are_named_with_the_line_that_installs_them(clone: Path) -> None:
    """Before debootstrap would be found missing by a run that is minutes old."""
    tools = clone / "bin"
    tools.mkdir()
    for name in ("dirname", "id", "git", "python3"):
        found = shutil.which(name)
        assert found
        (tools / name).symlink_to(found)
    said = _refused(clone, path=str(tools))
    assert said == "make test-bare: programs are missing; type apt-get install debootstrap"


def test_a_machine_that_lets_root_mount_nothing_is_told_so(clone: Path) -> None:
    tools = clone / "bin"
    tools.mkdir()
    for name, code in (("debootstrap", 0), ("git", 0), ("python3", 0), ("unshare", 1)):
        (tools / name).write_text(f"#!/bin/sh\nexit {code}\n")
        (tools / name).chmod(0o755)
    assert "root may not mount here" in _refused(clone, path=f"{tools}:/usr/bin:/bin")
