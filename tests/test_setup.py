"""setup.sh but for its packages: paths, what was typed, the environment, the build."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from making import OF_WALTAX, TARGETS
from waltax import makefile
from waltax.cli import cli
from waltax.commands import COMMANDS
from waltax.devices import catalog
from waltax.engines import PLACED
from waltax.profiles import names
from waltax.workloads import WORDS

ROOT = Path(__file__).parent.parent


def _make(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", *words], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("character", '"\\;#|:')
def test_a_folder_that_cannot_be_built_in_is_refused_before_anything_is_done(
    place: Path, character: str
) -> None:
    folder = place / f"it's a{character}folder"
    folder.mkdir()
    done = _set_up_in(folder)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"setup: this folder: found {folder}; a path with any of ")
    assert line.endswith("clone waltax into another")
    assert [path.name for path in folder.iterdir()] == ["setup.sh"]


@pytest.mark.parametrize("name", ["BUILD_DIR", "ROCKSDB_ROOT"])
@pytest.mark.parametrize("text", ["-x", 'a"b', "a;b"])
def test_a_path_that_cannot_be_built_with_is_refused_by_its_variable(
    place: Path, name: str, text: str
) -> None:
    done = _set_up_in(place, **{name: text})
    assert done.returncode == 2
    assert done.stderr.startswith(f"setup: {name}: found {text}")


def test_a_folder_of_another_user_is_refused_before_anything_is_done(place: Path) -> None:
    """Not by a build that fails at the first file that it cannot write."""
    shutil.copy(ROOT / "setup.sh", place)
    words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    argv = [*words, "sh", str(place / "setup.sh")]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        f"setup: this folder: {place}: user 65534 may not write in it; clone waltax into one of "
        "theirs\n",
    )


def _set_up_in(folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    shutil.copy(ROOT / "setup.sh", folder)
    argv = ["/bin/sh", str(folder / "setup.sh")]
    env = {"PATH": "/usr/bin:/bin", **env}
    return subprocess.run(argv, capture_output=True, text=True, check=False, env=env, timeout=60)


@pytest.mark.parametrize(
    ("environment", "build", "code"),
    [("true", "sleep 0.2", 0), ("exit 4", "sleep 0.2", 4), ("true", "sleep 0.2; exit 5", 5)],
)
def test_the_environment_and_the_build_are_both_waited_for_and_either_fails_it(
    tmp_path: Path, environment: str, build: str, code: int
) -> None:
    _, packages, steps = (ROOT / "setup.sh").read_text().partition("\npackages\n")
    build = build.replace("sleep 0.2", f"sleep 0.2; touch {tmp_path}/built")
    stand_ins = f"environment() {{ {environment}; }}\nsetsid() {{ {build}; }}\n"
    script = f"set -eu\npackages() {{ :; }}\nours() {{ :; }}\n{stand_ins}{packages}{steps}"
    done = subprocess.run(["sh", "-c", script], check=False)
    assert done.returncode == code
    assert (tmp_path / "built").exists()


@pytest.mark.parametrize("code", [0, 1])
def test_a_build_says_how_far_it_is_and_all_when_it_fails(tmp_path: Path, code: int) -> None:
    """A line each EVERY seconds, which is none here."""
    script = (ROOT / "setup.sh").read_text().partition("\ncase")[0]
    script = script.replace("EVERY=15", "EVERY=0").replace('"$(dirname "$0")"', str(tmp_path))
    ninja = (
        f"cmake() {{ echo '[1/2] Building a'; echo 'error: b'; echo '[2/2] c'; return {code}; }}"
    )
    (tmp_path / "build" / "release").mkdir(parents=True)
    (tmp_path / "build" / "release" / "build.ninja").touch()
    env = {name: text for name, text in os.environ.items() if name != "WERROR"}  # as CI has it
    done = subprocess.run(
        ["sh", "-c", f"{script}\n{ninja}\nbuild"],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    progress = "setup: built [1/2]\nsetup: built [2/2]\n"
    log = "[1/2] Building a\nerror: b\n[2/2] c\nsetup: the C++ build failed, see above\n"
    assert (done.returncode, done.stderr) == (code, progress + (log if code else ""))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP])
def test_what_is_interrupted_says_so_and_ends_its_build(place: Path, number: int) -> None:
    """Ctrl-C reaches what is in the foreground alone: the build, which is not, is ended too."""
    stand_ins = f"""
