"""`waltax receipts`: what it prints, writes and keeps; its runs are real, and short."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from swallowing import swallow_syncs
from sweeping import said
from waltax import cli
from waltax.profiles.model import FOLDER


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a profile of one warehouse, whose data set all tests share."""
    folder = tmp_path_factory.mktemp("receipts")
    text = (FOLDER / "ci.toml").read_text().replace('name = "ci"', 'name = "mine"')
    (folder / "mine.toml").write_text(text.replace("warehouses = 2", "warehouses = 1"))
    return folder


def _typed(home: Path, results: Path, *words: str) -> tuple[int, str]:
    flags = ("--results", results, "--data-dir", home / "data", "--share-machine")
    few = ("--cuts", "1", "--seconds", "1", "--seed", "5")
    found = said(cli.cli, "receipts", "--profile", home / "mine.toml", *flags, *few, *words)
    return found.code, found.flowing


def _kept(results: Path) -> tuple[Path, list[dict[str, Any]]]:
    (folder,) = results.iterdir()
    return folder, json.loads((folder / "receipts.json").read_text())["receipts"]


def test_each_mode_has_a_receipt_for_each_failure(home: Path, tmp_path: Path) -> None:
    code, text = _typed(home, tmp_path / "results", "--states", "3")
    folder, receipts = _kept(tmp_path / "results")
    assert code == 0, text
    by_kind = {(one["mode"], one["failure"]): one for one in receipts}
    modes = ("sync", "flush", "off")
    assert list(by_kind) == [(mode, failure) for mode in modes for failure in ("kill", "power")]
    for one in receipts:
        assert (one["engine"], one["workload"], one["device"]) == ("rocksdb", "tpcc", "nvme")
        assert (one["cuts"], one["states"]) == (1, 1 if one["failure"] == "kill" else 2)
        assert one["opens"] == one["consistent"] == one["states"]
        assert one["acknowledged"] > 0
    for kind in (("sync", "kill"), ("sync", "power"), ("flush", "kill")):
        assert (by_kind[kind]["lost"], by_kind[kind]["lost_seconds"]) == (0, 0)
    for kind in (("flush", "power"), ("off", "kill"), ("off", "power")):
        assert by_kind[kind]["lost"] > 0
        assert by_kind[kind]["lost_seconds"] > 0
    assert "nvme sync: nothing is lost when its process is killed" in text
    assert "nvme flush: up to" in text
    assert {path.name for path in folder.iterdir()} == {"receipts.json", ".lock"}
    assert list((home / "data" / "work").iterdir()) == []


def test_a_synced_log_that_lost_something_is_kept_with_the_line_that_shows_it(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swallow_syncs(tmp_path, monkeypatch)
    code, text = _typed(home, tmp_path / "results", "--wal", "sync", "--states", "3")
    folder, receipts = _kept(tmp_path / "results")
    assert code == 1
    assert "a synced log lost" in text
    assert receipts[1]["lost"] > 0
    broken = folder / "broken"
    assert json.loads((broken / "cut.json").read_text())["lost"] > 0
    line = text[text.index("type there: ") + len("type there: ") :]
    shown = subprocess.run(shlex.split(line), cwd=broken, capture_output=True, check=False)
    assert shown.returncode != 0


def test_a_device_without_a_log_is_refused(home: Path, tmp_path: Path) -> None:
    code, text = _typed(home, tmp_path / "results", "--device", "off")
    assert (code, "--device: found 'off', which writes no log" in text) == (2, True)
    assert not (tmp_path / "results").exists()


def test_a_mode_that_an_engine_does_not_have_is_refused(home: Path, tmp_path: Path) -> None:
    code, text = _typed(home, tmp_path / "results", "--wal", "delayed")
    assert (code, "--wal: found 'delayed'; rocksdb has no thread" in text) == (2, True)


def test_a_server_has_receipts_as_well(tmp_path: Path, place: Path) -> None:
    text = (FOLDER / "myrocks-ci.toml").read_text().replace('name = "ci"', 'name = "mine"')
    (place / "mine.toml").write_text(text.replace("warehouses = 2", "warehouses = 1"))
    few = ("--engine", "myrocks", "--wal", "flush", "--states", "3")
    code, said_of_it = _typed(place, tmp_path / "results", *few)
    assert code == 0, said_of_it
    _, (kill, power) = _kept(tmp_path / "results")
    assert (kill["engine"], kill["mode"], kill["lost"]) == ("myrocks", "flush", 0)
    assert (power["states"], power["opens"], power["consistent"]) == (2, 2, 2)
