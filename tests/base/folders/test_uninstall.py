"""`make uninstall` takes all that waltax made but results, and says what it cannot take."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from other_processes import killed, python
from waltax.base.folders import clean, folder


def _ours(path: Path, kind: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    made = folder.make(path, kind)
    (path / "file").write_text("ours")
    made.release()


@pytest.fixture
def used(tmp_path: Path) -> Path:
    """A machine after some use: a repository, its memory and a user's lock."""
    for name, kind in (
        ("clone/.venv", "environment"),
        ("clone/build", "build"),
        ("clone/data/sets/linkbench", "data set"),
        ("memory/waltax-campaign-1", "memory"),
        ("memory/waltax-bench-load-1", "bench"),
    ):
        _ours(tmp_path / name, kind)
    (tmp_path / "clone" / "data" / "work").mkdir()
    (tmp_path / "clone" / "results").mkdir()
    (tmp_path / "memory" / "other").mkdir()
    (tmp_path / "lock").write_text("campaign x (pid 1)\n")
    return tmp_path


def _uninstalled(used: Path) -> int:
    return clean.uninstall(used / "clone", used / "memory", used / "lock")


def _left(used: Path) -> set[str]:
    return {str(path.relative_to(used)) for path in used.rglob("*")}


def test_all_goes_but_results_and_what_others_made(used: Path) -> None:
    assert _uninstalled(used) == 0
    assert _left(used) == {"clone", "clone/results", "memory", "memory/other"}
    assert _uninstalled(used) == 0


def test_what_is_not_waltaxs_stays_and_is_named(
    used: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = {"clone/data/mine", "memory/waltax-mine"}
    for name in mine:
        (used / name).write_text("precious")
    (used / "clone" / ".venv" / ".waltax-owned").unlink()
    assert _uninstalled(used) == 1
    assert mine | {"clone/.venv/file"} <= _left(used)
    said = capsys.readouterr().err
    for name in ("clone/data/mine", "memory/waltax-mine", "clone/.venv"):
        assert f"{used / name}: left alone: it " in said


def test_nothing_goes_while_a_campaign_measures(
    used: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = _left(used)
    hold = """
    from pathlib import Path
    from waltax.base.folders import machine
    held = machine.only_campaign("x", Path(sys.argv[1]))
    held.__enter__()
    """
    child = python(hold, used / "lock")
    assert _uninstalled(used) == 1
    assert "a campaign is measuring; wait for it" in capsys.readouterr().err
    assert _left(used) == before
    killed(child)
    assert _uninstalled(used) == 0


def test_the_packages_that_were_installed_are_named(
    used: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (used / "clone" / ".installed-packages").write_text("fio\nlibfmt-dev\nfio\n$(reboot)\n--x\n")
    assert _uninstalled(used) == 0
    assert "  sudo apt-get remove fio libfmt-dev\n" in capsys.readouterr().out


def test_it_runs_by_the_system_s_python_without_an_environment(used: Path) -> None:
    repository = Path(clean.__file__).parents[2]
    (used / "clone" / "base").symlink_to(repository / "base")
    code = "from base.folders import clean; from pathlib import Path as P; import sys; " + (
        "sys.exit(clean.uninstall(P('.'), P('../memory'), P('../lock')))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", code],
        cwd=used / "clone",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not (used / "clone" / ".venv").exists()
