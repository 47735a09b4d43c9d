from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from synthetic import make_row, make_rows, noise, steady
from waltax import analysis
from waltax.analysis import CellResult, estimate, every_cell
from waltax.analysis.results import words
from waltax.base.errors import UsageError, WaltaxError
from waltax.row import Row, append


def _only(estimates: list[CellResult]) -> CellResult:
    (one,) = estimates
    return one


def test_without_noise_the_overhead_is_exact() -> None:
    one = _only(estimate(make_rows(3, 4, steady(off=1000.0, nvme=730.0))))
    assert one.overhead == pytest.approx(0.27)
    assert one.low == pytest.approx(0.27)
    assert one.high == pytest.approx(0.27)
    assert one.half_width == pytest.approx(0.0)
    assert (one.sessions, one.rounds) == (3, 12)
    assert one.throughput == pytest.approx(730.0)
    assert one.emulated
    assert one.resolvable


def test_the_paper_s_table_gives_the_paper_s_percentages() -> None:
    rows = analysis.load([Path(analysis.__file__).parent / "paper.jsonl"])
    found = {
        (one.workload, one.device): round(100 * one.overhead)
        for one in estimate(rows)
        if one.overhead is not None
    }
    assert found == {
        ("linkbench", "ssd"): 66,
        ("linkbench", "nvme"): 18,
        ("linkbench", "nvram"): 10,
        ("tpcc", "ssd"): 34,
        ("tpcc", "nvme"): 21,
        ("tpcc", "nvram"): 3,
    }
    assert all(one.low is None and one.half_width is None for one in estimate(rows))
    assert {(one.workload, one.paced) for one in estimate(rows)} == {
        ("linkbench", None),
        ("tpcc", False),
    }


def test_drift_that_all_cells_share_cancels() -> None:
    drift = noise(0.5)

    def rates(*_: int) -> dict[str, float]:
        now = drift()
        return {"off": 1000 * now, "nvme": 600 * now}

    one = _only(estimate(make_rows(3, 5, rates)))
    assert one.overhead == pytest.approx(0.4)
    assert one.half_width == pytest.approx(0.0, abs=1e-9)
    assert one.throughput_low is not None
    assert one.throughput_high is not None
    assert one.throughput_high > 1.3 * one.throughput_low  # the drift shows here instead


def test_the_headline_is_the_ratio_of_means_and_the_median_stands_beside_it() -> None:
    """One round in which both were fast weighs more in the mean than in the median."""
    rounds = [
        {"off": 100.0, "ssd": 50.0},
        {"off": 100.0, "ssd": 50.0},
        {"off": 1000.0, "ssd": 900.0},
    ]
    one = _only(estimate(make_rows(1, 3, lambda _, round: rounds[round])))
    assert one.overhead == pytest.approx(1 - 1000 / 1200)
    assert one.overhead_median_of_ratios == pytest.approx(0.5)


def test_rounds_without_the_baseline_are_dropped_and_counted() -> None:
    rows = make_rows(3, 4, steady(off=1000.0, nvme=730.0))
    rows += [make_row("nvme", 5.0, 2, 4), make_row("nvme", 5.0, 3, 0)]
    one = _only(estimate(rows))
    assert one.overhead == pytest.approx(0.27)
    assert (one.sessions, one.rounds, one.rounds_unmatched) == (3, 12, 2)


def test_rounds_of_different_sessions_or_campaigns_are_not_matched() -> None:
    rows = [make_row("off", 1000.0, 0, 0), make_row("nvme", 500.0, 1, 0)]
    assert _only(estimate(rows)).overhead is None
    rows[1] |= {"session": 0, "campaign": "another"}
    assert _only(estimate(rows)).overhead is None


def test_sessions_of_two_campaigns_count_as_many_sessions() -> None:
    wobble = noise(0.05)
    rates = lambda *_: {"off": 1000 * wobble(), "nvme": 700 * wobble()}  # noqa: E731
    rows = make_rows(2, 4, rates)
    rows += [one | {"campaign": "another"} for one in make_rows(2, 4, rates)]
    assert _only(estimate(rows)).sessions == 4


def test_an_interval_that_covers_zero_is_not_resolvable() -> None:
    wobble = noise(0.1)
    one = _only(
        estimate(make_rows(3, 4, lambda *_: {"off": 1e3 * wobble(), "nvram": 999 * wobble()}))
    )
    assert one.low is not None
    assert one.high is not None
    assert one.low < 0 < one.high
    assert not one.resolvable


