"""Knobs of the log in campaigns of workloads with a driver program."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from waltax import analysis, profiles
from waltax.base.errors import UsageError, WaltaxError
from waltax.engines.knobs import KNOBS, Knob, served
from waltax.engines.server import settings
from waltax.evidence import judgement
from waltax.row import Row
from waltax.runners import campaign, loop
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.cells.driver import life
from waltax.runners.cells.placed_server import require_held, require_mode
from waltax.runners.local import Local

_KNOBS = ("manual-flush", "wal-bytes-per-sync")


@pytest.fixture
def planned(
    tmp_path: Path, shared_data: Path, tiny: Callable[..., Path]
) -> Callable[..., Campaign]:
    """A campaign on nvme with a cell for each knob; nothing is written yet."""

    def make(
        workload: str = "kv-fillrandom", knobs: Sequence[str] = _KNOBS, **recipe: Any
    ) -> Campaign:
        profile = tiny(rounds_per_session=1, time_budget_s=0.01)
        told = {"engine": "rocksdb", "profile": str(profile), "seed": 7, **recipe}
        asked = Recipe(workloads=(workload,), devices=("nvme",), **told).at(knob=knobs)
        return campaign.new(asked, tmp_path / "results", shared_data)

    return make


def _measured(one: Campaign) -> list[Row]:
    outcome = loop.measure(one, analysis.estimate, lambda _: None, Local(share_machine=True))
    return outcome.progress.rows


def _require_accepted(one: Campaign) -> None:
    """Every cell of a campaign, with a knob and without."""
    rows = _measured(one)
    assert [row["failure"] for row in rows if row["status"] != "ok"] == []
    assert judgement.read(one.rows_path) == rows
    synced = [row for row in rows if row["durability"] == "sync"]
    assert {row["knob"] for row in synced} == {"", *one.recipe.axes["knob"]}


def test_every_knob_gives_rows_whose_evidence_was_accepted(
    planned: Callable[..., Campaign],
) -> None:
    one = planned()
    _require_accepted(one)
    told = (one.folder / f"{one.cells[-1].id}.options").read_text()
    assert "wal_bytes_per_sync=524288" in told


@pytest.mark.nightly
@pytest.mark.parametrize("workload", ["linkbench", "tpcc"])
def test_knobs_of_databases_with_several_column_families_are_accepted_too(
    workload: str, planned: Callable[..., Campaign]
) -> None:
    _require_accepted(planned(workload, knobs=("manual-flush", "wal-compression")))


@pytest.mark.nightly  # its settings are those of `served`, and one that differs is refused below
@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_a_server_is_told_its_limit_of_the_log_and_says_so(
    reachable: Path, tiny_of: Callable[..., Path], engine: str
) -> None:
    edits = {"time_budget_s": "0.5", "rounds_per_session": "1", "min_sessions": "1"}
    profile = str(tiny_of(engine, **edits))
    recipe = Recipe(engine, ("linkbench",), profile, ("nvram",), "sync", seed=7)
    recipe = recipe.at(knob=("log-4",))
    one = campaign.new(recipe, reachable / "results", reachable / "data")
    rows = _measured(one)
    assert [row["failure"] for row in rows if row["status"] != "ok"] == []
    name = {"myrocks": "rocksdb_max_total_wal_size", "innodb": "innodb_log_file_size"}[engine]
    (limited,) = [cell for cell in one.cells if cell.knob]
    assert f"{name} = {4 << 20}" in (one.folder / f"{limited.id}.cnf").read_text()
    assert f"{name} = {4 << 20}" not in (one.folder / f"{one.cells[0].id}.cnf").read_text()


def test_a_server_that_has_another_limit_than_it_was_told_contradicts_its_label() -> None:
    spec = SimpleNamespace(engine="innodb", places={}, name="cell", binlog_dir=None)
    server = cast("Any", SimpleNamespace(spec=spec))
    shown = settings.wanted("innodb", "sync", {}) | {"innodb_log_file_size": "8388608"}
    with pytest.raises(WaltaxError, match="innodb_log_file_size is 8388608, and must be 4194304"):
        require_mode(server, "sync", shown, served("log-4", "innodb"))


def test_a_setting_that_a_server_does_not_have_names_file_section_and_key() -> None:
    own = profiles.load("quick", "innodb")
    told = {"innodb_log_file_buffering": False, "loose_nosuch": 1, "innodb_purge_threads": 1}
    mine = own.model_copy(update={"server": told, "path": "mine.toml"})
    shown = {"innodb_log_file_buffering": "ON", "innodb_purge_threads": "1"}
    words = "^mine.toml: server: innodb_log_file_buffering: asked for False, .* made it ON"
    with pytest.raises(WaltaxError, match=words):
        require_held(mine, "tpcc", told, shown)
    require_held(mine, "tpcc", told, {**shown, "innodb_log_file_buffering": "OFF"})
    pool = {"innodb_buffer_pool_size": "200M"}
    held = {"innodb_buffer_pool_size": str(256 << 20)}
    require_held(mine, "tpcc", pool, {**held, "innodb_buffer_pool_chunk_size": str(128 << 20)})
    with pytest.raises(WaltaxError, match="innodb_buffer_pool_size: asked for 200M"):
        require_held(mine, "tpcc", pool, held)


def test_a_knob_that_rocksdb_takes_back_fails_its_cell(
    planned: Callable[..., Campaign], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = planned(knobs=("recycled-logs",))
    real = profiles.options_file

    def without_its_recovery(*asked: Any, **more: Any) -> str:
        text = real(*asked, **more)
        return text.replace("kSkipAnyCorruptedRecords", "kAbsoluteConsistency")

    monkeypatch.setattr(life, "options_file", without_its_recovery)
    (failed,) = (row for row in _measured(one) if row["status"] == "failed")
    assert failed["knob"] == "recycled-logs"
    assert "but RocksDB made it" in failed["failure"]


def test_a_knob_that_a_driver_refuses_fails_its_cell_alone(
    planned: Callable[..., Campaign], monkeypatch: pytest.MonkeyPatch
) -> None:
    unordered = Knob("unordered_write", {"unordered_write": True}, "none for the log")
    monkeypatch.setitem(KNOBS, "unordered-write", unordered)
    rows = _measured(planned(knobs=("unordered-write",)))
    (failed,) = (row for row in rows if row["status"] == "failed")
    assert failed["knob"] == "unordered-write"
    assert "unordered_write=true, want false" in failed["failure"]
    assert {row["durability"] for row in rows if row["status"] == "ok"} >= {"off", "sync"}


def test_a_buffered_log_is_no_flush(planned: Callable[..., Campaign]) -> None:
    one = planned(durability="flush", knobs=("manual-flush",))
    failed = [row for row in _measured(one) if row["status"] == "failed"]
    assert {row["knob"] for row in failed} == {"manual-flush"}
    # How many bytes are missing is luck: the buffer may have been as full when the slice began.
    said = r"durability flush, but \d+ commits of \d+ clients had only \d+ writes to the WAL"
    assert re.search(said, failed[0]["failure"])


def test_a_server_has_no_knobs_of_the_options_file(planned: Callable[..., Campaign]) -> None:
    with pytest.raises(
        UsageError, match=r"knobs: found manual-flush with --engine myrocks, .* log-4"
    ):
        planned("linkbench", engine="myrocks", profile="quick")
