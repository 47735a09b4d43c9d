"""The program `ycsb`: what it refuses, and how it ends."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from waltax import proc


def _ycsb(*words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    argv = [str(proc.program("ycsb")), *words]
    return subprocess.run(argv, input=said, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--recordcount=0"], '--recordcount: found "0", want a whole number from 1 to 1000000000'),
        (["--recordcount=1099511627776"], '--recordcount: found "1099511627776"'),
        (["--insertstart=1000"], "--insertstart: found 1000, want less than --recordcount, 1000"),
        (["--readproportion=.9"], "found a sum of 0.95, want 1"),
        (["--requestdistribution=file"], '--requestdistribution: found "file"'),
        (["--zipf-constant=1.2", "--requestdistribution=zipfian"], "add --zipf exact"),
        (["--fieldlengthdistribution=histogram"], '--fieldlengthdistribution: found "histogram"'),
    ],
)
def test_flags_that_cannot_be_are_refused_before_anything_is_opened(
    tmp_path: Path, flags: list[str], message: str
) -> None:
    done = _ycsb("run", f"--db={tmp_path / 'none'}", *flags)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "none").exists()


def test_a_data_set_is_loaded_run_and_checked(tmp_path: Path) -> None:
    db, records = f"--db={tmp_path / 'db'}", "--recordcount=2000"
    loaded = _ycsb("load", db, records, "--threads=2")
    assert loaded.returncode == 0, loaded.stderr
    assert json.loads(loaded.stdout.splitlines()[-1])["records"] == 2000
    mix = ["--readproportion=.5", "--updateproportion=0", "--readmodifywriteproportion=.5"]
    said = '{"cmd":"run","requests":500}\n{"cmd":"check"}\n'
    ran = _ycsb("run", db, records, *mix, "--threads=2", said=said)
    assert ran.returncode == 0, ran.stderr
    events = {event["event"]: event for event in map(json.loads, ran.stdout.splitlines())}
    assert events["ready"]["workload"]["readmodifywriteproportion"] == 0.5
    assert events["slice"]["requests"] == 1000
    done = events["slice"]["operations"]["READ-MODIFY-WRITE"]["count"]
    assert events["check"]["counted"]["read-modify-writes"] == done
    again = _ycsb("check", db, records)
    assert again.returncode == 0
    assert json.loads(again.stdout)["counted"] == {
        "inserted": 0,
        "read-modify-writes": done,
        "records": 2000,
    }


def test_another_size_than_was_loaded_is_refused(tmp_path: Path) -> None:
    db = f"--db={tmp_path / 'db'}"
    assert _ycsb("load", db).returncode == 0
    done = _ycsb("run", db, "--recordcount=999")
    assert done.returncode == 2
    assert "--recordcount: found 999, but the data set in" in done.stderr


def test_a_failed_operation_ends_with_an_exit_code(tmp_path: Path) -> None:
    """Defect Y6: the original ends with 0."""
    db = f"--db={tmp_path / 'db'}"
    assert _ycsb("run", db).returncode == 2
    assert _ycsb("load", db, "--fieldlength=200").returncode == 0
    # Fields that can be checked, of a data set that says it has them, and has not.
    assert _ycsb("run", db, "--fieldlength=200", "--dataintegrity").returncode == 2
