"""What a server says of itself, as the durability that it means."""

from __future__ import annotations

import pytest
from waltax.runners.cells.driver import endpoint


@pytest.mark.parametrize(
    ("settings", "mode"),
    [
        ({"aof_enabled": "1", "appendfsync": "always"}, "sync"),
        ({"aof_enabled": "1", "appendfsync": "everysec"}, "delayed"),
        ({"aof_enabled": "1", "appendfsync": "no"}, "flush"),
        ({"aof_enabled": "0", "appendfsync": "always"}, "off"),
        ({"aof_enabled": "1"}, None),  # CONFIG is not to be had
        ({"rocksdb.write_options.sync": "yes", "rocksdb.write_options.disable_wal": "no"}, "sync"),
        ({"rocksdb.write_options.sync": "no", "rocksdb.write_options.disable_wal": "no"}, "flush"),
        ({"rocksdb.write_options.sync": "no", "rocksdb.write_options.disable_wal": "yes"}, "off"),
        ({}, None),
    ],
)
def test_the_settings_of_redis_and_of_kvrocks(settings: dict[str, str], mode: str | None) -> None:
    assert endpoint.mode_of(settings) == mode


def test_what_a_server_does_not_count_is_not_known() -> None:
    assert endpoint.columns({}, {})["wal_bytes"] is None
    assert endpoint.cpu_s({}) is None
    counted = {"redis_used_cpu_user_us": 1_500_000, "redis_used_cpu_sys_us": 250_000}
    assert endpoint.cpu_s(counted) == (1.5, 0.25)