def test_a_wide_interval_that_covers_zero_is_not_said_to_be_no_cost() -> None:
    wobble = noise(0.9)
    rows = make_rows(3, 4, lambda *_: {"off": 1e3 * wobble(), "nvme": 500 * wobble()})
    said = words.verdict(every_cell(rows))
    assert "the WAL costs a share that cannot be told (" in said
    assert "]) on nvme (emulated)" in said
    assert "nothing resolvable" not in said


def test_equal_off_cells_are_compared_like_any_device() -> None:
    wobble = noise(0.05)
    rows = make_rows(3, 4, lambda *_: {"off": 1000 * wobble()})
    rows += [
        make_row("off", 1000 * wobble(), session, round, replica="r2")
        for session in range(3)
        for round in range(4)
    ]
    one = _only(estimate(rows))
    assert (one.device, one.replica) == ("off", "r2")
    assert one.baseline != one.cell
    assert not one.resolvable


def test_cells_are_compared_within_their_workload_profile_and_threads_only() -> None:
    rows = [make_row("off", 1000.0), make_row("nvme", 500.0)]
    rows += [one | {"threads": 8, "cell": one["cell"] + "8", "throughput": 100.0} for one in rows]
    assert [one.overhead for one in estimate(rows)] == [0.5, 0.0]
    assert len({one.baseline for one in estimate(rows)}) == 2


def test_without_an_off_cell_there_is_no_overhead() -> None:
    one = _only(estimate(make_rows(3, 4, steady(nvme=730.0))))
    assert one.overhead is None
    assert one.baseline is None
    assert one.throughput == pytest.approx(730.0)


def test_a_cell_that_failed_once_has_no_result_but_a_reason() -> None:
    rows = make_rows(3, 4, steady(off=1000.0, nvme=730.0))
    rows.append(make_row("nvme", None, 2, 4, failure="the driver died"))
    one = _only(estimate(rows))
    assert one.failed
    assert (one.failed_slices, one.failures) == (1, ("the driver died",))
    assert (one.throughput, one.overhead, one.half_width) == (None, None, None)
    assert (one.overhead_median_of_ratios, one.added_us_per_request) == (None, None)


def test_a_baseline_that_failed_leaves_no_overhead_not_even_its_own() -> None:
    rows = make_rows(3, 4, steady(off=1000.0, nvme=730.0))
    off, nvme = every_cell([*rows, make_row("off", None, 2, 4)])
    assert (off.failed, off.throughput, off.overhead) == (True, None, None)
    assert (nvme.failed, nvme.overhead) == (False, None)
    assert nvme.throughput == pytest.approx(730.0)


def test_a_cell_that_failed_changes_no_other_s_interval() -> None:
    wobble = noise(0.1)
    rows = make_rows(3, 4, lambda *_: {"off": 1000 * wobble(), "nvme": 700 * wobble()})
    ssd = [make_row("ssd", 500.0, 0, 0), make_row("ssd", None, 2, 4)]
    before, after = estimate(rows)[0], estimate([*rows, *ssd])[0]
    assert after.device == "nvme"
    assert (after.low, after.high) == (before.low, before.high)


def test_rows_that_all_failed_give_cells_without_figures() -> None:
    off, ssd = every_cell([make_row("off", None), make_row("ssd", None)])
    assert (off.throughput, ssd.throughput, ssd.overhead) == (None, None, None)


def test_a_cell_that_did_nothing_costs_everything() -> None:
    rows = make_rows(3, 2, steady(off=1000.0, ssd=0.0))
    one = _only(estimate(rows))
    assert (one.overhead, one.low, one.added_us_per_request) == (1.0, None, None)
    assert "no request was done: there is no interval" in [doubt.text for doubt in one.doubts]


def test_against_a_baseline_that_did_nothing_there_is_no_overhead() -> None:
    off, ssd = every_cell(make_rows(3, 2, steady(off=0.0, ssd=0.0)))
    assert (off.throughput, ssd.throughput) == (0.0, 0.0)
    assert (ssd.overhead, ssd.low, ssd.overhead_median_of_ratios) == (None, None, None)


def test_a_round_in_which_only_the_baseline_stood_still_has_no_ratio() -> None:
    rounds = [{"off": 0.0, "ssd": 50.0}, {"off": 100.0, "ssd": 50.0}, {"off": 100.0, "ssd": 50.0}]
    one = _only(estimate(make_rows(1, 3, lambda _, round: rounds[round])))
    assert one.overhead == pytest.approx(1 - 150 / 200)
    assert one.overhead_median_of_ratios == pytest.approx(0.5)


