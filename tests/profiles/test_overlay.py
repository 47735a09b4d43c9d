"""A user's own settings over a profile."""

from __future__ import annotations

import pytest
from waltax import profiles
from waltax.base.errors import UsageError
from waltax.profiles import Profile, overlay
from waltax.runners.recipe.axes import engine_settings


def _quick() -> Profile:
    return profiles.load("quick")


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
