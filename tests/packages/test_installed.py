"""waltax without its repository: what a wheel holds, where things are kept, and the first use."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
Run = Callable[..., subprocess.CompletedProcess[str]]
# What only developers, and readers of the repository, take.
_LEFT_OUT = re.compile(
    r"(tests|docs|packages|ci-examples|[.]ci)/.*|(.*/)?[.][a-z-]+|.*[.](md|lock)|"
    r"LICENSE|CITATION[.]cff|Makefile|pyproject[.]toml"
)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the unpacked wheel."""
    tree, made = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("dist")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in listed.stdout.decode().split("\0")[:-1]:
        if (ROOT / name).exists() and not name.startswith(("tests/", "docs/")):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    (tree / "base" / "commit.txt").write_text(f"{'1a2b3c4d' * 5}\n")  # as `git archive` does
    words = ["--quiet", "--no-build-isolation", "--offline", "--python", sys.executable]
    uv = str(Path(sys.executable).with_name("uv"))
    subprocess.run([uv, "build", *words, "--out-dir", made, tree], check=True)
    (wheel,) = made.glob("*.whl")
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    return folder


@pytest.fixture
def installed(site: Path, tmp_path: Path) -> Run:
    """Run Python in an empty folder, as a user whose cache is `tmp_path`/cache."""
    here = tmp_path / "here"
    here.mkdir()

    def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        own = {name: text for name, text in os.environ.items() if not name.startswith("WALTAX")}
        env = {**own, "PYTHONPATH": str(site), "XDG_CACHE_HOME": str(tmp_path / "cache"), **more}
        argv = [sys.executable, *words]
        return subprocess.run(
            argv, cwd=here, env=env, capture_output=True, text=True, check=False, timeout=120
        )

    return run


def test_a_wheel_holds_every_file_that_takes_part_in_measuring(site: Path) -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    tracked = {name for name in listed.stdout.split() if (ROOT / name).exists()}
    held = {str(path.relative_to(site / "waltax")) for path in (site / "waltax").rglob("*")}
    assert {name for name in tracked - held if not _LEFT_OUT.fullmatch(name)} == set()
    assert held & {"Makefile", "pyproject.toml", "tests/run"} == set()


def test_results_go_where_the_user_is_and_data_and_programs_into_a_cache(
    installed: Run, tmp_path: Path
) -> None:
    asked = "from waltax.base import home; print(*map(home.place, ('results', 'data', 'build')))"
    done = installed("-c", asked)
    cache = tmp_path / "cache" / "waltax"
    assert done.stdout.split() == [f"{tmp_path}/here/results", f"{cache}/data", f"{cache}/build"]
    said = " ".join(installed("-m", "waltax", "run", "--help").stdout.split())
    assert "Where campaigns are kept. [default: (results/ here)]" in said
    assert "[default: (~/.cache/waltax/data)]" in said


def test_a_row_names_the_commit_that_was_packed_and_no_repository_around_it(
    installed: Run,
) -> None:
    asked = "from waltax.runners.cells.machine import provenance as p; print(p()['git_commit'])"
    done = installed("-c", asked, GIT_DIR=str(ROOT / ".git"))
    assert done.stdout == "1a2b3c4d1a2b\n", done.stderr


def _tools(folder: Path, state: str) -> str:
    """A PATH whose Debian has every package in this state, and whose cmake makes the programs."""
    folder.mkdir()
    stand_ins = {
        "dpkg-query": f'for p; do echo "$p={state}"; done',
        "cmake": f"""echo "$@" >>{folder}/typed
mkdir -p "$BUILD_DIR"
touch "$BUILD_DIR/build.ninja" "$BUILD_DIR/linkbench" "$BUILD_DIR/libwaltax_tap.so\"""",
    }
    for name, script in stand_ins.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


_PROGRAM = "from waltax.base import proc; print(proc.program('linkbench'))"


def test_the_programs_are_built_once_at_first_use_and_clean_removes_them(
    installed: Run, tmp_path: Path, site: Path
) -> None:
    path, build = _tools(tmp_path / "tools", "installed"), tmp_path / "cache" / "waltax" / "build"
    first = installed("-c", _PROGRAM, PATH=path)
    assert Path(first.stdout.strip()).parent.parent == build, first.stderr
    assert f"setup: building the C++ programs in {build}/" in first.stderr
    typed = (tmp_path / "tools" / "typed").read_text()
    again = installed("-c", _PROGRAM, PATH=path)
    assert (again.stdout, again.stderr) == (first.stdout, "")
    assert (tmp_path / "tools" / "typed").read_text() == typed
    assert installed("-m", "waltax.base.folders.clean").returncode == 0
    assert list(build.parent.iterdir()) == []
    assert (site / "waltax" / "setup.sh").exists()


def test_debian_packages_that_are_missing_are_named_and_not_installed(
    installed: Run, tmp_path: Path
) -> None:
    path = _tools(tmp_path / "tools", "not-installed")
    done = installed("-m", "waltax", "doctor", PATH=path, OS_RELEASE=str(tmp_path / "os"))
    assert done.returncode == 1
    assert not (tmp_path / "cache").exists()
    (tmp_path / "os").write_text("ID=debian\nVERSION_ID=13\n")
    done = installed("-m", "waltax", "doctor", PATH=path, OS_RELEASE=str(tmp_path / "os"))
    lines = done.stderr.splitlines()
    wanted = "  sudo apt-get update && sudo apt-get install -y --no-install-recommends g++ cmake "
    assert [line for line in lines if line.startswith(f"setup: {wanted}")]
    assert "mariadb-server" not in done.stderr
    assert lines[-1] == "waltax: the C++ programs are missing, and cannot be built: see above"
    assert done.returncode == 1
