"""Slices that last until their last requests are answered: what a cell's figures are then."""

from __future__ import annotations

import numpy as np
import pytest
from synthetic import make_row
from waltax import analysis
from waltax.analysis import CellResult
from waltax.row import Row


def _slice(device: str, session: int, place: int, requests: int, seconds: float) -> Row:
    """One that was to last 0.2 s, and took as much longer as `seconds` are more."""
    late_s = max(0.0, seconds - 0.2)
    return make_row(
        device, requests / seconds, session, place, requests=requests, warmup_s=0.1,
        overtime_s=late_s, driven_s=0.3 + late_s, latency_us_p99=900.0, disturbed=[],
    )  # fmt: skip


def _rows(seed: int, sessions: int = 4, rounds: int = 20) -> list[Row]:
    """Beside `off` a device of which a wait of 0.5 s begins once a second of its 3,000 requests."""
    rng = np.random.default_rng(seed)
    rows = []
    for session in range(sessions):
        for place in range(rounds):
            until = rng.exponential(1.0)
            waits = until < 0.2
            done, seconds = (int(3000 * until) + 1, until + 0.5) if waits else (600, 0.2)
            rows.append(_slice("off", session, place, int(1000 + rng.normal(0, 10)), 0.2))
            rows.append(_slice("nvme", session, place, done, seconds))
    return rows


def _nvme(rows: list[Row]) -> CellResult:
    return analysis.every_cell(rows)[-1]


def test_a_throughput_is_all_requests_over_all_of_their_time() -> None:
    rows = _rows(1)
    mine = [row for row in rows if row["device"] == "nvme"]
    whole = sum(row["requests"] for row in mine) / sum(row["measure_s"] for row in mine)
    assert _nvme(rows).throughput == pytest.approx(whole)
    assert whole < 0.95 * np.mean([row["throughput"] for row in mine])


def test_its_interval_holds_the_long_run_that_the_slices_are_of() -> None:
    """3,000 requests take 1 s and a wait of 0.5 s: 2,000 a second, 60 % less than `off`."""
    found = [_nvme(_rows(seed)) for seed in range(40)]
    held = [one.low <= 0.6 <= one.high for one in found if one.low is not None and one.high]
    assert len(held) == 40
    assert sum(held) >= 35
    assert np.mean([one.overhead for one in found]) == pytest.approx(0.6, abs=0.02)


def test_a_slice_in_which_no_request_began_weighs_nothing() -> None:
    rows = _rows(2)
    without = _nvme(rows).throughput
    none = make_row("nvme", 0.0, 3, 20, measure_s=0.0, overtime_s=0.4, driven_s=0.7, disturbed=[])
    rows += [none | {"requests": 0}, _slice("off", 3, 20, 1000, 0.2)]
    assert _nvme(rows).throughput == pytest.approx(without)
