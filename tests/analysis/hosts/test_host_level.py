"""Hosts as a level of the estimates: none is of two, each counts alike, and few are honest."""

from __future__ import annotations

import math

import numpy as np
import pytest
from host_rows import host_rows
from scipy.stats import t
from synthetic import make_row
from waltax.analysis import CellResult, estimate, every_cell, stats
from waltax.analysis.results import panels
from waltax.base.errors import WaltaxError
from waltax.row import Row

_COSTS = {"h1": 0.30, "h2": 0.40, "h3": 0.50}


def _nvme(rows: list[Row]) -> CellResult:
    return next(one for one in estimate(rows) if one.device == "nvme")


def _length(one: CellResult) -> float:
    assert one.low is not None
    assert one.high is not None
    return math.log((1 - one.low) / (1 - one.high))


def test_every_host_counts_alike_however_fast_it_is_and_however_long_it_measured() -> None:
    rows = host_rows(_COSTS, sd=0.0)
    again = [one | {"session": one["session"] + 100} for one in rows if one["host"] == "h1"]
    for measured in (rows, rows + again):
        found = _nvme(measured)
        assert found.overhead == pytest.approx(0.4)
        assert found.hosts == 3
        # A mean host: 1000 requests/s on the first, each next faster by half.
        assert found.throughput == pytest.approx((700 + 900 + 1125) / 3)


def test_an_interval_is_at_least_that_of_students_t_over_the_hosts() -> None:
    found = _nvme(host_rows(_COSTS, sessions=4, sd=0.001))
    error = np.std([0.7, 0.6, 0.5], ddof=1) / 0.6 / math.sqrt(3)
    assert _length(found) == pytest.approx(2 * t.ppf(0.975, 2) * error, rel=0.05)
    nameless = [one | {"host": "", "cpu_model": "one"} for one in host_rows(_COSTS, sessions=4)]
    assert _length(found) > 2 * _length(_nvme(nameless))


def test_one_host_is_as_none() -> None:
    rows = host_rows({"h1": 0.4}, sessions=3)
    alone, nameless = _nvme(rows), _nvme([{**one, "host": ""} for one in rows])
    assert alone.interval == nameless.interval
    assert (alone.hosts, nameless.hosts) == (1, 0)
    assert "few hosts" in [doubt.kind for doubt in alone.doubts if doubt.large]


def test_hosts_are_drawn_before_sessions() -> None:
    """Whole hosts are absent from a draw about (1 - 1/5)^5 of the time."""
    session = np.repeat(np.arange(15), 4)
    by = stats.resample(session, host=session // 3)
    assert (by.weights.sum(axis=1) == 60).all()
    absent = by.weights.reshape(-1, 5, 12).sum(axis=2) == 0
    assert absent.mean() == pytest.approx(0.8**5, abs=0.02)


def test_no_ratio_is_of_two_hosts() -> None:
    rows = host_rows(_COSTS)
    for panel in panels(rows):
        for number in np.unique(panel.by.session):
            assert np.unique(panel.by.host[panel.by.session == number]).size == 1


def test_the_rows_of_one_host_are_of_one_machine_and_hosts_may_be_any() -> None:
    rows = host_rows(_COSTS)
    assert estimate(rows)
    moved = [one | {"cores": 8} if one["session"] == 1 else one for one in rows]
    with pytest.raises(WaltaxError, match="found cores 2 and 8"):
        estimate(moved)


def test_a_real_device_is_another_disk_on_each_host_and_a_model_is_one_on_all() -> None:
    def rows(**own: object) -> list[Row]:
        return [one | own | {"placement_digest": one["host"]} for one in host_rows(_COSTS)]

    assert estimate(rows(emulated=False))
    with pytest.raises(WaltaxError, match="placement_digest h1 and h2"):
        estimate(rows(emulated=True))
    on_one = [one | {"host": "h1", "cpu_model": "one"} for one in rows(emulated=False)]
    with pytest.raises(WaltaxError, match="placement_digest h1 and h2"):
        estimate(on_one)


def test_a_cell_that_failed_on_one_host_has_a_result_on_the_others_alone() -> None:
    broken = make_row("nvme", None, 2, 0, host="h2")
    rows = [
        broken if (one["device"], one["session"], one["round"]) == ("nvme", 2, 0) else one
        for one in host_rows(_COSTS, sd=0.0)
    ]
    found = {one.device: one for one in estimate(rows)}
    assert (found["nvme"].failed, found["nvme"].overhead) == (True, None)
    assert found["ssd"].hosts == 3
    for host in ("h1", "h3"):
        alone = _nvme([one for one in rows if one["host"] == host])
        assert alone.overhead == pytest.approx(_COSTS[host])


def test_a_busy_host_among_quiet_ones_loses_its_disturbed_slices() -> None:
    four = {**_COSTS, "h4": 0.4}
    rows = [
        one | {"disturbed": ["steal"] if one["host"] == "h3" else []} for one in host_rows(four)
    ]
    (panel,) = panels(rows)
    assert panel.disturbance.left_out == panel.disturbance.disturbed
    assert every_cell(rows)[1].hosts == 3


def test_a_campaign_over_hosts_goes_on_until_its_hosts_are_narrow_enough() -> None:
    """What the loop asks of its estimator."""
    near = dict.fromkeys(("h1", "h2", "h3", "h4"), 0.4)
    far = {"h1": 0.2, "h2": 0.4, "h3": 0.6, "h4": 0.4}
    widths = [_nvme(host_rows(costs, sessions=2)).half_width or 1.0 for costs in (near, far)]
    assert widths[0] < 0.025 < 0.2 < widths[1]
