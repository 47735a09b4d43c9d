from __future__ import annotations

from dataclasses import replace

import pytest

from bench.sound.group_commit import Given, expect, overhead

BUSY = Given(clients=4, cores=2, cpu_us=50.0, commits=1.0, group_us=4.0, commit_us=2.0)


@pytest.mark.parametrize("sync_us", [0.0, 30.0, 3000.0])
def test_one_client_waits_for_nobody(sync_us: float) -> None:
    found = expect(replace(BUSY, clients=1), sync_us)
    assert found.group == 1
    assert found.requests_per_s == pytest.approx(1e6 / (50 + sync_us + 4 + 2))


@pytest.mark.parametrize("clients", [2, 4, 8, 32, 300])
def test_a_slow_log_serves_half_of_the_clients_and_one_more_at_a_time(clients: int) -> None:
    found = expect(replace(BUSY, clients=clients), 1e7)
    group = (clients + 1) / 2
    assert found.group == pytest.approx(group, rel=0.001)
    assert found.requests_per_s == pytest.approx(1e6 * group / (1e7 + 4 + 2 * group), rel=0.001)
    assert found.log_busy == pytest.approx(1, abs=0.001)


@pytest.mark.parametrize(("clients", "cores"), [(1, 2), (2, 2), (4, 2), (32, 2), (4, 64)])
def test_without_a_log_the_cores_are_the_limit(clients: int, cores: int) -> None:
    given = Given(clients, cores, cpu_us=50.0, commits=1.0)
    assert expect(given, 0.0).requests_per_s == pytest.approx(1e6 * min(clients, cores) / 50)
    assert overhead(given, 0.0) == pytest.approx(0, abs=1e-9)


def test_few_commits_hide_a_fast_sync_and_not_a_slow_one() -> None:
    rare = replace(BUSY, commits=0.01, clients=8)
    assert overhead(rare, 100.0) < 0.01
    assert expect(rare, 1e6).requests_per_s == pytest.approx(
        100 * 4.5 / (1 + 4e-6 + 9e-6), rel=0.02
    )


def test_a_sync_that_keeps_its_core_costs_more_where_cores_are_short() -> None:
    assert overhead(BUSY, 30.0, 30.0) > overhead(BUSY, 30.0) + 0.05
    plenty = replace(BUSY, cores=64)
    assert overhead(plenty, 30.0, 30.0) == pytest.approx(overhead(plenty, 30.0))


def test_the_overhead_rises_with_the_latency_and_never_leaves_its_range() -> None:
    found = [overhead(BUSY, us) for us in (0, 1, 5, 12, 28, 65, 150, 350, 800, 2000, 5000)]
    assert found == sorted(found)
    assert found[0] > 0
    assert found[-1] < 1


def test_the_model_is_near_what_db_bench_did_on_a_disk() -> None:
    """fillrandom with syncs of 142 us on two cores, as it was measured."""
    measured = {1: 6646, 4: 12924, 8: 19303, 16: 30122}
    for clients, rate in measured.items():
        given = Given(clients, 2, cpu_us=2.9, commits=1.0, group_us=16.0, commit_us=12.2)
        assert expect(given, 142.0).requests_per_s == pytest.approx(rate, rel=0.2)
