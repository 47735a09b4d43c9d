"""The simulation where its answer is known: one client, no log, one core, a slow log."""

from __future__ import annotations

from dataclasses import replace

import pytest
from waltax.analysis.sweep.simulation import Given, Sync, overhead, simulate, without_log

BUSY = Given(clients=8, cores=2, cpu_us=20.0, commits=0.3, group_us=4.0, commit_us=2.0, wake_us=5.0)
CHANCE = 0.03  # of what a simulation draws


@pytest.mark.parametrize("eager", [False, True])
@pytest.mark.parametrize("sync_us", [10.0, 50.0, 5000.0])
def test_one_client_waits_for_the_sync_and_for_nobody(sync_us: float, eager: bool) -> None:
    alone = Given(clients=1, cores=2, cpu_us=50.0, commits=1.0, eager=eager)
    found = overhead(alone, Sync.constant(sync_us))
    assert found == pytest.approx(sync_us / (sync_us + 50), rel=CHANCE)
    assert simulate(alone, Sync.constant(sync_us)).group == 1


@pytest.mark.parametrize("clients", [1, 2, 8])
def test_a_log_that_takes_nothing_costs_nothing(clients: int) -> None:
    free = Given(clients, 2, cpu_us=50.0, commits=0.5)
    assert overhead(free, Sync.constant(0.0)) == pytest.approx(0, abs=CHANCE)


def test_on_one_busy_core_only_the_cpu_time_of_the_log_counts() -> None:
    one = Given(clients=16, cores=1, cpu_us=50.0, commits=1.0, commit_us=25.0)
    assert overhead(one, Sync.constant(60.0)) == pytest.approx(1 - 50 / 75, abs=CHANCE)


@pytest.mark.parametrize("eager", [False, True])
def test_a_slow_log_serves_its_groups_one_after_the_other(eager: bool) -> None:
    found = simulate(replace(BUSY, eager=eager), Sync.constant(20_000.0))
    assert found.requests_per_s == pytest.approx(1e6 * found.group / 20_000 / 0.3, rel=CHANCE)
    assert 4 <= found.group <= 5  # of eight clients half, and the leader who is back first
    assert found.log_busy > 0.97
    assert found.cores_busy < 0.05


def test_clients_that_wait_for_each_others_locks_are_not_in_the_group() -> None:
    two_at_once = replace(BUSY, lanes=2)
    assert simulate(two_at_once, Sync.constant(5000.0)).group <= 2
    assert overhead(two_at_once, Sync.constant(5000.0)) > overhead(BUSY, Sync.constant(5000.0))


@pytest.mark.parametrize("eager", [False, True])
def test_the_overhead_rises_with_the_time_of_a_sync(eager: bool) -> None:
    given = replace(BUSY, eager=eager)
    found = [overhead(given, Sync.constant(us)) for us in (1.0, 10.0, 50.0, 250.0, 1000.0, 5000.0)]
    assert found == sorted(found)
    assert 0 < found[0] < found[-1] < 1


def test_a_spun_sync_costs_more_where_cores_are_short() -> None:
    assert overhead(BUSY, Sync.constant(60.0, 60.0)) > overhead(BUSY, Sync.constant(60.0)) + 0.03


def test_halts_and_wake_ups_cost() -> None:
    few = replace(BUSY, clients=4)
    sync = Sync.constant(100.0)
    assert overhead(replace(few, halt_us=60.0), sync) > overhead(few, sync) + 0.03
    assert overhead(replace(few, wake_us=50.0), sync) > overhead(few, sync) + 0.01


def test_slow_tails_count_with_their_mean() -> None:
    one = Given(clients=1, cores=1, cpu_us=50.0, commits=1.0)
    tail = Sync(((0.0, 0.0), (99.0, 0.0), (99.001, 10_000.0), (100.0, 10_000.0)))
    assert overhead(one, tail) == pytest.approx(overhead(one, Sync.constant(100.0)), abs=0.15)


def test_more_cores_serve_more() -> None:
    wide = replace(BUSY, clients=64, cores=16)
    assert without_log(wide) == pytest.approx(8 * without_log(BUSY))
    found = simulate(wide, Sync.constant(30.0))
    assert found.requests_per_s > simulate(BUSY, Sync.constant(30.0)).requests_per_s


def test_the_same_arguments_give_the_same_run() -> None:
    first = simulate(BUSY, Sync.constant(77.0))
    simulate.cache_clear()
    assert simulate(BUSY, Sync.constant(77.0)) == first


# LinkBench on embedded RocksDB, two quiet cores: requests/s of off, and overheads in percent by
# clients, each known to 10 to 18 points. A halt cost 90 to 100 us of CPU there, a wake-up 25 us.
QUIET_OFF = {2: 119_000, 4: 104_000, 8: 78_000, 16: 76_000}
QUIET = {
    12.2: (48, 48, 33, 33),
    28.5: (45, 55, 45, 33),
    108.0: (81, 74, 50, 44),
    500.0: (94, 87, 71, 54),
    1104.0: (97, 94, 85, 72),
}


@pytest.mark.nightly
def test_it_is_near_what_was_measured_on_a_quiet_machine() -> None:
    errors = []
    for number, (clients, rate) in enumerate(QUIET_OFF.items()):
        given = Given(
            clients, 2, 2e6 / rate, 0.29, 4.0, 3.0, wake_us=25.0, halt_us=90.0, eager=True
        )
        for sync_us, measured in QUIET.items():
            left = 1 - overhead(given, Sync.constant(sync_us, 76.0))
            errors.append(abs(left / (1 - measured[number] / 100) - 1))
    assert sum(errors) / len(errors) < 0.13
