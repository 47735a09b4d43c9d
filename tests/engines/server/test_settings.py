from __future__ import annotations

import pytest
from waltax.base.errors import UsageError
from waltax.engines.server.settings import base, contradictions, durability, render, wanted


def test_a_config_says_switches_in_words_and_quotes_what_needs_it() -> None:
    text = render({"a": True, "b": False, "c": 3, "d": "64M", "e": "/with space/and#hash"})
    assert text == '[mariadbd]\na = ON\nb = OFF\nc = 3\nd = 64M\ne = "/with space/and#hash"\n'


def test_a_mode_that_an_engine_lacks_is_refused_with_those_it_has() -> None:
    with pytest.raises(UsageError, match="innodb: has no WAL mode 'off'; it has sync, flush, del"):
        durability("innodb", "off")


def test_flush_writes_at_each_commit_and_delayed_does_not() -> None:
    assert durability("myrocks", "flush")["rocksdb_manual_wal_flush"] is False
    assert durability("myrocks", "delayed")["rocksdb_manual_wal_flush"] is True


def test_no_server_has_a_network_or_a_binlog() -> None:
    for engine in ("myrocks", "innodb"):
        assert base(engine)["skip_networking"] is True
        assert base(engine)["skip_log_bin"] is True


def test_contradictions_name_the_variable_and_both_values() -> None:
    want = wanted("myrocks", "sync", {"rocksdb_wal_dir": "/wal"})
    found = {**want, "rocksdb_wal_dir": "/wal/"}
    assert contradictions(want, found) == []
    found["rocksdb_flush_log_at_trx_commit"] = "2"
    del found["log_bin"]
    assert contradictions(want, found) == [
        "log_bin is unknown to the server, and must be OFF",
        "rocksdb_flush_log_at_trx_commit is 2, and must be 1",
    ]