packages() {{ :; }}
build() {{
  trap 'touch {place}/ended; exit' TERM
  touch {place}/begun
  while :; do sleep 0.1; done
}}
environment() {{ sh -c 'touch {place}/waits; exec sleep 60'; }}
"""
    script = (ROOT / "setup.sh").read_text().replace("\ncase ", f"\n{stand_ins}\ncase ", 1)
    (place / "setup.sh").write_text(script)
    argv = ["sh", str(place / "setup.sh")]
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True, process_group=0) as child:
        for name in ("begun", "waits"):  # a signal to a shell that is just forking may be lost
            _await(place / name)
        os.killpg(child.pid, number)
        said = child.communicate(timeout=60)[1]
        ours = [line for line in said.splitlines() if line.startswith("setup: ")]
        assert (child.returncode, ours) == (
            130,
            ["setup: interrupted; type the same again, and it goes on from there"],
        )
        _await(place / "ended")


def _await(path: Path) -> None:
    until = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < until, f"{path.name}: never came"
        time.sleep(0.01)


@pytest.mark.parametrize("asked", [False, True])
def test_warnings_end_a_build_where_that_is_asked_for(place: Path, asked: bool) -> None:
    """A newer compiler warns of more, which is nothing to whoever only measures."""
    copy = Path(shutil.copy(ROOT / "setup.sh", place))
    (place / "bin").mkdir()
    (place / "bin" / "cmake").write_text(f'#!/bin/sh\necho "$@" >>{place}/said\n')
    (place / "bin" / "cmake").chmod(0o755)
    env = {"PATH": f"{place / 'bin'}:{os.environ['PATH']}"} | ({"WERROR": "1"} if asked else {})
    for _ in range(2):  # a build that is there already is configured anew
        subprocess.run(["sh", copy, "--build"], check=True, capture_output=True, env=env)
        (place / "build" / "release").mkdir(parents=True, exist_ok=True)
        (place / "build" / "release" / "build.ninja").touch()
    configured = [line for line in (place / "said").read_text().splitlines() if "-S" in line]
    assert len(configured) == (2 if asked else 1)
    assert all(("-DCMAKE_COMPILE_WARNING_AS_ERROR=ON" in line) == asked for line in configured)


def test_make_alone_answers_each_question_in_at_most_25_lines() -> None:
    shown = _make().stdout
    own = [line for line in shown.splitlines() if not line.startswith("make[")]  # in `make test`
    assert len(own) <= 25
    for command, entry in COMMANDS.items():
        if entry.listed and " " not in command and command != "sweep":
            assert f"make {command}" in shown
    for target in (*TARGETS, "plot"):
        assert target.partition("-")[2] in shown or target in shown


def test_the_makefile_fits_two_screens() -> None:
    assert len((ROOT / "Makefile").read_text().splitlines()) <= 120


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_holds_versions_and_hashes_and_no_address(name: str) -> None:
    lock = (ROOT / name).read_text()
    assert "--hash=sha256:" in lock
    assert "://" not in lock
    assert "index-url" not in lock


def test_who_only_uses_waltax_gets_no_tools_of_developers() -> None:
    use, develop = ((ROOT / f"requirements{which}.lock").read_text() for which in ("", "-dev"))
    for tool in ("mypy", "pytest", "ruff", "clang-tidy", "clang-format"):
        assert f"\n{tool}==" not in f"\n{use}"
        assert f"\n{tool}==" in f"\n{develop}"


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A clone of what is Python and TOML in waltax, before any set-up."""
    argv = ["git", "-C", str(ROOT), "ls-files", "*.py", "*.toml"]
    listed = subprocess.run(argv, capture_output=True, text=True)
    for name in listed.stdout.split():
        if not name.startswith("tests/"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_a_fresh_clone_lets_pass_whatever_a_target_takes(fresh: Path) -> None:
    """What the target at hand does not take of these, waltax refuses after the set-up."""
    known = {name for target in OF_WALTAX for name in makefile.parameters(cli, target)}
    devices = catalog.names()
    profiles = {name for engine in PLACED for name in names(engine)}
    choices = {
        "DEVICE": ["x.toml", "./it's $x.toml", *devices, " ".join(devices)],
        "PROFILE": ["/x/y.toml", *sorted(profiles)],
        "ENGINE": PLACED,
        "WORKLOAD": [*WORDS, " ".join(WORDS)],
    }
    words = [f"{name}={text}" for name in sorted(known) for text in choices.get(name, ["x"])]
    done = _known(fresh, *words)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("DEVICE=nvme nvmee", "it is none of ebs-gp3 "),
        ("PROFILE=quik", "it is none of ci "),
        ("ENGINE=mysql", "it is none of rocksdb myrocks innodb "),
        ("WORKLOAD=tpc", "it is none of linkbench tpcc "),
    ],
)
def test_a_fresh_clone_refuses_a_choice_that_does_not_ship(
    fresh: Path, word: str, said: str
) -> None:
    done = _known(fresh, word)
    assert done.returncode == 2
    assert done.stderr.startswith(f"make run: {word}: {said}")


