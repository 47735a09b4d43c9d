"""`make clean` takes what waltax made in build/ and data/, and leaves all else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from other_processes import killed, python
from waltax.base.folders import clean, folder


def _ours(path: Path, kind: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    made = folder.make(path, kind)
    (path / "file").write_text("ours")
    made.release()
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository after some use."""
    root = tmp_path / "repository"
    for name, kind in (
        ("build", "build"),
        ("data/sets/linkbench", "data set"),
        ("data/sets/partial-1", "load"),
        ("data/work/campaign", "work"),
        ("data/wal/waltax-campaign", "wal"),
        ("data/bench-load-1", "bench"),
        ("data/linkbench-cli", "database"),
    ):
        _ours(root / name, kind)
    _ours(root / "results" / "campaign", "results")
    return root


def _files(root: Path) -> set[str]:
    found = (path for path in root.rglob("*") if path.is_file() or path.is_symlink())
    return {str(path.relative_to(root)) for path in found}


def test_all_that_waltax_made_goes_but_for_results(root: Path) -> None:
    assert clean.main(root) == 0
    assert _files(root) == {"results/campaign/.waltax-owned", "results/campaign/file"}


def test_what_somebody_put_there_stays_and_is_named(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = [
        *("data/thesis.tex", "data/mine/file", "data/sets/mine/CURRENT", "data/work/mine/file"),
        "data/sets/notes",
    ]
    for name in mine:
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("precious")
    assert clean.main(root) == 1
    assert {name for name in _files(root) if not name.startswith("results")} == set(mine)
    said = capsys.readouterr().err
    for name in ("data/thesis.tex", "data/mine", "data/sets/mine", "data/work/mine"):
        assert f"clean: {root / name}: left alone: it " in said


@pytest.mark.parametrize("name", ["build", "data", "data/sets", "data/work", "data/sets/x"])
def test_a_link_is_not_followed(root: Path, tmp_path: Path, name: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    (root / name).rename(elsewhere) if (root / name).exists() else _ours(elsewhere, "data set")
    (elsewhere / "precious").write_text("precious")
    (root / name).symlink_to(elsewhere)
    before = _files(elsewhere)
    assert clean.main(root) == 1
    assert _files(elsewhere) == before


def test_a_disk_that_is_mounted_there_keeps_what_is_on_it(
    root: Path, mount: Callable[..., Path]
) -> None:
    for name in ("build", "data/sets/linkbench"):
        (root / name / "disk").mkdir()
        (mount(root / name / "disk") / "precious").write_text("precious")
    (mount(root / "data" / "work") / "precious").write_text("precious")
    assert clean.main(root) == 1
    for name in ("build/disk", "data/sets/linkbench/disk", "data/work"):
        assert (root / name / "precious").read_text() == "precious"


def test_nothing_is_taken_from_a_campaign_that_runs(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hold = """
    from pathlib import Path
    from waltax.base.folders.folder import Folder
    held = Folder.take(Path(sys.argv[1]), "work")
    """
    child = python(hold, root / "data" / "work" / "campaign")
    before = _files(root)
    assert clean.main(root) == 1
    assert "campaign: is being measured; wait for it" in capsys.readouterr().err
    assert _files(root) == before
    killed(child)
    assert clean.main(root) == 0


def test_what_a_killed_clean_or_set_up_left_goes_with_the_next(root: Path) -> None:
    (root / "build").rename(root / ".waltax-half-0123abcd")
    (root / "data" / "work" / ".waltax-half-empty").mkdir()
    assert clean.main(root, [".venv"]) == 0
    assert not (root / ".waltax-half-0123abcd").exists()
    assert clean.main(root) == 0
    assert _files(root) == {"results/campaign/.waltax-owned", "results/campaign/file"}


def test_a_hostile_name_is_told_on_one_line(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "data" / "a\x1b]0;x\x07\nclean: forged").mkdir()
    assert clean.main(root) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "\x1b" not in line


def test_a_build_that_nobody_marked_stays(root: Path) -> None:
    (root / "build" / ".waltax-owned").unlink()
    assert clean.main(root) == 1
    assert (root / "build" / "file").exists()


def test_it_runs_by_the_system_s_python_without_an_environment(tmp_path: Path) -> None:
    repository = Path(clean.__file__).parents[2]
    (tmp_path / "base").symlink_to(repository / "base")
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-m", "base.folders.clean"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
