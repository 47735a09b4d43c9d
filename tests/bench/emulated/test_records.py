"""The benchmark that holds the tap against a record: its figures and its reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest
from waltax import devices
from waltax.devices.resolve import SHM
from waltax.row import Row

from bench.emulated import records
from bench.emulated.fidelity_db_bench import Case, run


def _row(late: float) -> Row:
    return {
        **{"tap_syncs": 2000, "tap_wanted_ns": 2e8, "tap_achieved_ns": 2e8 * late},
        **{"tap_wanted_sync_us_p99": 150.0, "tap_sync_us_p99": 150.0 * late},
    }


def test_slices_that_took_what_was_asked_have_no_reason() -> None:
    kept = records.of_rows("tpcc", [_row(1.0), _row(1.04)])
    assert (kept.syncs, kept.asked_us) == (4000, (100.0, 150.0))
    assert (kept.mean, kept.p99) == pytest.approx((1.02, 1.02))
    assert kept.why == ""


def test_a_case_that_is_late_or_too_thin_says_by_how_much(
    capsys: pytest.CaptureFixture[str],
) -> None:
    late = records.of_rows("tpcc", [_row(1.1)])
    assert late.why == "mean +10.0 us, p99 +15.0 us"
    assert replace(late, syncs=999).why == "too few syncs for a p99, want 1,000"
    records.report("mine", [late, records.of_rows("linkbench", [_row(1.0)])])
    assert "mine: mean and p99 of 1 of 2 cases are within 5%" in capsys.readouterr().out


def test_a_real_run_asks_for_the_record_s_syncs() -> None:
    model = devices.load("nvme-990pro").model
    assert model is not None
    seen = run(Case(1, 1000), 1, SHM, model.tap_model(), 1).seen
    assert seen is not None
    kept = records.of_counters("one", seen)
    assert kept.asked_us[0] == pytest.approx(826, rel=0.05)
    assert kept.asked_us[1] == pytest.approx(938, rel=0.05)
    assert min(kept.mean, kept.p99) >= 0.95
