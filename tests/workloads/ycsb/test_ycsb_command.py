"""The command `waltax ycsb` against a driver that pretends, and against the real one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fake_driver import FakeDriver, Result, invoke
from waltax.workloads.ycsb.command import command

READY = {"event": "ready", "warnings": []}
CHECKED = {"event": "check", "ok": True, "counted": {"usertable": 1000}, "violations": []}
READ: dict[str, Any] = {
    **{"count": 60, "errors": 0, "mean_us": 50.5, "min_us": 3.4, "max_us": 900.6},
    **{"p50_us": 40.2, "p95_us": 80.0, "p99_us": 99.9},
}
SLICE: dict[str, Any] = {
    **{"event": "slice", "requests": 60, "measure_s": 0.5, "errors": 0, "error_samples": []},
    "operations": {"UPDATE": {**READ, "count": 0, "errors": 2}, "READ": READ},
}
WORDS = ("-p", "recordcount=1000", "-p", "operationcount=60")


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeDriver:
    folder = tmp_path / "build"
    folder.mkdir()
    monkeypatch.setenv("WALTAX_BUILD_DIR", str(folder))
    return FakeDriver(folder, "mix")


def _ycsb(phase: str, place: Path, *words: str) -> Result:
    return invoke(command, phase, "--db", str(place / "db"), *words)


def test_a_run_is_reported_by_the_originals_throughput_and_our_latencies(
    tmp_path: Path, fake: FakeDriver
) -> None:
    fake.answer("run", READY, SLICE, CHECKED)
    done = _ycsb("run", tmp_path, *WORDS, "-threads", "7", "-target", "500")
    assert (done.exit_code, done.error) == (0, "")
    assert done.out == [
        "[OVERALL], RunTime(ms), 500",
        "[OVERALL], Throughput(ops/sec), 120.0",
        "READ: 60, us: mean 50.5, p50 40.2, p95 80.0, p99 99.9, max 900.6",
    ]
    words, asked, checked, ended = fake.heard()
    assert {"--threads=7", "--rate=500.0", "--durability=flush"} <= set(words)
    assert any(word.startswith("--file=/proc/") for word in words)
    assert (asked["requests"], asked["one_more"], asked["progress_s"]) == (8, 4, 10.0)
    assert (checked, ended) == ({"cmd": "check"}, {"cmd": "quit"})


def test_failed_operations_end_with_1(tmp_path: Path, fake: FakeDriver) -> None:
    """Defects Y5 and Y6: the original counts them, and ends with 0."""
    failed = {**SLICE, "requests": 0, "errors": 2, "error_samples": ["READ of user1: none"]}
    fake.answer("run", READY, failed, CHECKED)
    done = _ycsb("run", tmp_path, *WORDS)
    assert done.exit_code == 1
    assert done.error == "2 requests failed: READ of user1: none"
    assert done.out[1] == "[OVERALL], Throughput(ops/sec), 0.0"


def test_a_violation_ends_with_1(tmp_path: Path, fake: FakeDriver) -> None:
    bad = {**CHECKED, "ok": False, "violations": ["usertable: row 1 is missing"]}
    fake.answer("run", READY, SLICE, bad)
    done = _ycsb("run", tmp_path, *WORDS)
    assert (done.exit_code, done.error) == (
        1,
        "the data is not consistent: 1 violations: usertable: row 1 is missing",
    )


@pytest.mark.parametrize("phase", ["load", "run"])
def test_what_cannot_be_is_refused_before_anything_is_written(phase: str, tmp_path: Path) -> None:
    for words in (("-p", "recordcount=0"), (*WORDS, "-p", "readproportion=0.9")):
        assert _ycsb(phase, tmp_path, *words).exit_code == 2, words
    assert _ycsb(phase, tmp_path, "mongodb", *WORDS).exit_code == 2
    assert not list(tmp_path.iterdir())


def test_records_are_loaded_run_and_checked(tmp_path: Path) -> None:
    words = ("rocksdb", "-p", "recordcount=2000", "-p", "dataintegrity=true")
    done = _ycsb("load", tmp_path, *words)
    assert (done.exit_code, done.error) == (0, "")
    assert done.out[1].startswith("[OVERALL], Throughput(ops/sec), ")
    shares = ("readproportion=0", "updateproportion=0", "scanproportion=.9")
    told = (*shares, "readmodifywriteproportion=.1", "operationcount=500")
    mix = [word for one in told for word in ("-p", one)]
    done = _ycsb("run", tmp_path, *words, *mix, "-threads", "2", "-s")
    assert (done.exit_code, done.error) == (0, "")
    counts = {line.partition(":")[0]: int(line.split()[1][:-1]) for line in done.out[2:]}
    assert counts.keys() == {"SCAN", "READ-MODIFY-WRITE"}
    assert sum(counts.values()) == 500
    assert _ycsb("check", tmp_path, *words).exit_code == 0
    done = _ycsb("run", tmp_path, "-p", "recordcount=1999", *WORDS[2:])
    assert done.exit_code == 2
    assert done.error.startswith("recordcount: found another, or fields or keys of another kind")