@pytest.mark.parametrize("word", ["KEYZ=5", "SED=3", ".*=x", "it's=a b"])
def test_a_fresh_clone_refuses_what_is_misspelt(fresh: Path, word: str) -> None:
    done = _known(fresh, "DEVICE=nvme", word)
    assert (done.returncode, done.stderr) == (
        2,
        f"make run: {word}: no command takes it; leave it out\n",
    )


def _known(folder: Path, *words: str, target: str = "run") -> subprocess.CompletedProcess[str]:
    argv = ["sh", shutil.copy(ROOT / "setup.sh", folder), "--known", target, *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("code", "well"), [(0, True), (1, True), (127, True), (2, False)])
def test_waltax_is_asked_where_it_is_there_and_only_its_refusal_counts(
    tmp_path: Path, code: int, well: bool
) -> None:
    """One that cannot run, because it is older than the clone, is what set-up mends."""
    waltax = tmp_path / ".venv" / "bin" / "waltax"
    waltax.parent.mkdir(parents=True)
    waltax.write_text(f'#!/bin/sh\nprintf "%s|" "$@" >&2\nexit {code}\n')
    waltax.chmod(0o755)
    done = _known(tmp_path, "KEYS=it's $x")
    said = "" if well else "--known|run|KEYS=it's $x|\n"
    assert (done.returncode, done.stderr) == (0 if well else 2, said)


@pytest.mark.parametrize("linked", [False, True])
def test_an_environment_that_waltax_did_not_make_is_left_alone_and_named(
    place: Path, linked: bool
) -> None:
    for name in ("setup.sh", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, place)
    shutil.copytree(ROOT / "base", place / "base", ignore=shutil.ignore_patterns("__pycache__"))
    mine = place / ("elsewhere" if linked else ".venv")
    mine.mkdir()
    (mine / "precious").write_text("precious")
    if linked:
        (place / ".venv").symlink_to(mine)
    (place / "bin").mkdir()
    (place / "bin" / "cmake").symlink_to("/bin/true")  # nothing is built in this test
    done = subprocess.run(
        ["sh", str(place / "setup.sh")],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": f"{place / 'bin'}:{os.environ['PATH']}"},
    )
    assert done.returncode == 1, done.stderr
    assert ".venv: left alone: it " in done.stderr
    assert "move .venv away, or remove it" in done.stderr
    assert (mine / "precious").read_text() == "precious"
    clean = ["python3", "-m", "base.folders.clean"]
    assert subprocess.run(clean, cwd=place, check=False).returncode == 0
    assert not (place / "build").exists()  # by the marker that the shell wrote
    assert (mine / "precious").read_text() == "precious"
