"""What the devices below a log must have seen of the syncs that engine and tap counted."""

from __future__ import annotations

from typing import Any

import pytest
from test_evidence import SYNC, Row, contradictions

_COLUMNS = {
    "below": "wal_below",
    "sync_us_p50": "tap_sync_us_p50",
    "syncs_apart": "tap_syncs_apart",
    "syncs_unwaited": "tap_syncs_unwaited",
}


def _device(name: str, flushes: float = 1000, **more: Any) -> dict[str, Any]:
    return {
        "device": name,
        "level": 0,
        "path_of": name,
        "flushed": True,
        "writes": 2000.0,
        "flushes": float(flushes),
        **more,
    }


def _seen(*devices: dict[str, Any], **more: Any) -> Row:
    """A slice of 1,000 syncs."""
    row = {
        "wal_below": f"counted: {', '.join(one['device'] for one in devices)}",
        "wal_devices": list(devices),
        "tap_sync_us_p50": 90.0,
        "tap_syncs_apart": 1000,
        **{column: more.pop(name) for name, column in _COLUMNS.items() if name in more},
    }
    honest: Row = {
        "wal_bytes": 100_000,
        "wal_syncs": 1000,
        "rocksdb_write_self": 1000,
        "commits": 1000,
        "driven_s": 2.0,
        "tap_write_bytes": 107_000,
        "tap_writes": 1000,
        "tap_syncs": 1000,
        "tap_opens": 0,
        "tap_attached": 1,
        "tap_emulated": False,
        "tap_bypasses": 0,
        "stray_wal_files": (),
    }
    return {**honest, **row, **more}


@pytest.mark.parametrize(
    "seen",
    [
        _seen(_device("vda")),
        _seen(_device("vda", 1400, writes=9000.0)),  # others write, too
        _seen(_device("vda", flushed=False, flushes=0)),  # no volatile cache
        _seen(_device("vda", writes=600.0)),  # a sync whose write the one before took along
        _seen(_device("sda", 400, path_of="dm-0"), _device("sdb", 600, path_of="dm-0")),
        _seen(_device("sda"), _device("sdb")),  # a mirror
        _seen(_device("sda", writes=700.0), _device("sdb", writes=700.0)),  # stripes
        _seen(_device("loop0"), _device("vda", 1002, level=1)),
        _seen(_device("vda"), syncs_apart=1000, syncs_unwaited=13),  # some at the edges, or clean
        _seen(_device("vda", 500), syncs_apart=500),  # two at a time may share a flush
        _seen(below="memory: tmpfs", sync_us_p50=0.2, syncs_unwaited=1000),
        _seen(below="uncounted: nfs4", sync_us_p50=400.0),
        _seen(below=None, sync_us_p50=0.06),  # not recorded
    ],
)
def test_syncs_that_reached_a_device_are_accepted(seen: Row) -> None:
    assert contradictions(SYNC, seen) == []


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (_seen(_device("vda", 0)), "not durable: of 1000 WAL syncs only 0 flushes reached vda"),
        (_seen(_device("vda", 900)), "of 1000 WAL syncs only 900 flushes reached vda"),
        (_seen(_device("vda", 960), syncs_apart=1000), "only 960 flushes reached vda"),
        # A journal's second flush hides the missing ones.
        (_seen(_device("loop0", 1100), syncs_unwaited=450), "450 of 1000 WAL syncs took less"),
        (_seen(_device("vda", flushed=False, writes=3.0)), "only 3 writes reached vda"),
        (_seen(_device("loop0"), _device("vda", 5, level=1)), "only 5 flushes reached vda"),
        (_seen(_device("sda", 90), _device("sdb", 90)), "only 90 flushes reached sda, sdb"),
        (_seen(_device("vda"), sync_us_p50=0.06), "the median WAL sync took 0.06 us"),
        (_seen(below="uncounted: nfs4", sync_us_p50=0.06), "something answers in its place"),
        (_seen({"device": "vda", "flushed": True}), "only 0 flushes"),
    ],
)
def test_syncs_that_no_device_saw_are_refused(seen: Row, why: str) -> None:
    found = contradictions(SYNC, seen)
    assert any(why in one for one in found), found


def test_logs_that_do_not_claim_a_sync_on_a_real_device_are_not_asked() -> None:
    lost = _seen(_device("vda", 0), emulated=True, tap_emulated=True)
    assert contradictions(SYNC, lost) == []
    left_out = _seen(_device("vda", 0), tap_rung=2, tap_syncs_at_once=1000)
    assert contradictions(SYNC.at(rung="sync-free"), left_out) == []


def test_syncs_of_closed_logs_may_have_nothing_to_flush() -> None:
    """RocksDB syncs up to one for each column family whenever a log is closed."""
    assert contradictions(SYNC, _seen(_device("vda", 988), tap_opens=2)) == []
