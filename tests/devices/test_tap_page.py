"""The tap's page as its library lays it out, and the form of its models."""

from __future__ import annotations

import _ctypes
import struct
from dataclasses import replace
from pathlib import Path

import pytest
from waltax.base.errors import WaltaxError
from waltax.devices import tap_model, tap_page
from waltax.devices.device import Latencies
from waltax.devices.tap_model import (
    NUMBERS,
    REQUIRED,
    DeviceModel,
    SyncLatency,
    mean_sync_us,
    packed,
)
from waltax.devices.tap_page import create, percentile

MODEL = DeviceModel(
    sync=(SyncLatency(131, ((0, 90.0), (50, 100.0), (100, 400.5))),),
    write_us=2.5,
    write_us_per_kib=0.3,
    bandwidth_mb_per_s=500,
    cache_mib=64,
    cpu_caller_us=25,
    cpu_kernel_us=15,
    dir_sync_us=120,
)


_IN_ROWS = (
    *("opens", "writes", "write_bytes", "syncs", "sync_ns", "synced_writes"),
    *("bypasses", "wanted_ns", "achieved_ns", "sleep_cpu_ns"),
)


def test_a_page_begins_with_its_name_version_and_size() -> None:
    layout = tap_page._layout()
    assert layout.start == b"WLTAXTAP" + struct.pack("<2Q", 1, layout.size)


def test_the_layout_ends_where_the_emulated_device_begins() -> None:
    """Its words have cache lines of their own: four of 64 bytes, three numbers, and its model."""
    layout = tap_page._layout()
    assert layout.size - layout.page.itemsize == 4 * 64 + 3 * 8 + tap_model.SIZE


def test_a_tap_of_another_release_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "libwaltax_tap.so").symlink_to(_ctypes.__file__)
    monkeypatch.setenv("WALTAX_BUILD_DIR", str(tmp_path))
    with pytest.raises(WaltaxError, match=r"libwaltax_tap\.so: is of another release"):
        tap_page._layout.__wrapped__()


def test_rows_carry_the_counters_that_are_read_of_them(tmp_path: Path) -> None:
    assert set(_IN_ROWS) <= set(create(tmp_path / "page").snapshot().in_rows())


def test_a_difference_leaves_states_as_they_are(tmp_path: Path) -> None:
    fresh = create(tmp_path / "page").snapshot()
    earlier = replace(fresh, counts={**fresh.counts, "syncs": 3, "emulated": 1})
    later = replace(fresh, counts={**fresh.counts, "syncs": 10, "emulated": 1})
    since = later.minus(earlier)
    assert (since.syncs, since.emulated) == (7, 1)


def test_a_counter_that_the_tap_has_not_is_no_attribute(tmp_path: Path) -> None:
    with pytest.raises(AttributeError, match="no counter 'sinks'"):
        _ = create(tmp_path / "page").snapshot().sinks


def test_a_fresh_page_counts_nothing(tmp_path: Path) -> None:
    counters = create(tmp_path / "page").snapshot()
    assert (counters.attached, counters.syncs, counters.files) == (0, 0, ())
    assert counters.refused == ""
    assert percentile(counters.sync_achieved, 50) is None


def test_a_foreign_file_is_no_page(tmp_path: Path) -> None:
    path = tmp_path / "page"
    path.write_bytes(bytes(tap_page._layout().size))
    with pytest.raises(WaltaxError, match="not a tap page"):
        type(create(tmp_path / "other")).open(path)


def test_percentiles_are_within_a_bucket() -> None:
    histogram = [0] * (31 * 64)
    histogram[0] = 99
    histogram[64] = 1
    assert percentile(histogram, 50) == pytest.approx(0.064, rel=0.016)
    assert percentile(histogram, 99) == pytest.approx(0.064, rel=0.016)
    assert percentile(histogram, 100) == pytest.approx(0.128, rel=0.016)


def test_a_device_file_has_a_key_for_each_number_of_a_model() -> None:
    keys = {
        name: key.is_required()
        for name, key in Latencies.model_fields.items()
        if not name.startswith("sync") or name == "sync_sleeps"
    }
    assert keys == {number.name: number.name in REQUIRED for number in NUMBERS}


def _words(model: DeviceModel) -> tuple[int, ...]:
    file = packed(model, seed=7)
    return struct.unpack(f"<{len(file) // 8}Q", file)


def test_a_model_is_packed_in_whole_nanoseconds() -> None:
    words = _words(MODEL)
    assert words[1:9] == (7, 2500, 300, 500_000_000, 64 << 20, 25_000, 15_000, 120_000)
    assert words[10:19] == (1, 131, 3, 0, 90_000, 50_000, 100_000, 100_000, 400_500)


def test_the_mean_of_a_sync_is_that_of_its_distribution() -> None:
    flat = SyncLatency(1131, ((50, 300.0),))
    model = replace(MODEL, sync=(*MODEL.sync, flat))
    assert mean_sync_us(model, 1) == pytest.approx((95 + 250.25) / 2)
    assert mean_sync_us(model, 631) == pytest.approx(((95 + 250.25) / 2 + 300) / 2)
    assert mean_sync_us(model, 6131) == pytest.approx(300 + 5000 / 500)
