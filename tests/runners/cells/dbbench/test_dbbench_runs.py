"""Command lines and OPTIONS files, run by the real db_bench."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from waltax.base.errors import UsageError, WaltaxError
from waltax.engines.knobs import KNOBS, knob
from waltax.profiles import Profile, load, options
from waltax.runners.cells.dbbench import output, program
from waltax.runners.cells.dbbench.output import Result
from waltax.workload import Parameter
from waltax.workloads.dbbench import argv
from waltax.workloads.dbbench.argv import Run
from waltax.workloads.dbbench.sizes import SIZES, size


def _profile(**db: Parameter) -> Profile:
    """One that sets, beside others, what a knob changes."""
    profile = load("quick")
    told = {"max_background_jobs": 2, "enable_pipelined_write": False, **db}
    rocksdb = profile.embedded.model_copy(update={"db": told})
    return profile.model_copy(update={"rocksdb": rocksdb, "path": "mine.toml"})


_BENCH = "dbbench-fillrandom"


def _options(wal_dir: Path | None, knob_name: str = "", profile: Profile | None = None) -> str:
    added = {} if wal_dir is None else {"wal_dir": str(wal_dir)}
    return options.options_file(profile or _profile(), _BENCH, knob(knob_name), added)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """100 writes of two threads into an empty database."""
    told = tmp_path / "rocksdb.options"
    told.write_text(_options(None))
    db = tmp_path / "db"
    return Run("fillrandom", db, told, size("k16-v100"), 1000, 2, 7, 8, "flush", operations=100)


def _done(
    run: Run, wal_dir: Path | None = None, knob_name: str = "", profile: Profile | None = None
) -> Result:
    run.options.write_text(_options(wal_dir, knob_name, profile))
    words = argv.run_argv(program.find().path, run)
    ended = program.run(shlex.join(words), {}, run.db.parent / "said", 60, run.db.parent)
    return output.parse(ended.output, run.bench)


@pytest.mark.parametrize("name", sorted(KNOBS))
def test_db_bench_takes_each_knob_and_rocksdb_keeps_it(name: str, run: Run, tmp_path: Path) -> None:
    wal = tmp_path / "wal"
    wal.mkdir()
    assert _done(run, wal, name).operations == 100
    options.require_kept(_profile(), _BENCH, options.written_options(run.db), KNOBS[name])
    assert list(wal.glob("*.log"))
    assert not list(run.db.glob("*.log"))


def test_a_knob_replaces_what_the_profile_says_and_the_rest_stays() -> None:
    text = _options(Path("/wal"), "pipelined-write")
    assert text.count("enable_pipelined_write") == 1
    assert "enable_pipelined_write=true" in text
    assert "wal_dir=/wal" in text
    assert text.index("wal_dir") < text.index("[CFOptions")
    assert "max_background_jobs=2" in text
    plain = _options(None)
    assert text[text.index("[CFOptions") :] == plain[plain.index("[CFOptions") :]


def test_an_option_of_the_log_that_nobody_asked_for_is_named(run: Run) -> None:
    _done(run)
    options.require_kept(_profile(), _BENCH, options.written_options(run.db))
    (written,) = run.db.glob("OPTIONS-*")
    kept = written.read_text()
    for option, value in (("wal_compression", "kZSTD"), ("use_fsync", "true")):
        written.write_text(re.sub(f"{option}=.*", f"{option}={value}", kept))
        with pytest.raises(WaltaxError, match=f"{option}: asked for .*RocksDB made it {value}"):
            options.require_kept(_profile(), _BENCH, options.written_options(run.db))


@pytest.mark.parametrize(
    ("db", "words"),
    [
        ({"recycle_log_file_num": 4}, "recycle_log_file_num: asked for 4, but RocksDB made it 0: "),
        ({"max_open_files": 5}, "max_open_files: asked for 5, but RocksDB made it 20"),
        ({"preserve_deletes": True}, "preserve_deletes: asked for true, but RocksDB made it none"),
    ],
)
def test_an_option_that_rocksdb_takes_back_is_named_by_file_section_and_key(
    db: dict[str, Parameter], words: str, run: Run
) -> None:
    profile = _profile(**db)
    _done(run, profile=profile)
    with pytest.raises(WaltaxError, match=f"^mine.toml: rocksdb.db: {words}"):
        options.require_kept(profile, _BENCH, options.written_options(run.db))


def test_options_that_rocksdb_writes_down_otherwise_are_kept(run: Run) -> None:
    profile = _profile(max_file_opening_threads=16, bytes_per_sync="1M", delayed_write_rate=0)
    family = {"arena_block_size": 100_000, "max_compaction_bytes": 0, "ttl": "18446744073709551614"}
    family |= {"merge_operator": "put", "max_bytes_for_level_multiplier": 8, "compression": "kZSTD"}
    table = {"filter_policy": "bloomfilter:10", "cache_index_and_filter_blocks": 1}
    rocksdb = profile.embedded.model_copy(update={"column_family": family, "table": table})
    profile = profile.model_copy(update={"rocksdb": rocksdb})
    _done(run, profile=profile)
    options.require_kept(profile, _BENCH, options.written_options(run.db))


def test_an_option_that_db_bench_did_not_get_is_named(run: Run) -> None:
    _done(run)
    profile = _profile(manual_wal_flush=True, write_buffer_size=7)
    with pytest.raises(WaltaxError, match="manual_wal_flush: asked for true"):
        options.require_kept(profile, _BENCH, options.written_options(run.db))


def test_a_knob_that_rocksdb_takes_back_is_named(run: Run) -> None:
    _done(run)
    with pytest.raises(WaltaxError, match=r"wal_compression: asked for kZSTD, .* kNoCompression"):
        options.require_kept(
            _profile(), _BENCH, options.written_options(run.db), KNOBS["wal-compression"]
        )
    options.require_kept(_profile(use_fsync=0), _BENCH, options.written_options(run.db))


def test_a_database_without_written_options_proves_nothing(tmp_path: Path) -> None:
    with pytest.raises(WaltaxError, match="RocksDB wrote no OPTIONS file"):
        options.require_kept(_profile(), _BENCH, options.written_options(tmp_path))


def test_an_unknown_knob_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="pipelined-write"):
        knob("turbo")


def test_the_caches_size_and_the_profiles_settings_arrive(run: Run) -> None:
    _done(run)
    log = (run.db / "LOG").read_text()
    assert f"capacity : {8 << 20}" in log
    assert "Options.compression: LZ4" in log
    assert "Options.enable_pipelined_write: 0" in log


@pytest.mark.parametrize(
    ("durability", "syncs"), [("sync", True), ("flush", False), ("off", False)]
)
def test_a_durability_does_to_the_log_what_it_says(durability: str, syncs: bool, run: Run) -> None:
    found = _done(replace(run, durability=durability)).tickers
    assert (found["rocksdb.wal.synced"] > 0) is syncs
    assert (found["rocksdb.wal.bytes"] > 0) is (durability != "off")


def test_each_operation_is_done_once_by_all_threads_together(run: Run) -> None:
    assert _done(replace(run, operations=100)).operations == 100
    assert _done(replace(run, bench="fillseq", operations=101)).operations == 102  # 51 each


@pytest.mark.parametrize("name", sorted(SIZES))
def test_values_of_a_published_size_have_about_its_mean(name: str, run: Run) -> None:
    # One thread, since batches that two write as a group share one header of 12 bytes.
    found = _done(replace(run, size=SIZES[name], operations=2000, threads=1)).tickers
    pair = found["rocksdb.bytes.written"] / found["rocksdb.number.keys.written"]
    # RocksDB counts a batch's header and lengths too, 15 to 16 bytes.
    assert pair == pytest.approx(SIZES[name].pair_bytes + 15, abs=3)


def test_seed_0_is_a_seed_like_any_other(run: Run) -> None:
    logs = []
    for name in ("first", "second"):
        one = replace(run, seed=0, threads=1, db=run.db.parent / name)
        _done(one)
        (log,) = one.db.glob("*.log")
        logs.append(log.read_bytes())
    assert logs[0] == logs[1]


def test_loaded_data_hold_every_key_once(run: Run) -> None:
    words = argv.load_argv(program.find().path, replace(run, threads=1))
    program.run(shlex.join(words), {}, run.db.parent / "load", 60, run.db.parent)
    found = _done(replace(run, bench="readseq", threads=1, operations=2000))
    assert found.operations == 1000
    found = _done(replace(run, bench="readrandom", operations=200))
    assert found.tickers["rocksdb.bytes.read"] == 200 * run.size.value_bytes  # none was missed


def test_last_words_of_a_run_that_fails_are_told(run: Run) -> None:
    with pytest.raises(WaltaxError, match=r"exit code 1\): .*'turbo'"):
        _done(replace(run, flags={"turbo": 1}))
