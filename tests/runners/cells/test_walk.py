from __future__ import annotations

from waltax.runners.cells import machine


def test_a_step_takes_what_memory_takes_and_no_compiler_left_it_out() -> None:
    steps = [machine.step_ns() for _ in range(5)]
    assert min(steps) > 0.5  # one cycle of a CPU is shorter, no cache answers within
