from __future__ import annotations

from pathlib import Path

import pytest
from waltax import profiles
from waltax.base.errors import UsageError
from waltax.engines import WHOLE
from waltax.workloads import DEFAULT

QUICK = (profiles.model.FOLDER / "quick.toml").read_text()
SHIPPED = [(engine, name) for engine in WHOLE for name in profiles.names(engine)]
SERVED = [(engine, name) for engine, name in SHIPPED if engine != "rocksdb"]


def _changed(tmp_path: Path, old: str, new: str) -> str:
    assert old in QUICK
    path = tmp_path / "mine.toml"
    path.write_text(QUICK.replace(old, new).replace('name = "quick"', 'name = "mine"'))
    return str(path)


def _served(tmp_path: Path, old: str, new: str) -> str:
    text = (profiles.model.FOLDER / "myrocks-quick.toml").read_text()
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace('name = "quick"', 'name = "mine"').replace(old, new))
    return str(path)


@pytest.mark.parametrize(("engine", "name"), SHIPPED)
def test_every_shipped_profile_loads_under_its_own_name(engine: str, name: str) -> None:
    profile = profiles.load(name, engine)
    assert (profile.name, profile.engine) == (name, engine)
    assert "cells take" not in profile.title  # how many they are depends on what was typed


def test_a_profile_of_the_users_own_is_read_by_path(tmp_path: Path) -> None:
    path = _changed(tmp_path, "threads = 4", "threads = 7")
    assert profiles.load(path).threads == 7


