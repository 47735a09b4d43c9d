"""The record of the shop."""

from __future__ import annotations

import pytest
from waltax import profiles, workloads
from waltax.shop.workload import BYTES_PER_ROW, WORKLOAD


def test_it_is_measured_when_it_is_named_on_any_engine() -> None:
    assert workloads.named("shop") == ("shop",)
    assert "shop" not in workloads.DEFAULT
    assert WORKLOAD.engines is None


def test_a_row_has_the_mean_bytes_of_the_mix() -> None:
    assert pytest.approx(0.4 * 187 + 0.2 * 1148 + 0.4 * 32) == BYTES_PER_ROW


def test_every_profile_that_sizes_it_says_what_its_rows_take() -> None:
    """Random letters and digits hardly compress, so that a copy is no smaller than its rows."""
    sized = [("ci", "rocksdb"), ("quick", "rocksdb")]
    sized += [(size, engine) for engine in ("myrocks", "innodb") for size in ("ci", "quick")]
    for size, engine in sized:
        section = profiles.load(size, engine).sections["shop"]
        rows_mb = int(section.load["rows"]) * BYTES_PER_ROW / 1e6
        assert rows_mb < section.data_mb < 12 * rows_mb, (size, engine)


def test_at_a_share_there_are_fewer_rows_of_known_bytes() -> None:
    section = profiles.load("quick").sections["shop"]
    shrink = WORKLOAD.scale.shrink
    assert shrink is not None
    load, run = shrink(section.load, section.run, 0.1, 4)
    assert load == {"rows": 40_000}
    assert run == section.run
    assert WORKLOAD.data(load) == "40,000 rows of 13 MB"
    assert shrink(section.load, section.run, 0.0001, 4)[0] == {"rows": 1_000}


def test_what_else_changes_the_data_is_said() -> None:
    words = WORKLOAD.data({"rows": 10_000, "load_order": "unsorted"})
    assert words == "10,000 rows of 3 MB; load_order = unsorted"
