from __future__ import annotations

import pytest
from swept import fitted, linear, spoiled, sweep
from waltax.analysis.reports.latency import judged
from waltax.analysis.results.curve import Prediction, curves
from waltax.row import Row

DEVICES = {"nvram": 12.0, "nvme": 30.0, "ssd": 1100.0}


def predicted(rows: list[Row], devices: dict[str, float]) -> dict[str, Prediction]:
    (curve,) = curves(rows)
    return {one.device: one for one in curve.predictions(devices)}


def test_devices_measured_beside_the_grid_agree_with_the_curve() -> None:
    found = predicted(sweep(sd=0.02, others=DEVICES), DEVICES)
    for device, us in DEVICES.items():
        one = found[device]
        assert one.predicted.value == pytest.approx(linear(us), abs=0.05)
        assert one.measured is not None
        assert one.agrees
        assert not one.outside
        assert one.sentence.endswith("agree")


def test_a_device_that_is_not_what_it_says_is_caught() -> None:
    rows = spoiled(sweep(sd=0.02, others=DEVICES), {"nvme": 0.8})
    found = predicted(rows, DEVICES)
    assert found["nvme"].agrees is False
    assert found["nvme"].difference is not None
    assert found["nvme"].difference.value == pytest.approx(-0.8 * 0.2 / 1.5, abs=0.08)
    assert "DISAGREE" in found["nvme"].sentence
    assert found["ssd"].agrees


def test_less_than_a_straight_line_may_be_off_is_said_to_be_so() -> None:
    rows = spoiled(sweep(sd=0.0, others={"nvme": 30.0}), {"nvme": 0.995})
    rows = [one | {"throughput": one["throughput"] * (1 + 1e-5 * one["round"])} for one in rows]
    one = predicted(rows, {"nvme": 30.0})["nvme"]
    assert one.agrees is False
    assert one.sentence.endswith("by less than a straight line between two points may be off")


def test_a_device_in_the_grids_place_leaves_the_curve_alone() -> None:
    """Or it would be tested against itself."""
    (alone,), (beside,) = (
        curves(sweep(others={"nvme": 30.0})),
        curves(spoiled(sweep(others={"nvme": 30.0}), {"nvme": 0.1})),
    )
    assert fitted(alone) == fitted(beside)


def test_a_device_that_was_not_measured_is_predicted_only() -> None:
    one = predicted(sweep(), {"mybox": 50.0})["mybox"]
    assert one.predicted.value == pytest.approx(linear(50), abs=0.05)
    assert (one.measured, one.difference, one.agrees) == (None, None, None)
    assert "not measured itself" in one.sentence


@pytest.mark.parametrize(
    ("us", "side", "word"), [(0.2, "below", "at most"), (9000.0, "above", "at least")]
)
def test_outside_the_range_there_is_a_bound_and_no_prediction(
    us: float, side: str, word: str
) -> None:
    one = predicted(sweep(others={"far": us}), {"far": us})["far"]
    assert one.outside
    assert one.outside == side
    assert one.predicted.value is None
    assert one.bound.value is not None
    assert one.measured is not None
    assert one.agrees is None
    assert f"{word} " in one.sentence


def test_an_interval_that_covers_everything_is_not_taken_for_a_confirmation() -> None:
    one = predicted(sweep(sd=0.4, others={"nvme": 30.0}), {"nvme": 30.0})["nvme"]
    assert (one.agrees, one.too_wide) == (None, True)
    assert one.sentence.endswith("too wide an interval to tell")
    assert judged([one])[0] == (
        "0 of 1 devices measured beside the grid agree with the curve; for 1 the interval is too "
        "wide to tell"
    )


def test_a_directory_is_read_at_what_its_own_callers_waited() -> None:
    rows = sweep(sd=0.02, others={"mydisk": 200.0})
    (one,) = predicted(rows, {}).values()
    mine = [row for row in rows if row["device"] == "mydisk"]
    waited_us = sum(row["tap_sync_ns"] for row in mine) / sum(row["tap_syncs"] for row in mine)
    assert one.device == "mydisk"
    assert one.sync_us is None
    assert one.waited_us == one.measured_sync_us == pytest.approx(waited_us / 1000)
    assert one.predicted.value == pytest.approx(linear(200), abs=0.03)
    assert one.measured is not None
    assert one.measured.low is not None
    assert one.measured.high is not None
    assert one.measured.low < linear(200) < one.measured.high
    assert one.agrees
    assert one.sentence.startswith("mydisk, waits of 20")


def test_a_directory_that_costs_more_than_its_waits_is_caught() -> None:
    rows = spoiled(sweep(sd=0.02, others={"mydisk": 200.0}), {"mydisk": 0.7})
    one = predicted(rows, {})["mydisk"]
    assert one.agrees is False
    assert one.sentence.endswith("DISAGREE")


def test_devices_of_a_known_time_and_the_grids_are_no_directories() -> None:
    rows = sweep(others={"mydisk": 200.0, "nvme": 30.0})
    places = {name: one.sync_us for name, one in predicted(rows, {"nvme": 30.0}).items()}
    assert places == {"nvme": 30.0, "mydisk": None}


def test_a_directory_without_a_result_or_a_sync_has_no_place() -> None:
    changes: dict[str, Row] = {
        "broken": {"status": "failed", "failure": "x", "throughput": None},
        "stuck": {"throughput": 0.0},
        "idle": {"tap_syncs": 0},
    }
    rows = sweep(others=dict.fromkeys(changes, 200.0))
    assert predicted([row | changes.get(row["device"], {}) for row in rows], {}) == {}


def test_devices_of_the_grid_are_not_predicted() -> None:
    assert list(predicted(sweep(), {"sync-28us": 28.0, "nvme": 30.0})) == ["nvme"]


def test_a_device_of_a_program_is_predicted_from_the_others() -> None:
    """Its baseline is a point, too: a device whose syncs take no time."""
    others = {"nvme": 30.0, "ssd-plp": 170.0, "ssd": 1100.0}
    rows = sweep(
        lambda us: 1 - 1 / (1 + us / 100),
        0.01,
        grid=(),
        others=others,
        engine="program",
        workload="timed",
        throughput_unit="runs/s",
    )
    free = {"tap_syncs": 1000, "tap_sync_ns": 30_000, "tap_write_bytes": 200_000}
    rows = [one | (free if one["device"] == "off" else {}) for one in rows]
    (curve,) = curves(rows, without="ssd-plp")
    assert [point.device for point in curve.points] == ["off", "nvme", "ssd"]
    one = curve.predict("ssd-plp", 170.0)
    assert one.predicted.value == pytest.approx(1 - 1 / 2.7, abs=0.02)
    assert one.agrees
