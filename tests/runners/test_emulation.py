from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest
from waltax import devices
from waltax.runners import emulation

SYNCS = 1000
LONG_S = 60.0


def _warned(spin_us: float, margin_us: float, cpu_s: float = LONG_S) -> bool:
    """Whether it is, of so many us a sync."""
    model = devices.load("nvram").model
    assert model is not None
    seen: Any = SimpleNamespace(
        syncs=SYNCS,
        spin_ns=spin_us * 1e3 * SYNCS,
        burn_ns=0,
        write_bytes=0,
        spin_margin_ns=margin_us * 1e3,
    )
    return bool(emulation.spun(model.tap_model(), seen, cpu_s))


def test_waits_that_are_spun_are_told() -> None:
    assert _warned(spin_us=30, margin_us=60)
    assert not _warned(spin_us=1, margin_us=60)


@pytest.mark.parametrize("limit", [{"margin_us": 1.0}, {"margin_us": 60.0, "cpu_s": SYNCS * 1e-6}])
def test_a_thread_that_waited_for_a_cpu_did_not_use_it(limit: dict[str, float]) -> None:
    assert not _warned(spin_us=5000, **limit)


def test_without_syncs_there_is_nothing_to_tell() -> None:
    model: Any = SimpleNamespace(cpu_caller_us=1.0)
    assert emulation.spun(model, SimpleNamespace(syncs=0), LONG_S) == []  # type: ignore[arg-type]


def _failures(
    took_us: float, *, wanted_us: float = 100.0, machine: dict[str, float] | None = None
) -> list[str]:
    """Of so many syncs that all took as long."""
    seen: Any = SimpleNamespace(
        syncs=SYNCS,
        wanted_ns=wanted_us * 1e3 * SYNCS,
        achieved_ns=took_us * 1e3 * SYNCS,
        sync_wanted=_histogram(wanted_us),
        sync_achieved=_histogram(took_us),
    )
    return emulation.contradictions(seen, machine or {"sched_wait_s": 0.0, "steal_s": 0.0})


def _histogram(us: float) -> list[int]:
    octave = int(math.log2(us * 1e3))
    buckets = [0] * (31 * 64)
    buckets[(octave - 6) * 64 + int((us * 1e3 / 2**octave - 1) * 64)] = SYNCS
    return buckets


def test_syncs_that_are_as_long_as_modelled_are_accepted() -> None:
    assert _failures(100.0) == _failures(97.0) == _failures(109.0) == []


def test_syncs_that_end_early_fail_the_cell_however_busy_it_was() -> None:
    said = _failures(90.0, machine={"sched_wait_s": LONG_S, "steal_s": LONG_S})
    assert said[0].startswith("emulated syncs were too short: their mean is 0.900 of the model's")


def test_late_syncs_fail_the_cell_unless_threads_waited_for_a_cpu() -> None:
    over_s = (150 - 110) * 1e-6 * SYNCS
    assert "too long: their mean is 1.500" in _failures(150.0)[0]
    for column in ("sched_wait_s", "steal_s"):
        machine = {"sched_wait_s": 0.0, "steal_s": 0.0} | {column: 1.01 * over_s}
        assert _failures(150.0, machine=machine) == []
    assert _failures(150.0, machine={"steal_s": 0.0}) == []
