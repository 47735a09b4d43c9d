"""Whether slow syncs come in measure."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from probing import facts, measured, reading
from waltax.devices.probe import measure, record
from waltax.devices.probe.jobs import IN_ORDER


def _times(run: int) -> list[float]:
    """Five thousand, of which 1 % are slow, so many at a time."""
    usual = [100.0 + number % 7 for number in range(5000)]
    for start in range(0, 5000, 100 * run):
        usual[start : start + run] = [900.0] * run
    return usual


def test_slow_syncs_that_follow_each_other_are_a_burst() -> None:
    assert measure.slow_run(_times(2)) == pytest.approx(2.0)


def test_what_chance_brings_together_is_none() -> None:
    drawn = random.Random(1)
    assert measure.slow_run([drawn.random() for _ in range(5000)]) is None
    assert measure.slow_run(_times(10)) is None  # of five bursts nobody knows the length
    assert measure.slow_run([]) is None


def test_each_sync_is_timed_and_nothing_is_left(tmp_path: Path) -> None:
    found = measure.times_us(tmp_path)
    assert 0 < len(found) <= IN_ORDER.writes
    assert min(found) > 0
    assert list(tmp_path.iterdir()) == []


def test_a_device_file_has_bursts_where_the_probe_saw_them() -> None:
    of = record.Target(facts(), "virtual")
    small, whole = reading(100.0), reading(900.0, size=1 << 20)
    seen = measured(small, replace(whole, job=replace(whole.job, kind="sequential")))
    for slow_run, wanted in ((None, (0.0, 0.0)), (2.5, (1.0, 2.5))):
        found = record._model(of, replace(seen, slow_run=slow_run)).tap_model()
        assert (found.slow_percent, found.slow_run) == wanted
