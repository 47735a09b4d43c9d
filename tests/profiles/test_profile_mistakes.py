"""What a profile that nobody meant to write, or that contradicts waltax, is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from waltax import profiles
from waltax.base.errors import UsageError
from waltax.profiles import ours

OUT = "leave it out"
QUICK = (profiles.model.FOLDER / "quick.toml").read_text().replace('"quick"', '"mine"')
SERVED = (profiles.model.FOLDER / "myrocks-quick.toml").read_text().replace('"quick"', '"mine"')


def _said(tmp_path: Path, content: bytes | str, engine: str = "rocksdb") -> str:
    """What loading this file is refused with, without the file's name."""
    path = tmp_path / "mine.toml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(UsageError) as caught:
        profiles.load(str(path), engine)
    assert all(line.startswith(f"{path}: ") for line in str(caught.value).splitlines())
    return str(caught.value).replace(f"{path}: ", "")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (f"x = {'[' * 100_000}", "not TOML: tables or arrays too deep in each other"),
        (f"x = {'{a=' * 3000}", "not TOML: "),
        (f"threads = {'9' * 5000}", "not TOML: "),
        (
            f"threads = 0x{'f' * 5000}\n{QUICK.replace('threads = 4', '')}",
            "threads: found a",
        ),
        (
            QUICK.replace("threads = 4", f"threads = {2**63}"),
            "threads: found a number beyond 64",
        ),
        (QUICK.replace("measure_s = 0.2", "measure_s = inf"), "timing.measure_s: found inf, want"),
        (QUICK.replace("measure_s = 0.2", "measure_s = nan"), "timing.measure_s: found nan, want"),
        (b"title = '\xff'", "not TOML: not UTF-8 text: "),
        (f"a{'.a' * 50_000} = 1", "found 100,005 bytes, or 200 dots on a line; want a table that"),
        (f"{'a.' * 100}a = 1", "a"),
        (QUICK.replace('"small', '"\\u001b[2Jsmall'), 'title: found "?[2Jsmall enough to'),
        (QUICK.replace('"small', '"\\nwarning: small'), 'title: found " warning: small enough to'),
        (QUICK + '"a\\u202eb" = 1\n', "mix.column_family: found a name with control"),
        ('digest = "x"\n' + QUICK, "digest: unknown key; it is computed from the file"),
        (
            QUICK.replace('"mine"', '"Mine"'),
            'name: found "Mine", want lower case, digits and d',
        ),
        (QUICK.replace("data_mb = 40", "data_mb = [1]"), "mix.data_mb: found an array of 1, want"),
        (QUICK + "[mix.run]\nx = 2026-01-01\n", "mix.run.x: found 2026-01-01, want a text"),
        (QUICK + "[mix.run.x]\n", "mix.run.x: found a table, want a text, a number, true"),
    ],
)
def test_what_is_no_profile_gets_lines_with_file_and_key(
    tmp_path: Path, content: bytes | str, message: str
) -> None:
    said = _said(tmp_path, content)
    assert said.startswith(message)
    assert len(said.splitlines()) <= 2
    assert not any(word in said for word in ("should", "validation", "Traceback"))


def test_a_profile_that_is_not_there_is_told_to_be_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"found '.*/none.toml', which is no file; one of ci, "):
        profiles.load(str(tmp_path / "none.toml"))


def test_a_profile_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").mkdir()
    with pytest.raises(UsageError, match="or the path of a TOML file of yours"):
        profiles.load(str(tmp_path / "mine.toml"))


@pytest.mark.parametrize(
    "setting",
    [
        *('store = "memory"', 'stats_level = "disabled"', 'stats-level = "disabled"'),
        *("block_cache_mb = 1", "block-cache-mb = 1", 'options-file = "x"'),
        *('durability = "off"', 'wal-dir = "/x"', 'db = "/x"', "threads = 1", "seed = 1"),
        *('socket = "x"', 'user = "root"', 'database = "mysql"', 'Store = "null"'),
    ],
)
@pytest.mark.parametrize("table", ["rocksdb.flags", "linkbench.run", "tpcc.load"])
def test_a_driver_s_flag_that_is_ours_is_refused_however_it_is_spelled(
    tmp_path: Path, table: str, setting: str
) -> None:
    text = QUICK.replace("[tpcc.load]", f"[tpcc.load]\n{setting}")
    if table != "tpcc.load":
        text = QUICK + f"[{table}]\n{setting}\n"
    name = setting.partition(" ")[0]
    way = ours.INSTEAD.get(name.replace("-", "_").lower(), OUT)
    assert _said(tmp_path, text) == f"{table}: {name}: set by waltax itself; {way}"


