from __future__ import annotations

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
