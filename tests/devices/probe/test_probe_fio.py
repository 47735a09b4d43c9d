from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import psutil
import pytest
from waltax.base.errors import WaltaxError
from waltax.devices.probe import jobs
from waltax.devices.probe.jobs import Job

JOB = Job("sync", 131, 0.05, 50 << 20, 1 << 20)


def stand_in(tmp_path: Path, script: str) -> str:
    """A program in fio's place."""
    path = tmp_path / "fio"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def answer(**changes: Any) -> str:
    """fio's JSON of three writes, each with a sync."""
    group: dict[str, Any] = {
        "jobname": "probe",
        "job_runtime": 1000,
        "usr_cpu": 1.0,
        "sys_cpu": 3.0,
        "ctx": 9,
        "write": {
            "total_ios": 3,
            "io_bytes": 393,
            "iops": 3.0,
            "clat_ns": {"N": 3, "mean": 2500.0},
        },
        "sync": {"lat_ns": {"N": 3, "mean": 100000.0, "bins": {"90000": 1, "105000": 2}}},
    }
    return json.dumps({"fio version": "fio-3.33", "jobs": [group | changes]}, indent=1)


def test_a_missing_fio_is_an_error_that_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WaltaxError, match=r"not found; install fio 3\.33 or newer: apt-get"):
        jobs.find()


def test_a_real_job_s_answer_adds_up(tmp_path: Path) -> None:
    found, _ = jobs.run(JOB, tmp_path, jobs.find())
    assert found.write.total_ios >= found.synced.N > 0
    times = [us for us, _ in found.synced.bins_us()]  # the middles of bins 1.6 % wide
    assert 0.98 * min(times) <= found.synced.mean_us <= 1.02 * max(times)
    assert list(tmp_path.iterdir()) == []


def test_times_are_read_in_microseconds() -> None:
    found, _ = jobs.read(answer(), JOB)
    assert (found.synced.mean_us, found.write.clat_ns.mean_us) == (100.0, 2.5)
    assert found.synced.bins_us() == [(90.0, 1), (105.0, 2)]


def test_notes_before_the_json_are_skipped() -> None:
    assert jobs.read("note: something\n" + answer(), JOB)[0].synced.N == 3


def test_fio_s_own_error_is_named(tmp_path: Path) -> None:
    program = stand_in(tmp_path, "echo 'No space left on device' >&2; exit 1")
    with pytest.raises(WaltaxError, match=r"--bs=131 .*: exit code 1: No space left on device"):
        jobs.run(JOB, tmp_path, program)


def test_no_json_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(WaltaxError, match="its JSON is not as expected: its JSON ends in line 1"):
        jobs.run(JOB, tmp_path, stand_in(tmp_path, "echo hello"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"write": {}}, "found 0 writes, 3 syncs"),
        ({"usr_cpu": "much"}, "its JSON is not as expected: jobs.0.usr_cpu"),
        ({"sync": {"lat_ns": {"N": 3, "mean": -1.0}}}, "jobs.0.sync.lat_ns.mean"),
        ({"sync": {"lat_ns": {"N": 0, "mean": 0.0}}}, "3 writes, 0 syncs and 0 times of syncs"),
        ({"sync": {"lat_ns": {"N": 3, "mean": 1.0, "bins": {"9": 2}}}}, "3 syncs and 2 times"),
    ],
)
def test_an_answer_that_is_not_as_expected_is_refused(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(WaltaxError) as caught:
        jobs.read(answer(**changes), JOB)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"90000"', '"x"', "jobs.0.sync.lat_ns.bins.x.[key]: found 'x', want a bin in whole nano"),
        ('"90000"', '"9e4"', "want a bin in whole nanoseconds"),
        ('"90000"', f'"{"9" * 5000}"', "want a bin in whole nanoseconds"),
        ('"90000"', '"\u0669"', "want a bin in whole nanoseconds"),
        ('"90000": 1', f'"90000": {"1" * 5000}', "Exceeds the limit"),
        ('"90000": 1', f'"90000": {2**64}', "a whole number is beyond 64 bits"),
        ('"90000": 1', f'"90000": {2**63}', "bins.90000: Input should be less than"),
        ('"mean": 100000.0', '"mean": 1e400', "a number is larger than any"),
        ('"mean": 100000.0', '"mean": NaN', "NaN is not a number"),
        ('"mean": 100000.0', '"mean": 1e308', "sync.lat_ns.mean: Input should be less than"),
        ('"usr_cpu": 1.0', '"usr_cpu": Infinity', "Infinity is not a number"),
        ('"ctx": 9', f'"ctx": {"[" * 100_000}', "arrays or objects too deep"),
        ('"ctx": 9', '"ctx": "\\u001b[2J"', "jobs.0.ctx: Input should be a valid integer"),
    ],
)
def test_an_answer_that_nobody_can_count_with_is_refused_in_one_line(
    old: str, new: str, message: str
) -> None:
    text = answer()
    assert old in text
    with pytest.raises(WaltaxError) as caught:
        jobs.read(text.replace(old, new), JOB)
    said = str(caught.value)
    assert message in said
    assert (said.isprintable(), len(said) < 500) == (True, True)


def test_a_killed_fio_is_an_error_that_names_the_signal(tmp_path: Path) -> None:
    program = stand_in(tmp_path, "kill -9 $$")
    with pytest.raises(WaltaxError, match=r"--bs=131 .*: killed by SIGKILL"):
        jobs.run(JOB, tmp_path, program)


def test_a_device_that_hangs_is_given_up_and_its_fio_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_PATIENCE_S", 0.1)
    program = stand_in(tmp_path, "exec sleep 300")
    before = {child.pid for child in psutil.Process().children()}
    with pytest.raises(WaltaxError, match=r"not done in 0\.15 s, and killed: "):
        jobs.run(JOB, tmp_path, program)
    assert {child.pid for child in psutil.Process().children()} <= before
