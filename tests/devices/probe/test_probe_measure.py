from __future__ import annotations

from dataclasses import replace

import pytest
from probing import measured, reading
from waltax.devices.probe.measure import (
    Reading,
    caller_cpu,
    kept,
    kernel_cpu,
    pool,
    relative_line,
    sync_sleeps,
)


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
    assert caller_cpu(measured(reading(100.0))) == pytest.approx(10.0)


def with_cpu(*costs: tuple[int, float], foreign_cores: float = 0.0) -> list[Reading]:
    """Readings of such sizes, whose syncs took that CPU time."""
    return [
        reading(100.0, size=size, cpu_us=2.0 + us, foreign_cores=foreign_cores)
        for size, us in costs
    ]


def test_cpu_time_beside_other_work_is_not_asked() -> None:
    calm = with_cpu((131, 10.0), (102_400, 60.0))
    busy = with_cpu((131, 90.0), (102_400, 95.0), foreign_cores=1.5)
    assert caller_cpu(measured(*busy, *calm)) == caller_cpu(measured(*calm))


def test_large_syncs_and_a_size_whose_cpu_time_is_lost_do_not_decide() -> None:
    lost = with_cpu((131, -1.0), (1032, 10.0), (10_032, 10.0), (160_000, -50.0))
    assert caller_cpu(measured(*lost)) == pytest.approx(10.0)


def test_the_kernel_s_cpu_time_is_that_of_small_syncs_where_it_is_seen() -> None:
    unseen = replace(reading(100.0), kernel_us=None)
    assert kernel_cpu(measured(reading(100.0), reading(100.0, size=160_000))) == 5.0
    assert kernel_cpu(measured(unseen)) is None


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
    a = reading(100.0, bins={100.0: 999, 4000.0: 1})
    assert pool([a, reading(100.0), a]) == [(100.0, 2998), (4000.0, 2)]


def test_a_caller_that_was_pushed_off_its_cpu_does_not_sleep_more_often() -> None:
    calm, busy = reading(100.0, sleeps=3.0), reading(100.0, sleeps=7.5)
    assert sync_sleeps(measured(busy, calm)) == 3.0


def test_sleeps_are_those_of_small_syncs() -> None:
    small, large = reading(100.0, sleeps=3.0), reading(100.0, size=160_000, sleeps=1.0)
    assert sync_sleeps(measured(small, large)) == 3.0
