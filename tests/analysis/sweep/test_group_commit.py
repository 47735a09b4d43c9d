from __future__ import annotations

from dataclasses import replace

import pytest
from swept import COMMITS, OFF, slice_of, spoiled, sweep, with_clients
from waltax.analysis.results.work import work_of
from waltax.analysis.sweep import curves, thread_sweeps
from waltax.analysis.sweep.group_commit import Parameters, expect, overhead, parameters
from waltax.analysis.sweep.modelled import Modelled, modelled
from waltax.row import Row

BUSY = Parameters(clients=4, cores=2, cpu_us=50.0, commits=1.0, group_us=4.0, commit_us=2.0)


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
    given = Parameters(clients, cores, cpu_us=50.0, commits=1.0)
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
    """fillrandom with syncs of 142 us on two cores, a row of docs/method.md."""
    measured = {1: 6646, 4: 12924, 8: 19303, 16: 30122}
    for clients, rate in measured.items():
        given = Parameters(clients, 2, cpu_us=2.9, commits=1.0, group_us=16.0, commit_us=12.2)
        assert expect(given, 142.0).requests_per_s == pytest.approx(rate, rel=0.2)


def test_parameters_come_from_off_and_the_fastest_device() -> None:
    rows = [slice_of("off", 0, OFF, 0, 0), slice_of("sync-1us", 1, OFF / 2, 0, 0)]
    rows[1]["cpu_engine_s"] = rows[1]["slice_requests"] * 3e-5
    off, fastest = (work_of([one]) for one in rows)
    found = parameters(off, fastest)
    assert isinstance(found, Parameters)
    assert found.cpu_us == pytest.approx(50, rel=1e-3)  # two cores over 40,000 requests/s
    assert found.commits == pytest.approx(COMMITS, rel=1e-3)
    assert found.group_us == 3
    # 10 us a request more CPU than off, less the write calls of its syncs, per commit.
    write_us = 3 * 1000 / rows[1]["slice_requests"]
    assert found.commit_us == pytest.approx((10 - write_us) / COMMITS, rel=1e-3)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"paced": True}, "pause"),
        ({"rocksdb_write_self": None}, "count"),
        ({"cores": None}, "cores"),
    ],
)
def test_there_is_no_model_of_what_the_rows_do_not_tell(change: Row, why: str) -> None:
    rows = [slice_of("off", 0, OFF, 0, 0) | change, slice_of("sync-1us", 1, OFF, 0, 0) | change]
    off, fastest = (work_of([one]) for one in rows)
    assert why in str(parameters(off, fastest))


def of_curve(rows: list[Row]) -> Modelled:
    (curve,) = curves(rows)
    return modelled(curve.panel, [point.estimate for point in curve.points])


def as_expected(us: float) -> float:
    return overhead(Parameters(4, 2, 50.0, COMMITS, 3.0), us)


def test_a_log_that_behaves_as_the_model_says_has_no_failures() -> None:
    model = of_curve(sweep(as_expected, 0.01))
    assert model.failures == []
    assert model.overhead_at(350.0) == pytest.approx(as_expected(350.0), abs=0.02)


def test_where_the_model_is_wrong_a_sentence_says_how() -> None:
    rows = spoiled(sweep(as_expected, 0.01), {"sync-65us": 0.6})
    (said,) = of_curve(rows).failures
    assert said.startswith("sync-65us, sync 6")
    assert "too much throughput" in said
    assert "groups of" in said


def test_a_sweep_over_clients_tells_each_devices_change_and_the_models() -> None:
    few = sweep(lambda us: us / 40, 0.01, grid=(), others={"nvme": 30.0, "nvram": 10.0})
    many = sweep(lambda us: us / 100, 0.01, grid=(), others={"nvme": 30.0, "nvram": 10.0})
    (found,) = thread_sweeps(with_clients(few, 1) + with_clients(many, 16))
    assert list(found.devices) == ["nvram", "nvme"]
    assert [point.threads for point in found.devices["nvme"]] == [1, 16]
    assert found.sentences[1].startswith("nvme: the log costs 7")
    assert "with 1 client and 2" in found.sentences[1]
    assert ", less; 1.5 and 1.5 commits share a sync" in found.sentences[1]
    assert any(one.startswith("1 client: nvme, sync 30") for one in found.failures)


def test_one_number_of_clients_is_no_sweep() -> None:
    assert thread_sweeps(sweep()) == []
