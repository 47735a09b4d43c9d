"""Cores as Linux schedules them: who is woken looks for an idle core only while that pays."""

from __future__ import annotations

from random import Random

import pytest
from waltax.analysis.sweep.simulation.machine import Machine, Patience, Thread

LONG_US = 1e6


def ran_at(machine: Machine, thread: Thread) -> float:
    """When a thread that is woken now gets a core, while another keeps its last one."""
    found: list[float] = []
    machine.wake(thread, lambda _: found.append(machine.now))
    while not found:
        machine.step()
    return found[0]


def one_of_two_cores_is_kept(wake_us: float = 5.0) -> tuple[Machine, Thread]:
    machine = Machine(2, wake_us, 0.0)
    keeper, _, other = machine.threads(3)
    machine.wake(keeper, lambda thread: machine.hold(thread, LONG_US, lambda _: None))
    machine.step()
    assert keeper.core is other.core
    return machine, other


def test_where_cores_were_busy_nobody_looks_for_another_until_a_tick() -> None:
    machine, other = one_of_two_cores_is_kept()
    assert ran_at(machine, other) == 4000.0 + 5.0


def test_where_cores_were_idle_the_other_core_is_found_at_once() -> None:
    machine, other = one_of_two_cores_is_kept()
    while machine.now < 100_000.0:
        machine.step()
    before = machine.now
    assert ran_at(machine, other) == before + 5.0
    assert other.core is machine.cores[1]


@pytest.mark.parametrize(("held_us", "pulled_us"), [(400.0, 4000.0 + 5.0), (700.0, 700.0)])
def test_a_core_that_becomes_idle_pulls_only_who_has_waited_long(
    held_us: float, pulled_us: float
) -> None:
    machine = Machine(2, 5.0, 0.0)
    keeper, short, queued = machine.threads(3)

    def keep(thread: Thread) -> None:
        machine.hold(thread, LONG_US, lambda _: None)

    def leave(thread: Thread) -> None:
        machine.hold(thread, held_us - machine.now, machine.block)

    machine.wake(keeper, keep)
    machine.wake(short, leave)
    machine.step()
    machine.step()
    assert ran_at(machine, queued) == pulled_us


def test_yields_that_others_make_slow_are_given_up() -> None:
    patience = Patience(Random(1))
    assert patience.tries()
    patience.learn(False)
    assert not patience.tries()
    samples = [patience.sampled() for _ in range(10_000)]
    assert 20 < sum(samples) < 60  # one in 256 still tries
