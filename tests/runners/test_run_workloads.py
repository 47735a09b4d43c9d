"""Campaigns of two workloads, and of TPC-C alone, on the real drivers."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_cells import FakeCell, FakeCells
from waltax.driver.client import DriverFailed
from waltax.evidence import judgement
from waltax.runners.cells.live import Position
from waltax.workloads import DEFAULT

Tiny = Callable[..., Path]


def test_both_workloads_are_measured_unless_one_is_named(waltax: Any, tiny: Tiny) -> None:
    done = waltax.run("--profile", tiny(), "--plan")
    assert "workload: linkbench, 2 threads: " in done.stdout
    assert "tpcc" not in done.stdout
    done = waltax.of().run("--profile", tiny(), "--plan")
    for name in DEFAULT:
        assert f"workload: {name}, 2 threads: " in done.stdout
        assert f"rocksdb-{name}-tiny-off-off-t2" in done.stdout


@pytest.mark.usefixtures("at_once")
def test_two_workloads_take_turns_in_the_same_rounds(waltax: Any, tiny: Tiny) -> None:
    both = waltax.of(*DEFAULT)
    # Of drawn seeds a few give all rounds one order.
    profile = tiny(min_sessions=2, time_budget_s=9.0)
    done = both.run("--profile", profile, "--device", "nvme ssd", "--seed", 7)
    assert done.returncode == 0, done.stdout + done.stderr
    rounds: dict[tuple[int, int], list[str]] = {}
    for row in both.rows():
        if row["session"] < 2:  # later, one may have spent its budget before the other
            rounds.setdefault((row["session"], row["round"]), []).append(row["cell"])
    assert len(rounds) == 4
    assert all(len(set(cells)) == len(cells) == 6 for cells in rounds.values())
    for cells in rounds.values():  # the one, and then the other
        assert all("linkbench" in cell for cell in cells[:3])
        assert all("tpcc" in cell for cell in cells[3:])
    assert len({tuple(cells) for cells in rounds.values()}) > 1
    for name, unit in (("LinkBench", "requests/s"), ("TPC-C derived, unpaced,", "tpmC")):
        assert f"{name} on RocksDB, profile tiny, 2 threads: against off" in done.stdout
        assert unit in done.stdout
    checks = (both.folder() / "checks.jsonl").read_text().splitlines()
    assert {json.loads(line)["cell"] for line in checks} == {row["cell"] for row in both.rows()}


def test_a_row_of_tpcc_says_what_was_run_and_how_its_data_grew(waltax: Any, tiny: Tiny) -> None:
    tpcc = waltax.of("tpcc")
    campaign = tpcc.run("--profile", tiny(measure_s=0.5), "--device", "nvram")
    assert campaign.returncode == 0, campaign.stdout + campaign.stderr
    for row in judgement.read(tpcc.folder() / "rows.jsonl"):
        assert row["throughput_unit"] == "tpmC"
        assert row["isolation"] == "serializable"
        assert row["paced"] is False
        assert row["data_bytes_loaded"] > 10_000_000
        done = row["new_orders_committed"] + row["new_orders_rolled_back"]
        # On a machine that stalls a slice may have none, and then not the column.
        orders = row.get("op_NEW_ORDER_count", 0)
        assert done >= orders
        assert row["throughput"] == pytest.approx(60 * orders / row["measure_s"])
    cells = json.loads((tpcc.folder() / "summary.json").read_text())["cells"]
    assert all(cell["data_growth"] is not None for cell in cells)


def test_a_workload_whose_baseline_died_ends_and_the_other_goes_on(
    waltax: Any, tiny: Tiny, at_once: FakeCells
) -> None:
    both = waltax.of(*DEFAULT)

    def at_slice(cell: FakeCell, at: Position) -> None:
        if (cell.cell.workload, cell.cell.is_baseline, at.round) == ("tpcc", True, 1):
            raise DriverFailed("killed by SIGKILL")

    at_once.at_slice = at_slice
    done = both.run("--profile", tiny(min_sessions=2, time_budget_s=2.0))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAILED rocksdb-tpcc-tiny-off-off-t2: killed by SIGKILL" in done.stdout
    assert "TPC-C derived, unpaced, on RocksDB, profile tiny, 2 threads: FAILED on off" in (
        done.stdout
    )
    assert "LinkBench on RocksDB, profile tiny, 2 threads: against off, " in done.stdout
    later = [row for row in both.rows() if row["session"] > 0]
    assert later
    assert {(row["workload"], row["status"]) for row in later} == {("linkbench", "ok")}
    assert [cell.cell.id for cell in at_once.killed] == ["rocksdb-tpcc-tiny-off-off-t2"]


@pytest.mark.usefixtures("at_once")
def test_an_interrupted_campaign_of_two_workloads_resumes_with_both_and_no_others(
    waltax: Any, tiny: Tiny, at_row: Any
) -> None:
    both = waltax.of(*DEFAULT)
    at_row(3, lambda: os.kill(os.getpid(), signal.SIGINT))
    assert both.run("--profile", tiny(min_sessions=2)).returncode == 130
    before = both.rows()
    assert len(before) == 3
    refused = both.run("--resume", both.folder(), "--workload", "tpcc")
    assert refused.returncode == 2
    assert "--resume: found --workload, which would change the campaign" in refused.stderr
    done = both.run("--resume", both.folder())
    assert done.returncode == 0, done.stdout + done.stderr
    rows = both.rows()
    assert rows[: len(before)] == before
    places = Counter((row["session"], row["round"], row["cell"]) for row in rows)
    assert max(places.values()) == 1
    assert {row["workload"] for row in rows if row["session"] > 0} == set(DEFAULT)


def test_a_profile_of_one_workload_measures_that(waltax: Any, tiny: Tiny) -> None:
    profile = tiny()
    profile.write_text(profile.read_text().partition("[tpcc]")[0])
    done = waltax.of().run("--profile", profile, "--plan")
    assert (done.returncode, "tpcc" in done.stdout) == (0, False)
    done = waltax.of("tpcc").run("--profile", profile, "--plan")
    assert done.returncode == 2
    assert "--workload: found tpcc, which profile tiny of rocksdb does not size" in done.stderr
    assert "add [tpcc]" in done.stderr
