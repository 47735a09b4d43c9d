"""`waltax receipts recovery`: real engines that are killed and opened again, with a short log."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import recovery_lines
from small_profile import small_profile
from sweeping import said
from waltax import cli
from waltax.base.folders import folder as folders
from waltax.crash.recovery.openings import Openings
from waltax.runners.cells.driver import loading

SERVED = ("myrocks", "innodb")


def _typed(folder: Path, *words: str, engine: str = "rocksdb") -> tuple[int, str]:
    flags = ("--results", folder / "results", "--data-dir", folder / "data", "--share-machine")
    what = ("--profile", small_profile(folder, engine), "--engine", engine)
    done = said(cli.cli, "receipts", "recovery", *what, "--workload", "linkbench", *flags, *words)
    return done.code, done.flowing


@pytest.mark.drawn
@pytest.mark.parametrize(
    ("engine", "kills"),
    [("rocksdb", 2), *(pytest.param(one, 1, marks=pytest.mark.nightly) for one in SERVED)],
)
def test_all_of_the_log_is_replayed_and_nothing_of_it_is_lost(
    place: Path, engine: str, kills: int
) -> None:
    words = ("--logs", "1 4", "--kills", str(kills), "--openings", "2", "--seed", "3")
    code, text = _typed(place, *words, engine=engine)
    assert code == 0, text
    (folder,) = (place / "results").iterdir()
    rows = [json.loads(line) for line in (folder / "recovery.jsonl").open()]
    assert [(one["kill"], one["asked_bytes"] >> 20, one["opening"]) for one in rows] == [
        (kill, mib, opening) for kill in range(kills) for mib in (1, 4) for opening in range(2)
    ]
    assert [one["seed"] - 3 for one in rows] == [one["kill"] for one in rows]
    short, long = rows[0]["log_bytes"], rows[-1]["log_bytes"]
    assert short >= 1 << 20
    assert long >= 4 << 20
    for one in rows:
        assert one["engine"] == engine
        assert one["open_s"] > 0
        assert one["log_files"] >= 1
    found = json.loads((folder / "recovery.json").read_text())
    assert len(found["openings"]) == len(rows)
    assert (found["seconds_per_gib"]["low"] is None) == (kills == 1)
    assert "for each GiB of log" in text
    assert list((place / "data" / "work").iterdir()) == []


def test_a_plan_says_what_it_takes_and_makes_nothing(tmp_path: Path) -> None:
    code, text = _typed(tmp_path, "--logs=1 4", "--plan")
    assert (code, "linkbench on rocksdb: 2 lengths of log, 2 kills of each" in text) == (0, True)
    assert "disk at most" in text
    assert not (tmp_path / "data").exists()
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("text", ["0", "-4", "big", "", "70000 x", "1.5"])
def test_a_length_that_is_none_is_refused_before_anything_is_made(
    tmp_path: Path, text: str
) -> None:
    code, told = _typed(tmp_path, f"--logs={text}")
    assert code == 2
    assert "--logs: found" in told
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    ("engine", "longest"), [("rocksdb", 21845), ("myrocks", 21845), ("innodb", 262144)]
)
def test_a_length_that_the_engine_cannot_hold_is_refused_before_anything_is_made(
    tmp_path: Path, engine: str, longest: int
) -> None:
    code, told = _typed(tmp_path, f"--logs=16 {longest + 1}", engine=engine)
    assert (code, f"of a log up to {longest} MiB; type shorter lengths" in told) == (2, True)
    assert not (tmp_path / "data").exists()
    assert not (tmp_path / "results").exists()


def test_a_length_that_the_disk_cannot_hold_is_refused_before_anything_is_made(
    tmp_path: Path, small_disk: Callable[..., Path]
) -> None:
    (tmp_path / "data").symlink_to(small_disk(20))
    code, told = _typed(tmp_path, "--logs=16")
    assert code == 2, told
    assert "--data-dir: " in told
    assert "20 MiB free" in told
    assert list((tmp_path / "data").iterdir()) == []
    assert not (tmp_path / "results").exists()


def _interrupted(folder: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> str:
    """What is said when Ctrl-C comes after so many recovery."""

    def rows(*_: object) -> Iterator[object]:
        yield from map(json.loads, lines)
        raise KeyboardInterrupt

    monkeypatch.setattr(loading, "prepare", lambda *_: folder)
    monkeypatch.setattr(Openings, "_of_a_kill", rows)
    code, text = _typed(folder, "--logs=1")
    assert code != 0
    return text


def test_ctrl_c_before_the_first_opening_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _interrupted(tmp_path, monkeypatch)
    assert not (tmp_path / "results").exists()


def test_what_ctrl_c_leaves_has_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = _interrupted(tmp_path, monkeypatch, *recovery_lines.openings()[:4])
    (folder,) = (tmp_path / "results").iterdir()
    assert f"report {folder}" in text
    again = said(cli.cli, "report", folder)
    assert again.code == 0
    assert "RocksDB: with 16 MiB of log it serves again after" in again.flowing
    assert (folder / "recovery.json").exists()


def test_what_a_killed_recovery_left_is_removed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "data" / "work"
    work.mkdir(parents=True)
    left = folders.make(work / "recovery-left", "work")
    (left.path / "run").mkdir()
    left.release()
    _interrupted(tmp_path, monkeypatch)
    assert list(work.iterdir()) == []
