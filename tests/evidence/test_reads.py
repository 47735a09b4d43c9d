"""Reads of data that were to take a time, and did not, fail their row."""

from __future__ import annotations

from typing import Any

import pytest
from test_evidence import SYNC, SYNCED, contradictions
from waltax.evidence import axes
from waltax.evidence.slice import Slice

ROW = {
    "data_read_latency_us": 500,
    "tap_read_latency_us": 500.0,
    "tap_data_reads": 100,
    "tap_data_read_ns": 100 * 503_000,
    "tap_data_read_bytes": 100 * 8192,
    "disk_read_bytes": 100.0 * 8192,
}


def _slow(**changes: float | None) -> dict[str, Any]:
    return {**SYNCED, **ROW, **changes}


def doubts(row: dict[str, Any]) -> list[str]:
    return list(axes.read_doubts(Slice(SYNC, row)))


def test_reads_that_took_their_time_are_accepted() -> None:
    assert contradictions(SYNC, _slow()) == []
    assert doubts(ROW) == []


def test_what_came_from_a_disk_and_was_not_delayed_went_around_the_tap() -> None:
    seen = _slow(tap_data_reads=0, tap_data_read_ns=0, disk_read_bytes=2e6)
    (why,) = contradictions(SYNC, seen)
    assert why == (
        "reads of data are to take 500 us, and 2000000 bytes came from a disk, but the tap "
        "delayed no read: they went around it"
    )


@pytest.mark.parametrize("fetched", [None, 0.0, 65536.0])
def test_nothing_to_delay_is_no_contradiction(fetched: float | None) -> None:
    """All in memory; a page of the program's own; and a kernel that does not tell."""
    seen = _slow(tap_data_reads=0, tap_data_read_ns=0, disk_read_bytes=fetched)
    assert contradictions(SYNC, seen) == []


def test_a_read_that_was_shorter_than_asked_fails() -> None:
    seen = _slow(tap_data_read_ns=100 * 480_000)
    (why,) = contradictions(SYNC, seen)
    assert why == "delayed reads of data took 480 us in the mean, want 500 or more"


@pytest.mark.parametrize(("asked", "at_work"), [(0, 500.0), (500, 0.0), (500, 200.0)])
def test_a_tap_with_another_latency_than_the_campaign_s_fails(asked: int, at_work: float) -> None:
    seen = _slow(data_read_latency_us=asked, tap_read_latency_us=at_work)
    (why,) = contradictions(SYNC, seen)
    assert why == f"reads of data are to take {asked} us, but the tap's take {at_work:g}"


def test_what_cannot_be_delayed_truly_is_said() -> None:
    (unasked,) = doubts(ROW | {"tap_data_reads_unasked": 3})
    assert "does not tell which pages are cached" in unasked
    (around,) = doubts(ROW | {"disk_read_bytes": 5e6})
    assert around.startswith("less than half of the bytes that came from a disk")
