"""The simulation beside measured rows: what it misses, and how far it was off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from swept import COMMITS, spoiled, sweep, with_clients
from waltax.analysis.sweep import curves, thread_sweeps
from waltax.analysis.sweep.modelled import Modelled, modelled, models
from waltax.analysis.sweep.simulation import Given, Sync, overhead, simulate
from waltax.row import Row

GOLDEN = Path(__file__).parents[2] / "golden"
TRUE = Given(4, 2, 50.0, COMMITS, group_us=3.0, wake_us=25.0, eager=True)


def of_curve(rows: list[Row]) -> Modelled:
    (curve,) = curves(rows)
    return modelled(curve.panel, [point.estimate for point in curve.points])


def in_groups(rows: list[Row], size: float = 2.3) -> list[Row]:
    """As many commits share a sync as four clients have where they wait for the log alone."""
    for one in rows:
        commits = one["rocksdb_write_self"] + one["rocksdb_write_other"]
        one["rocksdb_write_self"] = int(commits / size)
        one["rocksdb_write_other"] = commits - one["rocksdb_write_self"]
    return rows


def as_expected(us: float) -> float:
    return overhead(TRUE, Sync.constant(us))


@pytest.mark.nightly
def test_a_log_that_behaves_as_simulated_has_no_failures() -> None:
    model = of_curve(in_groups(sweep(as_expected, 0.01)))
    assert model.failures == []
    assert model.tested is not None
    assert model.tested.mean < 0.08
    assert model.tested.cells == 8  # of ten, less the fastest and the slowest
    assert model.overhead_at(350.0) == pytest.approx(as_expected(350.0), abs=0.03)


def test_where_the_simulation_is_wrong_a_sentence_says_how() -> None:
    rows = spoiled(in_groups(sweep(as_expected, 0.01)), {"sync-65us": 0.6})
    (said,) = of_curve(rows).failures
    assert said.startswith("sync-65us, sync 6")
    assert "too much throughput" in said
    assert "groups of" in said
    assert "cores busy" in said


@pytest.mark.nightly
def test_the_throughput_of_a_cell_with_a_log_is_no_food() -> None:
    """Else the tested error would be a fit's."""
    honest, spoilt = (
        of_curve(rows)
        for rows in (
            sweep(as_expected, 0.01),
            spoiled(sweep(as_expected, 0.01), {f"sync-{us}us": 0.5 for us in (1, 65, 5000)}),
        )
    )
    assert honest.given == spoilt.given


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
    assert found.tested is None  # two devices feed it, and no third is there to test it


def test_one_number_of_clients_is_no_sweep() -> None:
    assert thread_sweeps(sweep()) == []


def golden(kind: str) -> list[Row]:
    text = (GOLDEN / kind / "rows.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.nightly
def test_measured_rows_are_simulated_the_same_every_time() -> None:
    first = of_curve(golden("latency"))
    simulate.cache_clear()
    assert of_curve(golden("latency")) == first


def test_recorded_cells_that_did_not_feed_it_are_met_but_for_their_noise() -> None:
    """Of slices of 0.4 s on a busy machine, which are themselves known to tens of points."""
    found = of_curve(golden("latency")).tested
    assert found is not None
    assert found.cells == 9
    assert found.mean < 0.2


def test_the_models_of_an_engine_and_a_workload_are_told_apart() -> None:
    rows = golden("devices")
    found = [models(rows, "rocksdb", workload) for workload in ("linkbench", "tpcc")]
    assert [len(each) for each in found] == [1, 1]
    assert found[0][0].given != found[1][0].given
    assert models(rows, "myrocks", "linkbench") == []
