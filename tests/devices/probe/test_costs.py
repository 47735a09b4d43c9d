from __future__ import annotations

import pytest
from probing import measured, reading
from waltax.devices.probe.costs import relative_line, sync_cpu, sync_sleeps
from waltax.devices.probe.repeats import kept, pool


def test_a_line_is_found_again() -> None:
    points = [(x, 2.5 + 0.4 * x) for x in (0.1, 1, 10, 63)]
    assert relative_line(points) == pytest.approx((2.5, 0.4))


def test_small_writes_count_as_much_as_large_ones() -> None:
    start, _ = relative_line([(0.13, 2.5), (1, 2.9), (22, 16), (63, 26)])
    assert start == pytest.approx(2.5, abs=0.1)


def test_costs_are_never_negative() -> None:
    assert relative_line([(1, 10), (10, 5)])[1] == 0
    assert relative_line([(1, 0.1), (10, 10)])[0] == 0


def test_a_sync_s_cpu_time_is_the_writer_s_less_its_write() -> None:
    caller, kernel = sync_cpu(measured(reading(100.0)))
    assert caller == pytest.approx(10.0)
    assert kernel == 5.0


def test_a_repeat_beside_other_work_is_left_out() -> None:
    quiet, busy = reading(100.0), reading(101.0, foreign_cores=1.5)
    assert kept([busy, quiet, busy]) == [quiet]


def test_a_repeat_that_stands_alone_is_left_out() -> None:
    alike = [reading(100.0), reading(110.0)]
    assert kept([reading(400.0), *alike]) == alike


def test_if_all_are_busy_the_ones_alike_are_kept() -> None:
    busy = [reading(us, foreign_cores=1.5) for us in (100.0, 105.0, 300.0)]
    assert kept(busy) == busy[:2]


def test_repeats_are_pooled_with_their_hiccups() -> None:
    a = reading(100.0, bins=((100.0, 999), (4000.0, 1)))
    assert pool([a, reading(100.0), a]) == [(100.0, 2998), (4000.0, 2)]


def test_a_caller_that_was_pushed_off_its_cpu_does_not_sleep_more_often() -> None:
    calm, busy = reading(100.0, sleeps=3.0), reading(100.0, sleeps=7.5)
    assert sync_sleeps(measured(busy, calm)) == 3.0


def test_sleeps_are_those_of_small_syncs() -> None:
    small, large = reading(100.0, sleeps=3.0), reading(100.0, size=160_000, sleeps=1.0)
    assert sync_sleeps(measured(small, large)) == 3.0