def test_added_time_is_what_one_client_of_a_closed_loop_waits() -> None:
    """Four clients: 4 / 500 s less 4 / 1000 s is 4 ms a request."""
    rows = make_rows(3, 2, steady(off=1000.0, ssd=500.0))
    one = _only(estimate(rows))
    assert one.added_us_per_request == pytest.approx(4000)
    per_minute = _only(estimate([row | {"throughput_unit": "tpmC"} for row in rows]))
    assert per_minute.added_us_per_request == pytest.approx(60 * 4000)


def test_the_baseline_comes_first_then_the_cheapest_device() -> None:
    rates = {"ssd": 100.0, "nvram": 900.0, "off": 1000.0, "nvme": 700.0}
    cells = every_cell(make_rows(2, 2, steady(**rates)))
    assert [one.device for one in cells] == ["off", "nvram", "nvme", "ssd"]
    assert (cells[0].overhead, cells[0].low, cells[0].high) == (0.0, 0.0, 0.0)


def test_all_cells_of_a_round_share_their_resamples() -> None:
    """Two devices that are always 2:1 get intervals that are exactly 2:1."""
    wobble = noise(0.2)

    def rates(*_: int) -> dict[str, float]:
        device = 400 * wobble()
        return {"off": 1000 * wobble(), "nvme": 2 * device, "ssd": device}

    nvme, ssd = estimate(make_rows(3, 4, rates))
    assert nvme.high is not None
    assert ssd.high is not None
    assert (1 - nvme.high) == pytest.approx(2 * (1 - ssd.high))


@pytest.mark.parametrize(
    ("first", "then", "message"),
    [
        ({"emulated": True}, {"emulated": False}, "found emulated True and False"),
        ({"device_kind": "real"}, {"device_kind": "estimate"}, "device_kind real and estimate"),
        (
            {"placement_digest": "aa"},
            {"placement_digest": "bb"},
            "placement_digest aa and bb; .* different devices; report",
        ),
        (
            {"profile_digest": "aa"},
            {"profile_digest": "bb"},
            "profile_digest aa and bb; .* different profiles; report them separately",
        ),
    ],
)
def test_rows_of_one_cell_that_measured_different_things_are_refused(
    first: Row, then: Row, message: str
) -> None:
    rows = [make_row("off", 1000.0), make_row("nvme", 730.0) | first]
    rows += [one | {"campaign": "another"} for one in rows]
    rows[-1] |= then
    with pytest.raises(
        WaltaxError, match=f"cell rocksdb-linkbench-quick-nvme-sync-t4: .*{message}"
    ):
        every_cell(rows)


def test_a_digest_that_is_not_recorded_differs_from_none() -> None:
    rows = make_rows(2, 2, steady(off=1000.0, nvme=730.0))
    rows[1] |= {"placement_digest": "aa", "profile_digest": "cc"}
    rows[0] |= {"placement_digest": "bb", "profile_digest": "cc"}  # another cell, another place
    rows[3] |= {"placement_digest": None}
    assert _only(estimate(rows)).overhead == pytest.approx(0.27)


def test_a_slice_that_comes_twice_is_refused(tmp_path: Path) -> None:
    rows: list[Row] = [make_row("off", 1.0), make_row("off", 2.0, status="ok")]
    for one in rows:
        append(tmp_path / "rows.jsonl", one)
    with pytest.raises(WaltaxError, match="session 0, round 0 has two slices of cell"):
        analysis.load([tmp_path])


def test_a_campaign_given_twice_is_read_once(tmp_path: Path) -> None:
    append(tmp_path / "rows.jsonl", make_row("off", 1.0))
    assert len(analysis.load([tmp_path, tmp_path / "rows.jsonl", tmp_path])) == 1


def test_a_folder_without_rows_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"rows\.jsonl: no rows there"):
        analysis.load([tmp_path])
    (tmp_path / "rows.jsonl").touch()
    with pytest.raises(UsageError, match="no rows yet"):
        analysis.load([tmp_path])


def test_estimating_does_not_import_what_draws() -> None:
    code = (
        "import sys, waltax.analysis; print({'matplotlib', 'rich', 'scipy.stats'} & {*sys.modules})"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "set()"
