"""`waltax receipts`: what it measures, prints, writes and keeps; its runs are real, and short."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from small_profile import UNDISTURBED, small_profile, toml
from swallowing import swallow_syncs
from sweeping import said
from waltax import cli, profiles
from waltax.analysis import writers
from waltax.workloads.mix import record

_SHORT = {
    "measure_s": 0.1,
    "warmup_s": 0.05,
    "settle_s": 0.1,
    "rounds_per_session": 1,
    "min_sessions": 1,
    "time_budget_s": 0.5,
    "disturbed": UNDISTURBED,
}


def _profile(folder: Path, engine: str = "rocksdb") -> None:
    """With slices of a blink: what a mode costs is not asked here."""
    path = small_profile(folder, engine)
    small = profiles.load(str(path), engine)
    tiny = small.model_copy(update={"timing": small.timing.model_copy(update=_SHORT)})
    path.write_text(toml(tiny.model_dump(exclude_none=True)))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a profile, whose data set all tests share."""
    folder = tmp_path_factory.mktemp("receipts")
    _profile(folder)
    return folder


def _typed(home: Path, results: Path, *words: object, command: str = "receipts") -> tuple[int, str]:
    flags = ("--results", results, "--data-dir", home / "data", "--share-machine")
    found = said(cli.cli, command, "--profile", home / "mine.toml", *flags, "--seed", "5", *words)
    return found.code, found.flowing


_FEW = ("--workload", "linkbench", "--cuts", "1", "--seconds", "1", "--states", "3")


def _kept(results: Path) -> tuple[Path, list[dict[str, Any]]]:
    (folder,) = results.iterdir()
    return folder, json.loads((folder / "receipts.json").read_text())["receipts"]


