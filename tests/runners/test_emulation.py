from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest
from waltax import devices
from waltax.runners import emulation

SYNCS = 1000
LONG_S = 60.0


def _warned(spin_us: float, margin_us: float, cpu_s: float = LONG_S, slept_us: float = 0) -> bool:
    """Whether it is, of so many us a sync."""
    model = devices.load("nvram").model
    assert model is not None
    seen: Any = SimpleNamespace(
        syncs=SYNCS,
        spin_ns=spin_us * 1e3 * SYNCS,
        burn_ns=0,
        sleep_cpu_ns=slept_us * 1e3 * SYNCS,
        write_bytes=0,
        spin_margin_ns=margin_us * 1e3,
    )
    return bool(emulation.spun(model.tap_model(), seen, cpu_s))


def test_waits_that_are_spun_are_told() -> None:
    assert _warned(spin_us=30, margin_us=60)
    assert not _warned(spin_us=1, margin_us=60)


def test_cpu_time_of_sleeps_is_of_their_syncs() -> None:
    assert _warned(spin_us=1, margin_us=60, slept_us=30)


@pytest.mark.parametrize("limit", [{"margin_us": 1.0}, {"margin_us": 60.0, "cpu_s": SYNCS * 1e-6}])
def test_a_thread_that_waited_for_a_cpu_did_not_use_it(limit: dict[str, float]) -> None:
    assert not _warned(spin_us=5000, **limit)


def test_without_syncs_there_is_nothing_to_tell() -> None:
    model: Any = SimpleNamespace(cpu_caller_us=1.0)
    assert emulation.spun(model, SimpleNamespace(syncs=0), LONG_S) == []  # type: ignore[arg-type]


def _too_short(took_us: float, wanted_us: float = 100.0) -> list[str]:
    """Of so many syncs that all took as long."""
    seen: Any = SimpleNamespace(
        syncs=SYNCS,
        wanted_ns=wanted_us * 1e3 * SYNCS,
        achieved_ns=took_us * 1e3 * SYNCS,
        sync_wanted=_histogram(wanted_us),
        sync_achieved=_histogram(took_us),
    )
    return emulation.too_short(seen)


def _too_long(took_us: float, **columns: object) -> bool:
    """Of a row in which as many syncs of 100 us all took as long."""
    return emulation.too_long(*_slices(took_us, 1, **columns))


def _histogram(us: float) -> list[int]:
    octave = int(math.log2(us * 1e3))
    buckets = [0] * (31 * 64)
    buckets[(octave - 6) * 64 + int((us * 1e3 / 2**octave - 1) * 64)] = SYNCS
    return buckets


def test_syncs_that_are_as_long_as_modelled_are_accepted() -> None:
    for took_us in (97.0, 100.0, 109.0):
        assert _too_short(took_us) == []
        assert not _too_long(took_us)


def test_syncs_that_end_early_contradict_the_label() -> None:
    said = _too_short(90.0)
    assert said[0].startswith("emulated syncs were too short: their mean is 0.900 of the model's")


def test_late_syncs_are_the_tap_s_unless_threads_waited_for_a_cpu() -> None:
    over_s = (150 - 110) * 1e-6 * SYNCS
    assert _too_long(150.0)
    for column in ("sched_wait_s", "steal_s"):
        assert not _too_long(150.0, **{column: 1.01 * over_s})
    assert not _too_long(150.0, sched_wait_s=None)


def _slices(took_us: float, count: int = 9, **columns: object) -> list[dict[str, Any]]:
    """Slices in which syncs of 100 us all took as long, none of them waiting for a CPU."""
    row = {
        "tap_syncs": SYNCS,
        "tap_wanted_ns": 100e3 * SYNCS,
        "tap_achieved_ns": took_us * 1e3 * SYNCS,
        "tap_wanted_sync_us_p50": 100.0,
        "tap_sync_us_p50": took_us,
        "sched_wait_s": 0.0,
        "steal_s": 0.0,
    }
    return [{**row, **columns} for _ in range(count)]


def test_a_device_that_is_late_in_most_slices_fails_its_cell_with_its_figures() -> None:
    said = emulation.always_late(_slices(150.0, 5) + _slices(100.0, 4))
    assert said is not None
    assert "wanted were 100 us in the mean, they took 128" in said
    assert emulation.always_late(_slices(150.0, 4) + _slices(100.0, 5)) is None
    assert emulation.always_late(_slices(150.0, 7)) is None


@pytest.mark.parametrize("column", ["sched_wait_s", "steal_s"])
def test_who_waited_for_a_cpu_would_have_waited_on_the_device(column: str) -> None:
    excuse: dict[str, Any] = {column: 41e-6 * SYNCS}
    assert emulation.always_late(_slices(150.0, **excuse)) is None