@pytest.mark.parametrize(
    ("table", "name", "way"),
    [
        ("rocksdb.db", "max_total_wal_size", "give max_total_wal_mb under [rocksdb]"),
        ("tpcc.run", "durability", "type --wal"),
        ("linkbench.run", "seed", "type --seed"),
        ("rocksdb.flags", "manual_wal_flush", "give it under [rocksdb.db]"),
    ],
)
def test_where_there_is_another_way_it_is_named(
    tmp_path: Path, table: str, name: str, way: str
) -> None:
    text = QUICK.replace("[rocksdb.db]", f"[rocksdb.db]\n{name} = 1")
    text = text if table == "rocksdb.db" else f"{QUICK}[{table}]\n{name} = 1\n"
    assert _said(tmp_path, text) == f"{table}: {name}: set by waltax itself; {way}"


def test_a_driver_s_other_flags_are_the_user_s(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(QUICK + "[rocksdb.flags]\nmax_retries = 3\nsome-other-flag = 9\n")
    assert profiles.load(str(path)).embedded.flags == {
        "max_retries": 3,
        "some-other-flag": 9,
    }


@pytest.mark.parametrize(
    ("table", "setting"),
    [
        ("rocksdb.flags", '"db=/x --y" = 1'),
        ("linkbench.run", '"wal-dir=/x" = 1'),
        ("rocksdb.flags", '"" = 1'),
        ("mix.run", '"db=/x" = 1'),
    ],
)
def test_a_name_that_brings_its_own_value_is_refused(
    tmp_path: Path, table: str, setting: str
) -> None:
    said = _said(tmp_path, f"{QUICK}[{table}]\n{setting}\n")
    assert said.endswith(": a name has letters, digits and `_`, and nothing else")


@pytest.mark.parametrize(
    ("table", "setting"),
    [
        *(("rocksdb.db", f'{name} = "/x"') for name in ("wal_dir", "db_log_dir", "db_paths")),
        ("rocksdb.db", "max_total_wal_size = 1"),
        ("mix.run", 'wal-dir = "/x"'),
    ],
)
def test_places_and_what_a_cell_says_are_ours(tmp_path: Path, table: str, setting: str) -> None:
    text = QUICK.replace("[rocksdb.db]", f"[rocksdb.db]\n{setting}")
    if table != "rocksdb.db":
        text = f"{QUICK}[{table}]\n{setting}\n"
    said = _said(tmp_path, text)
    assert said.startswith(f"{table}: ")
    name = re.split("[ =]", setting)[0].replace("-", "_")
    assert said.endswith(f"set by waltax itself; {ours.INSTEAD.get(name, OUT)}")


@pytest.mark.parametrize(
    "name",
    [
        *("datadir", "socket", "tmpdir", "pid_file", "port", "extra_port", "bind_address", "user"),
        *("skip_networking", "init_file", "init_connect", "secure_file_priv", "skip_grant_tables"),
        *("log_error", "log_bin_index", "plugin_load_add", "plugin_maturity", "basedir", "chroot"),
        *("rocksdb_wal_dir", "rocksdb_datadir", "innodb_data_home_dir", "innodb_tmpdir"),
        *("innodb_log_group_home_dir", "innodb_undo_directory", "innodb_flush_log_at_timeout"),
        *("rocksdb_flush_log_at_trx_commit", "innodb_flush_log_at_trx_commit"),
        # Beginnings of names, which a server takes for the names.
        *("rocksdb_wal_di", "rocksdb_flush_log", "datad", "sock", "plugin", "log", "skip_net"),
        # Words before the name.
        *("loose_datadir", "skip_log_bin", "disable_log_bin", "enable_skip_networking"),
        *("maximum_innodb_flush_log_at_timeout", "loose_skip_grant_tables", "loose_loose_socket"),
        *("loose_rocksdb_wal_di", "skip_secure_file_priv", "autoset_innodb_tmpdir"),
    ],
)
def test_a_server_s_variable_that_is_ours_is_refused_however_it_is_written(
    tmp_path: Path, name: str
) -> None:
    said = _said(tmp_path, SERVED.replace("[server]", f'[server]\n{name} = "x"'), "myrocks")
    advice = ours.INSTEAD.get(name, OUT)
    assert said == f"server: {name}: set by waltax for each cell; {advice}"


def test_a_server_s_other_variables_are_the_user_s(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SERVED.replace("[server]", "[server]\nloose_rocksdb_block_size = 1\n", 1))
    assert profiles.load(str(path), "myrocks").server["loose_rocksdb_block_size"] == 1
