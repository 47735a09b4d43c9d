"""A user's own settings over a profile: single ones, and files as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax import profiles
from waltax.base.errors import UsageError
from waltax.profiles import Profile, overlay
from waltax.runners.recipe.axes import engine_settings

_OLD = """\
[Version]
  rocksdb_version=5.18.0
[DBOptions]
  wal_bytes_per_sync=524288
  wal_dir=/var/lib/x
  skip_log_error_on_recovery=false
  max_total_wal_size=4194304
[CFOptions "default"]
  write_buffer_size=8388608
  comparator=leveldb.BytewiseComparator
  merge_operator=PutOperator
[TableOptions/BlockBasedTable "default"]
  block_size=16384
[CFOptions "meta"]
  write_buffer_size=1
"""
_MY_CNF = """\
!includedir /etc/mysql/conf.d
[client]
port = 3306
[mysqld]
datadir = /var/lib/mysql
innodb-buffer-pool-size = 64M
loose_innodb_flush_neighbors = 0
skip-name-resolve
innodb_log_file_size = "32M"   # each
innodb_flush_log_at_trx_commit = 2
innodb_thread_concurency = 8
sync_binlog = 1000
"""


def _quick() -> Profile:
    return profiles.load("quick")


def _file(folder: Path, text: str) -> Path:
    path = folder / "mine"
    path.write_text(text)
    return path


def test_a_setting_goes_into_the_table_that_has_it_and_into_no_other() -> None:
    settings = {"wal_bytes_per_sync": "64K", "write_buffer_size": "3M", "block_size": "8K"}
    has = engine_settings.settings_of("rocksdb")
    changed = overlay.with_settings(_quick(), settings, has)
    assert changed.embedded.db["wal_bytes_per_sync"] == 65536
    assert changed.embedded.column_family["write_buffer_size"] == 3 << 20
    assert changed.embedded.table["block_size"] == 8192
    assert "write_buffer_size" not in changed.workload("linkbench").column_family
    assert {**changed.embedded.db, "wal_bytes_per_sync": 0} == {
        **_quick().embedded.db,
        "wal_bytes_per_sync": 0,
    }


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"wal_byte_per_sync": "1"}, "this release does not have it; did you mean wal_bytes_per_"),
        ({"wal_dir": "x"}, "wal_dir: set by waltax itself; type --wal-dir"),
        ({"merge_operator": "x"}, "merge_operator: set by waltax itself; our programs have cl"),
        ({"max_total_wal_size": "1M"}, "give max_total_wal_mb under [rocksdb]"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_with_what_to_do(
    settings: dict[str, str], why: str
) -> None:
    with pytest.raises(UsageError) as caught:
        overlay.with_settings(_quick(), settings, engine_settings.settings_of("rocksdb"))
    assert why in str(caught.value)


def test_an_options_file_sets_the_engine_alone_and_each_key_is_told(tmp_path: Path) -> None:
    has = engine_settings.settings_of("rocksdb")
    changed, taken, left = overlay.with_file(_quick(), _file(tmp_path, _OLD), has)
    rocksdb = changed.embedded
    assert rocksdb.db == {"wal_bytes_per_sync": 524288}
    assert rocksdb.column_family == {"write_buffer_size": 8388608}
    assert rocksdb.table == {"block_size": 16384}
    assert rocksdb.block_cache_mb == _quick().embedded.block_cache_mb
    assert taken == 3
    ours, classes = "set by waltax itself; ", "our programs have classes of their own; leave it out"
    assert left == [
        '[CFOptions "meta"]: not read',
        f"wal_dir: {ours}type --wal-dir",
        "skip_log_error_on_recovery: this release does not have it",
        f"max_total_wal_size: {ours}give max_total_wal_mb under [rocksdb]",
        f"comparator: {ours}{classes}",
        f"merge_operator: {ours}{classes}",
    ]


def test_a_my_cnf_sets_a_server_by_the_groups_that_it_reads(tmp_path: Path) -> None:
    profile = profiles.load("quick", "innodb")
    has = engine_settings.settings_of("innodb")
    changed, taken, left = overlay.with_file(profile, _file(tmp_path, _MY_CNF), has)
    assert changed.server_settings("linkbench") == {
        "innodb_buffer_pool_size": 64 << 20,
        "innodb_log_file_size": 32 << 20,
        "innodb_flush_neighbors": 0,
        "skip_name_resolve": True,
        "sync_binlog": 1000,
    }
    assert taken == 5
    assert [line.partition(": ")[0] for line in left] == [
        "!includedir /etc/mysql/conf.d",
        "[client]",
        "datadir",
        "innodb_flush_log_at_trx_commit",
        "innodb_thread_concurency",
    ]
    assert left[-1].endswith("this release does not have it")


def test_group_commit_options_are_kept_where_the_server_has_them() -> None:
    profile, has = profiles.load("quick", "innodb"), engine_settings.settings_of("innodb")
    changed = overlay.with_settings(
        profile, {"binlog_commit_wait_count": "10", "sync_binlog": "100"}, has
    )
    assert changed.server_settings("linkbench")["binlog_commit_wait_count"] == 10
    why = "this release does not have it; type binlog_commit_wait_usec"
    with pytest.raises(UsageError, match=f"binlog_group_commit_sync_delay: {why}"):
        overlay.with_settings(profile, {"binlog_group_commit_sync_delay": "9"}, has)
    with pytest.raises(UsageError, match="binlog_format: set by waltax"):
        overlay.with_settings(profile, {"binlog_format": "MIXED"}, has)


@pytest.mark.parametrize("text", ["", "import os\n", "[DBOptions]\nwal_dir=/x\n", "\x00", "[a"])
def test_a_file_that_sets_nothing_is_refused_by_its_name(tmp_path: Path, text: str) -> None:
    path = _file(tmp_path, text)
    with pytest.raises(UsageError, match=f"{path}: (found no setting of rocksdb|cannot be read)"):
        overlay.with_file(_quick(), path, engine_settings.settings_of("rocksdb"))
