"""Knobs of the log in campaigns of workloads with a driver program."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from waltax import analysis, profiles
from waltax.driver.cells import life
from waltax.engines.knobs import served
from waltax.errors import UsageError, WaltaxError
from waltax.harness.placed_server import Placed, require_mode
from waltax.mariadb import settings
from waltax.row import Row
from waltax.runners import campaign, loop
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.local import Local
from waltax.runners.loop import Screen

_KNOBS = ("manual-flush", "recycled-logs")


@pytest.fixture
def planned(
    tmp_path: Path, shared_data: Path, tiny: Callable[..., Path]
) -> Callable[..., Campaign]:
    """A campaign on nvme with a cell for each knob; nothing is written yet."""

    def make(workload: str = "linkbench", **recipe: Any) -> Campaign:
        profile = tiny(rounds_per_session=1, time_budget_s=0.01)
        told = {"engine": "rocksdb", "profile": str(profile), "knobs": _KNOBS, "seed": 7, **recipe}
        asked = Recipe(workloads=(workload,), devices=("nvme",), **told)
        return campaign.new(asked, tmp_path / "results", shared_data)

    return make


def _measured(one: Campaign) -> list[Row]:
    silent = Screen(lambda _: None, lambda _: None, lambda _: None)
    return loop.measure(one, analysis.estimate, silent, Local(share_machine=True)).progress.rows


@pytest.mark.parametrize("workload", ["linkbench", "tpcc"])
def test_every_knob_gives_rows_whose_evidence_was_accepted(
    workload: str, planned: Callable[..., Campaign]
) -> None:
    one = planned(workload)
    rows = _measured(one)
    assert [row["failure"] for row in rows if row["status"] != "ok"] == []
    synced = [row for row in rows if row["durability"] == "sync"]
    assert {row["knob"] for row in synced} == {"", *_KNOBS}
    assert all(row["tap_syncs"] > 0 for row in synced)
    told = (one.folder / f"{one.cells[-1].id}.options").read_text()
    assert "recycle_log_file_num=4" in told


@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_a_server_is_told_its_limit_of_the_log_and_says_so(
    reachable: Path, tiny_of: Callable[..., Path], engine: str
) -> None:
    profile = str(tiny_of(engine, time_budget_s="0.5", rounds_per_session="1"))
    recipe = Recipe(engine, ("linkbench",), profile, ("nvram",), "sync", seed=7, knobs=("log-4",))
    one = campaign.new(recipe, reachable / "results", reachable / "data")
    rows = _measured(one)
    assert [row["failure"] for row in rows if row["status"] != "ok"] == []
    name = {"myrocks": "rocksdb_max_total_wal_size", "innodb": "innodb_log_file_size"}[engine]
    (limited,) = [cell for cell in one.cells if cell.knob]
    assert f"{name} = {4 << 20}" in (one.folder / f"{limited.id}.cnf").read_text()
    assert f"{name} = {4 << 20}" not in (one.folder / f"{one.cells[0].id}.cnf").read_text()


def test_a_server_that_has_another_limit_than_it_was_told_contradicts_its_label() -> None:
    placed = SimpleNamespace(
        server=SimpleNamespace(
            spec=SimpleNamespace(engine="innodb", places={}, name="cell", binlog_dir=None)
        )
    )
    shown = settings.wanted("innodb", "sync", {}) | {"innodb_log_file_size": "8388608"}
    with pytest.raises(WaltaxError, match="innodb_log_file_size is 8388608, and must be 4194304"):
        require_mode(cast("Placed", placed), "sync", shown, served("log-4", "innodb"))


def test_a_knob_that_rocksdb_takes_back_fails_its_cell(
    planned: Callable[..., Campaign], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = planned(knobs=("recycled-logs",))
    real = profiles.options_file

    def without_its_recovery(*asked: Any) -> str:
        return real(*asked).replace("kSkipAnyCorruptedRecords", "kAbsoluteConsistency")

    monkeypatch.setattr(life, "options_file", without_its_recovery)
    (failed,) = (row for row in _measured(one) if row["status"] == "failed")
    assert failed["knob"] == "recycled-logs"
    assert "but RocksDB made it" in failed["failure"]


def test_a_buffered_log_is_no_flush(planned: Callable[..., Campaign]) -> None:
    failed = [row for row in _measured(planned(durability="flush")) if row["status"] == "failed"]
    assert {row["knob"] for row in failed} == {"manual-flush"}
    # How many bytes are missing is luck: the buffer may have been as full when the slice began.
    said = r"durability flush, but (\d+) commits of \d+ clients had only (\d+) writes to the WAL"
    told = re.search(said, failed[0]["failure"])
    assert told is not None
    commits, writes = map(int, told.groups())
    assert writes < commits / 100  # a write for each full buffer of 1 MiB


def test_a_server_has_no_knobs_of_the_options_file(planned: Callable[..., Campaign]) -> None:
    with pytest.raises(
        UsageError, match=r"knobs: found manual-flush with --engine myrocks, .* log-4"
    ):
        planned(engine="myrocks", profile="quick")
