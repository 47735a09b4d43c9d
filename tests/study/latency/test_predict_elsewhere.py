"""`waltax predict --cores`: a machine that nobody has, fed by a recorded campaign."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
import sweeping
from sweeping import Said
from waltax.study.latency import predict

GOLDEN = Path(__file__).parents[2] / "golden"
CHANCE = 0.02  # of what a simulation draws


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Campaigns over latencies and over clients, the second the newer one."""
    for name, kind in (("20260101-latency", "latency"), ("20260102-threads", "threads")):
        (tmp_path / name).mkdir()
        for file in ("rows.jsonl", "campaign.json"):
            shutil.copy(GOLDEN / kind / file, tmp_path / name)
    return tmp_path


def _predict(results: Path, *words: str) -> Said:
    return sweeping.said(predict.command, f"--results={results}", *words)


def test_another_machine_is_simulated_with_the_tested_error_beside_it(results: Path) -> None:
    done = _predict(results, "--cores=16", "--threads=64", "--device=nvme")
    assert done.code == 0, done.text
    for expected in (
        "LinkBench on RocksDB, simulated: 64 clients on 16 cores, log on nvme",
        "commits share a sync",
        "20260102-threads, 2 clients on 2 cores: off, nvram and ssd",  # as many a core are nearer
        "on 1 cell that it was not fed by, its throughput is off by ",
        "known to be off by ",
        "with 1 to 32 clients",  # as make bench-model measured them
        "warning: the test was on 2 cores",
    ):
        assert expected in done.flowing, expected


def test_programs_get_fractions_and_the_same_every_time(results: Path) -> None:
    words = ("--cores=16", "--threads=64", "--device=nvme", "--json")
    found = json.loads(_predict(results, *words).text)
    assert (found["cores"], found["threads"]) == (16, 64)
    assert 0 < found["simulated_overhead"] < 1
    assert 0 < found["cpu_share"] <= 1
    assert found["commits_per_group"] > 1
    assert found["tested"]["cells"] == 1
    known = found["known"]
    assert 0 < known["mean"] < known["most"]
    assert known["origin"]["measured_at"]
    assert json.loads(_predict(results, *words).text) == found


def test_a_slower_device_costs_more_there_too(results: Path) -> None:
    words = ("--cores=8", "--threads=16", "--json")
    found = [
        json.loads(_predict(results, *words, f"--device={name}").text)
        for name in ("nvram", "nvme", "ssd", "hdd-7200")
    ]
    costs = [one["simulated_overhead"] for one in found]
    assert all(fast < slow + CHANCE for fast, slow in pairwise(costs))
    assert costs[0] < costs[2] < costs[3]


def test_a_campaign_can_be_named(results: Path) -> None:
    done = _predict(
        results, "--cores=2", "--device=nvme", f"--campaign={results / '20260101-latency'}"
    )
    assert "20260101-latency, 2 clients on 2 cores" in done.flowing
    assert "warning" not in done.text  # the campaign's own machine


def test_the_check_tells_the_tested_error_of_the_simulation(results: Path) -> None:
    done = _predict(results, "--check", f"--campaign={results / '20260101-latency'}")
    assert "simulation: on 12 cells that it was not fed by" in done.flowing


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--cores=0", "--device=nvme"), "0 is not in the range 1<=x<=1024"),
        (("--cores=4", "--threads=2000", "--device=nvme"), "2000 is not in the range"),
        (("--cores=4",), "--device: missing"),
        (("--cores=4", "--check"), "--check: found --cores beside it"),
        (("--cores=4", "--device=nvme", "--engine=innodb"), "InnoDB cannot be simulated"),
        (("--cores=4", "--device=nvme", "--workload=tpcc"), "measure one: waltax run --engine"),
    ],
)
def test_what_cannot_be_simulated_is_refused_with_what_to_type(
    results: Path, words: tuple[str, ...], expected: str
) -> None:
    done = _predict(results, *words)
    assert done.code == 2
    assert expected in done.text


def test_a_campaign_without_a_slow_device_cannot_feed_it(results: Path) -> None:
    path = results / "20260102-threads" / "rows.jsonl"
    kept = [line for line in path.read_text().splitlines() if json.loads(line)["device"] != "ssd"]
    path.write_text("".join(f"{line}\n" for line in kept))
    done = _predict(results, "--cores=4", "--device=nvme", f"--campaign={path.parent}")
    assert done.code == 2
    assert "one whose sync takes 10 times as long or more" in done.text
