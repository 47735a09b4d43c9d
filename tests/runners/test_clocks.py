from __future__ import annotations

import pytest
from waltax.row import Row
from waltax.runners.clocks import always_slow


def _rows(*elapsed_s: float) -> list[Row]:
    """Slices of 0.1 + 0.2 s, that took as long by our clock."""
    return [{"warmup_s": 0.1, "measure_s": 0.2, "machine_elapsed_s": one} for one in elapsed_s]


def test_a_driver_whose_clock_runs_at_half_speed_is_found() -> None:
    why = always_slow(_rows(0.61, 0.7, 0.63, 0.9, 0.62))
    assert why is not None
    assert why.startswith("in no slice did as much time pass for the driver as for waltax: 0.3 s")


@pytest.mark.parametrize("elapsed_s", [(0.31,) * 9, (0.9, 1.4, 0.7, 0.8, 0.4, 2.0), (0.9,) * 4])
def test_a_busy_machine_delays_slices_but_not_all(elapsed_s: tuple[float, ...]) -> None:
    assert always_slow(_rows(*elapsed_s)) is None


def test_whole_runs_and_commands_have_a_time_of_their_own() -> None:
    runs = [{"warmup_s": 0.0, "measure_s": 1.0, "machine_elapsed_s": 9.0}] * 9
    assert always_slow(runs) is None