@pytest.fixture(scope="module")
def measured(home: Path) -> tuple[Path, str]:
    """A campaign over all modes with its receipts, and what its command said. Do not change it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(writers.VARIABLE, raising=False)
        code, text = _typed(home, home / "results", *_FEW)
    assert code == 0, text
    return next((home / "results").iterdir()), text


@pytest.fixture
def copied(measured: tuple[Path, str], tmp_path: Path) -> Path:
    return shutil.copytree(measured[0], tmp_path / "results" / measured[0].name)


def test_each_mode_has_a_receipt_for_each_failure_beside_what_it_costs(
    home: Path, measured: tuple[Path, str]
) -> None:
    folder, text = measured
    receipts = json.loads((folder / "receipts.json").read_text())["receipts"]
    by_kind = {(one["mode"], one["failure"]): one for one in receipts}
    modes = ("sync", "flush", "off")
    assert set(by_kind) == {(mode, failure) for mode in modes for failure in ("kill", "power")}
    for one in receipts:
        assert (one["engine"], one["workload"]) == ("rocksdb", "linkbench")
        assert one["device"] == ("off" if one["mode"] == "off" else "nvme")
        assert (one["cuts"], one["states"]) == (1, 1 if one["failure"] == "kill" else 2)
        assert one["opens"] == one["consistent"] == one["states"]
        assert one["acknowledged"] > 0
        assert one["overhead"] is not None
    for kind in (("sync", "kill"), ("sync", "power"), ("flush", "kill")):
        assert (by_kind[kind]["lost"], by_kind[kind]["lost_seconds"]) == (0, 0)
    for kind in (("flush", "power"), ("off", "kill"), ("off", "power")):
        assert by_kind[kind]["lost"] > 0
        assert 0 < by_kind[kind]["lost_seconds"] <= by_kind[kind]["recorded_seconds"]
    assert re.search(r"nvme sync costs \S+ % (\[.*?\]|\(no interval\)) and loses nothing;", text)
    assert "off is the baseline and loses all that was acknowledged in" in text
    assert "nvme flush costs" in (folder / "report.html").read_text()
    assert list((home / "data" / "work").iterdir()) == []


def test_receipts_of_a_campaign_are_shown_again_and_not_measured_twice(copied: Path) -> None:
    receipts = (copied / "receipts.json").read_text()
    (copied / "receipts.json").unlink()
    shown = said(cli.cli, "report", copied)
    assert "loses nothing when its process is killed" in shown.flowing
    assert (copied / "receipts.json").read_text() == receipts
    again = said(cli.cli, "receipts", "--resume", copied, "--share-machine")
    assert again.code == 0, again.text
    assert "commits acknowledged in" not in again.flowing


def test_a_synced_log_that_lost_something_is_kept(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        swallow_syncs(tmp_path, patch)
        code, text = _typed(home, tmp_path / "results", *_FEW, "--wal", "sync")
    folder, receipts = _kept(tmp_path / "results")
    assert code == 1
    assert "a synced log lost" in text
    assert sum(one["lost"] for one in receipts if one["mode"] == "sync") > 0
    (broken,) = (folder / "broken").iterdir()
    assert json.loads((broken / "cut.json").read_text())["lost"] > 0
    assert f"the state is in {broken}" in text
    assert {path.name for path in broken.iterdir()} == {"db", "wal", "acks", "cut.json"}


_MIXES = Path(record.__file__).parent / "files"


def test_a_mix_of_a_file_has_receipts_as_well(tmp_path: Path) -> None:
    _profile(tmp_path)
    file, text = tmp_path / "messages.toml", (_MIXES / "outbox.toml").read_text()
    file.write_text(text.replace("rows = 500_000", "rows = 2_000"))
    few = ("--workload", file, "--cuts", "1", "--seconds", "1", "--states", "3")
    code, text = _typed(tmp_path, tmp_path / "results", *few)
    assert code == 0, text
    _, receipts = _kept(tmp_path / "results")
    lost = {(one["mode"], one["failure"]): one["lost"] for one in receipts}
    assert {one["workload"] for one in receipts} == {"messages"}
    assert lost["sync", "power"] == lost["flush", "kill"] == 0
    assert min(lost["flush", "power"], lost["off", "kill"]) > 0


def test_a_mix_that_only_reads_has_nothing_to_lose(home: Path, tmp_path: Path) -> None:
    text = '[tables.t]\nrows = 9\ncolumns.v = {}\n[operations.o]\nsteps = [{ scan = "t" }]\n'
    (tmp_path / "reads.toml").write_text(text)
    code, text = _typed(home, tmp_path / "results", "--workload", tmp_path / "reads.toml")
    assert (code, "--workload: found reads, which commits nothing" in text) == (2, True)


def test_a_line_that_is_no_receipt_is_refused_by_its_number(copied: Path) -> None:
    lines = (copied / "receipts.jsonl").read_text()
    (copied / "receipts.jsonl").write_text(lines + '{"engine": 3}\n')
    shown = said(cli.cli, "receipts", "--campaign", copied)
    assert shown.code == 2
    number = len(lines.splitlines()) + 1
    assert (
        f"receipts.jsonl:{number}: no line of receipts (engine: found 3); remove" in shown.flowing
    )


def test_a_device_without_a_log_is_refused(home: Path, tmp_path: Path) -> None:
    code, text = _typed(home, tmp_path / "results", "--device", "off")
    assert (code, "--device: found off, which writes no log" in text) == (2, True)
    assert not (tmp_path / "results").exists()


def test_a_mode_that_an_engine_does_not_have_is_refused(home: Path, tmp_path: Path) -> None:
    code, text = _typed(home, tmp_path / "results", "--wal", "delayed")
    assert (code, "--wal: found delayed with --engine rocksdb; rocksdb has no thread" in text) == (
        2,
        True,
    )


def test_a_frontier_measures_the_settings_between_the_modes(home: Path, tmp_path: Path) -> None:
    words = ("--frontier", "--plan", "--workload", "linkbench")
    code, text = _typed(home, tmp_path / "results", *words)
    assert code == 0, text
    for knob in ("sync-10ms", "sync-100ms", "sync-1000ms", "manual-flush-100ms"):
        assert f"rocksdb-linkbench-mine-nvme-flush-t4-{knob} " in text


def test_power_is_cut_for_a_binlog_beside_the_log_alone(home: Path, tmp_path: Path) -> None:
    words = ("--engine", "innodb", "--binlog", "nvram", "--plan")
    code, text = _typed(home, tmp_path / "results", *words)
    assert (code, "--binlog: found nvram; power is cut for the WAL's device alone" in text) == (
        2,
        True,
    )


@pytest.mark.nightly
def test_a_sync_every_hundred_ms_loses_no_more_than_that_and_little(
    home: Path, tmp_path: Path
) -> None:
    code, text = _typed(home, tmp_path / "results", *_FEW, "--frontier")
    assert code == 0, text
    _, receipts = _kept(tmp_path / "results")
    by_kind = {(one["knob"], one["failure"]): one for one in receipts if one["knob"]}
    assert by_kind["sync-10ms", "kill"]["lost"] == 0
    assert by_kind["manual-flush-100ms", "power"]["lost"] > 0
    assert by_kind["sync-10ms", "power"]["lost_seconds"] < 1  # its period, and a sync


@pytest.mark.nightly
def test_a_server_has_receipts_as_well(tmp_path: Path, place: Path) -> None:
    _profile(place, "myrocks")
    few = ("--engine", "myrocks", "--wal", "flush")
    code, told = _typed(place, tmp_path / "results", *_FEW, *few)
    assert code == 0, told
    _, receipts = _kept(tmp_path / "results")
    kill, power = (one for one in receipts if one["mode"] == "flush")
    assert (kill["engine"], kill["failure"], kill["lost"]) == ("myrocks", "kill", 0)
    assert (power["states"], power["opens"], power["consistent"]) == (2, 2, 2)
