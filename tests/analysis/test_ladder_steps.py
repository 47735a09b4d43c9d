"""What each step from no log to a device adds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rungs import OFF, TIMES_US, rung_rows
from waltax import analysis
from waltax.analysis.results import ladder as sentences
from waltax.analysis.results.ladder import Ladder, ladders
from waltax.row import Row


def only(rows: list[Row]) -> Ladder:
    (one,) = ladders(rows)
    return one


def test_every_step_is_the_difference_of_two_rungs() -> None:
    one = only(rung_rows(sd=0.0))
    added = {step.name: step.added_us.value for step in one.steps}
    assert added == pytest.approx(
        {"encode": 4, "write": 6, "sync-free": 20, "wait": 60, "device": 30}
    )
    points = {step.name: step.points.value for step in one.steps}
    assert points["encode"] == pytest.approx(1 - 40 / 44)
    assert points["device"] == pytest.approx(40 / 130 - 40 / 160)


def test_steps_add_up_to_what_the_device_costs() -> None:
    one = only(rung_rows(sd=0.2))
    assert sum(step.added_us.value or 0 for step in one.steps) == pytest.approx(
        one.whole.added_us.value
    )
    assert sum(step.points.value or 0 for step in one.steps) == pytest.approx(
        one.whole.points.value
    )
    (direct,) = (e for e in analysis.estimate(rung_rows(sd=0.2)) if e.durability == "sync")
    assert one.whole.points.value == pytest.approx(direct.overhead)
    assert one.whole.points.low == pytest.approx(direct.low)


def test_rounds_that_lack_a_rung_are_left_out() -> None:
    rows = rung_rows(sd=0.2)
    lost = next(row for row in rows if row["rung"] == "wait")
    one = only([row for row in rows if row is not lost])
    assert one.slots == 11
    assert sum(step.added_us.value or 0 for step in one.steps) == pytest.approx(
        one.whole.added_us.value
    )


def test_the_interval_of_a_step_holds_the_truth_and_knows_the_noise() -> None:
    wide, narrow = (only(rung_rows(sd=sd)).steps[3].added_us for sd in (0.1, 0.01))
    assert narrow.low is not None
    assert narrow.high is not None
    assert wide.low is not None
    assert wide.high is not None
    assert narrow.low < 60 < narrow.high
    assert wide.high - wide.low > 5 * (narrow.high - narrow.low)


def test_a_step_that_saves_time_stays_negative() -> None:
    one = only(rung_rows(TIMES_US | {"wait": 60.0}, sd=0.001))
    step = next(step for step in one.steps if step.name == "wait")
    assert step.added_us.value == pytest.approx(-10, abs=0.5)
    assert sentences.us(step.added_us).startswith("\N{MINUS SIGN}")


def test_the_sentence_names_the_step_that_costs_most() -> None:
    assert ": wait (" in sentences.verdict(only(rung_rows()))
    assert "costs most" in sentences.verdict(only(rung_rows()))


def test_steps_that_are_equal_are_not_told_apart() -> None:
    equal = TIMES_US | {"wait": 120.0, "device": 170.0}
    assert "cannot be told from" in sentences.verdict(only(rung_rows(equal, sd=0.1)))


def test_nothing_is_told_from_nothing() -> None:
    same = dict.fromkeys(TIMES_US, 40.0)
    assert "no step can be told from nothing" in sentences.verdict(only(rung_rows(same, sd=0.1)))


def test_several_devices_share_the_rungs_below_them() -> None:
    found = ladders(rung_rows(devices={"nvme": True, "ssd": True}))
    assert {one.device for one in found} == {"nvme", "ssd"}
    assert {one.rungs["off"] for one in found} == {OFF}
    assert len({one.rungs["encode"] for one in found}) == 1


def test_the_cheapest_device_comes_first() -> None:
    rows = rung_rows(devices={"ssd": True, "nvme": True})
    for row in rows:
        if row["device"] == "ssd":
            row["throughput"] /= 2
    assert [one.device for one in ladders(rows)] == ["nvme", "ssd"]


def test_a_real_device_has_no_wait_and_its_syncs_are_one_step() -> None:
    one = only(rung_rows(devices={"box": False}, emulated=False))
    assert [step.name for step in one.steps] == ["encode", "write", "sync-free", "device"]


def test_a_server_has_its_delayed_mode_between_encode_and_write() -> None:
    served = replace(OFF, engine="myrocks")
    one = only(rung_rows(TIMES_US | {"delayed": 45.0}, baseline=served))
    assert list(one.rungs) == ["off", "encode", "delayed", "write", "sync-free", "wait", "device"]


def test_a_rung_that_failed_leaves_its_step_to_the_next() -> None:
    rows = rung_rows(sd=0.0)
    broken = next(row for row in rows if row["rung"] == "wait")
    broken |= {"status": "failed", "failure": "the driver died", "throughput": None}
    one = only(rows)
    assert "wait" not in one.rungs
    assert one.steps[-1].added_us.value == pytest.approx(90)


def test_without_the_device_there_is_no_step() -> None:
    rows = [row | {"status": "failed", "failure": "no"} for row in rung_rows()]
    one = only(rows)
    assert one.steps == ()
    assert "no step is known, since off, encode, write, sync-free, wait, device has no" in (
        sentences.verdict(one)
    )


def test_rungs_are_no_devices_of_an_ordinary_report() -> None:
    rows = rung_rows()
    assert {row["rung"] for row in rows} == {"", "encode", "sync-free", "wait"}
    found = {(one.device, one.durability) for one in analysis.every_cell(rows)}
    assert found == {("off", "off"), ("nvme", "flush"), ("nvme", "sync")}
