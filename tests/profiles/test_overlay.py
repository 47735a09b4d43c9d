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
_CEPH = """\
[osd]
bluestore_cache_size = 3G
bluestore_rocksdb_options = compression=kNoCompression,max_write_buffer_number=64,\
compaction_options_universal={min_merge_width=2;size_ratio=1},compaction_readahead_size=2M
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


def _fates(entries: list[overlay.Entry]) -> dict[str, str]:
    return {entry.key: entry.fate for entry in entries}


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
        ({"merge_operator": "PutOperator"}, "merge_operator: no workload merges values"),
        ({"max_total_wal_size": "abc"}, "memory is planned for the 268,435,456 bytes that max_"),
        ({"max_total_wal_size": "0"}, "memory is planned for the 268,435,456 bytes that max_total"),
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
    changed, entries = overlay.with_file(_quick(), _file(tmp_path, _OLD), has)
    rocksdb = changed.embedded
    assert rocksdb.db == {"wal_bytes_per_sync": 524288}
    assert rocksdb.column_family == {
        "write_buffer_size": 8388608,
        "comparator": "leveldb.BytewiseComparator",
    }
    assert rocksdb.table == {"block_size": 16384}
    assert rocksdb.max_total_wal_mb == 4
    assert rocksdb.block_cache_mb == _quick().embedded.block_cache_mb
    assert _fates(entries) == {
        "wal_bytes_per_sync": "kept",
        "wal_dir": "replaced",
        "skip_log_error_on_recovery": "unknown",
        "max_total_wal_size": "kept",
        "write_buffer_size": "kept",
        "comparator": "kept",
        "merge_operator": "replaced",
        "block_size": "kept",
        '"meta"': "replaced",
    }
    words = [str(entry) for entry in entries]
    assert "replaced wal_dir: set by waltax itself; type --wal-dir" in words
    assert "unknown  skip_log_error_on_recovery = false" in words


def test_the_string_of_a_ceph_conf_is_options_with_structs_in_one_piece(tmp_path: Path) -> None:
    has = engine_settings.settings_of("rocksdb")
    changed, entries = overlay.with_file(_quick(), _file(tmp_path, _CEPH), has)
    assert changed.embedded.column_family == {
        "compression": "kNoCompression",
        "max_write_buffer_number": 64,
        "compaction_options_universal": "{min_merge_width=2;size_ratio=1}",
    }
    assert changed.embedded.db == {"compaction_readahead_size": 2 << 20}
    assert set(_fates(entries).values()) == {"kept"}


def test_a_my_cnf_sets_a_server_by_the_groups_that_it_reads(tmp_path: Path) -> None:
    profile = profiles.load("quick", "innodb")
    has = engine_settings.settings_of("innodb")
    changed, entries = overlay.with_file(profile, _file(tmp_path, _MY_CNF), has)
    assert changed.server_settings("linkbench") == {
        "innodb_buffer_pool_size": 64 << 20,
        "innodb_log_file_size": 32 << 20,
        "innodb_flush_neighbors": 0,
        "skip_name_resolve": True,
        "sync_binlog": 1000,
    }
    assert _fates(entries) == {
        "!includedir /etc/mysql/conf.d": "replaced",
        "datadir": "replaced",
        "innodb_buffer_pool_size": "kept",
        "innodb_flush_neighbors": "kept",
        "skip_name_resolve": "kept",
        "innodb_log_file_size": "kept",
        "innodb_flush_log_at_trx_commit": "replaced",
        "innodb_thread_concurency": "unknown",
        "sync_binlog": "kept",
    }


def test_group_commit_options_are_kept_where_the_server_has_them() -> None:
    profile, has = profiles.load("quick", "innodb"), engine_settings.settings_of("innodb")
    changed = overlay.with_settings(
        profile, {"binlog_commit_wait_count": "10", "sync_binlog": "100"}, has
    )
    assert changed.server_settings("linkbench")["binlog_commit_wait_count"] == 10
    why = "MySQL has it; MariaDB's are binlog_commit_wait_count and binlog_commit_wait_usec"
    with pytest.raises(UsageError, match=f"binlog_group_commit_sync_delay: {why}"):
        overlay.with_settings(profile, {"binlog_group_commit_sync_delay": "9"}, has)
    with pytest.raises(UsageError, match="binlog_format: set by waltax"):
        overlay.with_settings(profile, {"binlog_format": "MIXED"}, has)


@pytest.mark.parametrize("text", ["", "import os\n", "[DBOptions]\nwal_dir=/x\n", "\x00", "[a"])
def test_a_file_that_sets_nothing_is_refused_by_its_name(tmp_path: Path, text: str) -> None:
    path = _file(tmp_path, text)
    with pytest.raises(UsageError, match=f"{path}: (found no setting of rocksdb|cannot be read)"):
        overlay.with_file(_quick(), path, engine_settings.settings_of("rocksdb"))