@pytest.mark.parametrize("name", ["fast", "../quick", "/etc/passwd", ""])
def test_an_unknown_profile_is_answered_with_the_names(name: str) -> None:
    with pytest.raises(UsageError, match="ci, memory, paper, quick"):
        profiles.load(name)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "threads = 4",
            "threads = 4\nspeed = 1",
            r"speed: unknown key; accepted: name,",
        ),
        ("measure_s = 0.2", "measure = 0.2", r"timing.measure: unknown key; .*measure_s"),
        ("threads = 4", "threads = -4", r"mine.toml: threads: found -4, want a number, 1 or more"),
        ("threads = 4", 'threads = "4"', r'mine.toml: threads: found "4", want a whole num'),
        (
            "measure_s = 0.2",
            "measure_s = -0.2",
            r"measure_s: found -0.2, want a number, above",
        ),
        ("threads = 4\n", "", r"mine.toml: threads: missing"),
        ("threads = 4", "threads = ", r"mine.toml: not TOML"),
        ("maxid1 = 100001", 'maxid1 = 100001\nstore = "null"', r"load: .*store: set by waltax"),
        ("min_sessions = 10", "min_sessions = 0", r"timing.min_sessions: found 0"),
        ("[tpcc]\n", "[tpcc]\nscale = 1\n", r"tpcc.scale: unknown key; .*column_family"),
        ("[tpcc]\n", "[tpcc]\nthreads = 0\n", r"tpcc.threads: found 0, want a number, 1 or more"),
    ],
)
def test_a_mistake_is_named_with_file_key_and_what_is_accepted(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        profiles.load(_changed(tmp_path, old, new))


def test_a_profile_may_size_one_workload_only(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    without, _, _ = QUICK.partition("[tpcc]")
    path.write_text(without.replace('name = "quick"', 'name = "mine"'))
    mine = profiles.load(str(path))
    assert mine.workloads == ("linkbench",)
    with pytest.raises(UsageError, match=r"found tpcc, .* mine of rocksdb .*add \[tpcc\]"):
        mine.workload("tpcc")
    path.write_text(without.partition("[linkbench]")[0].replace('"quick"', '"mine"'))
    with pytest.raises(UsageError, match=r"found no workload; add \[linkbench\] or \[tpcc\]"):
        profiles.load(str(path))


def test_a_profile_of_the_users_own_may_not_take_a_shipped_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(QUICK)
    with pytest.raises(UsageError, match="found 'quick', which is a shipped profile's"):
        profiles.load(str(path))


def test_any_change_of_the_file_changes_the_digest(tmp_path: Path) -> None:
    path = _changed(tmp_path, "threads = 4", "threads = 5")
    assert profiles.load(path).digest != profiles.load("quick").digest


def test_the_options_file_carries_the_profiles_settings() -> None:
    text = profiles.options_file(profiles.load("quick"), "linkbench")
    assert "[DBOptions]\n  max_background_jobs=2" in text
    assert f"max_total_wal_size={256 << 20}" in text
    assert "compression=kLZ4Compression" in text
    assert '[TableOptions/BlockBasedTable "default"]' in text


def test_a_workload_of_a_profile_may_have_threads_and_column_families_of_its_own(
    tmp_path: Path,
) -> None:
    mine = profiles.load(_changed(tmp_path, "[tpcc]\n", "[tpcc]\nthreads = 9\n"))
    assert (mine.threads_of("tpcc"), mine.threads_of("linkbench")) == (9, 4)
    sizes = {name: profiles.options_file(mine, name) for name in DEFAULT}
    assert "write_buffer_size=33554432" in sizes["tpcc"]
    assert "max_write_buffer_number=4" in sizes["tpcc"]
    assert "write_buffer_size=2097152" in sizes["linkbench"]


@pytest.mark.parametrize(("engine", "name"), SHIPPED)
def test_every_shipped_profile_sizes_both_workloads_or_those_of_one_study_alone(
    engine: str, name: str
) -> None:
    profile = profiles.load(name, engine)
    # That of data against memory has what scales by bytes, of which TPC-C is none.
    of_a_study = {"memory": ("linkbench",)}
    assert profile.workloads in (DEFAULT, of_a_study.get(name, ()))
    assert profile.sections


def test_every_engine_has_the_sizes_that_make_run_takes() -> None:
    assert {"ci", "paper", "quick"} <= set(profiles.names())
    assert {"ci", "paper", "quick"} <= set(profiles.names("myrocks"))
    assert profiles.names("innodb") == ["ci", "quick"]


@pytest.mark.parametrize(("engine", "name"), SERVED)
def test_a_size_is_of_the_same_graph_and_warehouses_on_every_engine(engine: str, name: str) -> None:
    for workload in profiles.load(name, engine).workloads:
        here, embedded = (
            profiles.load(name, one).workload(workload) for one in (engine, "rocksdb")
        )
        assert here.load == embedded.load


def test_a_workload_s_own_variables_replace_the_profile_s() -> None:
    quick = profiles.load("quick", "myrocks")
    tpcc, linkbench = (quick.server_settings(name) for name in ("tpcc", "linkbench"))
    assert tpcc["rocksdb_default_cf_options"] != linkbench["rocksdb_default_cf_options"]
    assert tpcc["rocksdb_block_size"] == linkbench["rocksdb_block_size"] == 8192


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[server]", '[server]\nrocksdb_wal_dir = "x"', "server: .*rocksdb_wal_dir: set by waltax"),
        ("[server]", "[server]\nRocksdb_x = 1", "server: .*Rocksdb_x: variables are in small"),
        ("[tpcc.server]", '[tpcc.server]\ndatadir = "x"', "tpcc.server: .*datadir: set by waltax"),
        ('"myrocks"', '"mongodb"', 'engine: found "mongodb"; one of rocksdb, myrocks, innodb'),
        (
            "[server]",
            "[rocksdb]\nblock_cache_mb = 1\nmax_total_wal_mb = 1\n[server]",
            r"found with engine myrocks, .*give them in \[server\]",
        ),
    ],
)
def test_a_mistake_in_a_server_s_profile_is_named(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        profiles.load(_served(tmp_path, old, new), "myrocks")


def test_the_embedded_engine_has_no_server_and_needs_its_own_table(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="server: found with engine rocksdb, which has none"):
        profiles.load(
            _changed(tmp_path, "[rocksdb]", "[server]\ninnodb_io_capacity = 1\n[rocksdb]")
        )
    without = QUICK.partition("[rocksdb]")[0] + "[linkbench]" + QUICK.partition("[linkbench]")[2]
    path = tmp_path / "mine.toml"
    path.write_text(without.partition("[tpcc.column_family]")[0].replace('"quick"', '"mine"'))
    with pytest.raises(UsageError, match="rocksdb: missing; the embedded engine takes its"):
        profiles.load(str(path))


def test_a_profile_of_another_engine_is_answered_with_the_engine_to_type(tmp_path: Path) -> None:
    mine = _served(tmp_path, "threads = 4", "threads = 5")
    assert profiles.load(mine, "myrocks").threads == 5
    with pytest.raises(UsageError, match="found 'myrocks' with --engine rocksdb; type --engine my"):
        profiles.load(mine)
    with pytest.raises(UsageError, match="found 'paper' with --engine innodb; one of ci, quick"):
        profiles.load("paper", "innodb")
