"""The program `kv`: shapes, transactions, and that a later run goes on where one ended."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from waltax import proc


def _kv(*words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    argv = [str(proc.program("kv")), *words]
    return subprocess.run(argv, input=said, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("shape", ["fillseq", "fillrandom", "overwrite"])
@pytest.mark.parametrize("batch", [1, 10])
def test_what_each_shape_writes_is_found_by_the_check(
    tmp_path: Path, shape: str, batch: int
) -> None:
    data = (f"--db={tmp_path / 'db'}", "--num=2000", "--column-families=2")
    assert _kv("load", *data).returncode == 0
    said = '{"cmd":"run","requests":50}\n{"cmd":"check"}\n'
    for turn in (1, 2):
        ran = _kv(
            "run", *data, f"--shape={shape}", f"--batch-size={batch}", "--threads=2", said=said
        )
        assert ran.returncode == 0, ran.stderr
        events = {event["event"]: event for event in map(json.loads, ran.stdout.splitlines())}
        assert events["slice"]["requests"] == 100
        counted = events["check"]["counted"]
        assert counted["loaded"] == 2000
        if shape == "fillseq":
            assert counted["filled"] == turn * 100 * batch
        assert (counted["filled"] > 0) == (shape != "overwrite")
    assert _kv("check", *data).returncode == 0


@pytest.mark.parametrize(
    ("kind", "durability", "records"),
    [
        (("pessimistic",), "flush", 1),
        (("pessimistic", "--two-phase"), "flush", 2),
        (("pessimistic", "--two-phase"), "off", 0),  # where would it be prepared?
        (("optimistic",), "flush", 1),
    ],
)
def test_transactions_write_their_records_and_the_check_finds_what_they_committed(
    tmp_path: Path, kind: tuple[str, ...], durability: str, records: int
) -> None:
    data = (f"--db={tmp_path / 'db'}", "--num=1000")
    assert _kv("load", *data).returncode == 0
    said = '{"cmd":"run","requests":100}\n{"cmd":"check"}\n'
    told = (f"--durability={durability}", "--shape=overwrite", "--batch-size=5", "--threads=4")
    ran = _kv("run", *data, *told, f"--transactions={kind[0]}", *kind[1:], said=said)
    assert ran.returncode == 0, ran.stderr
    events = {event["event"]: event for event in map(json.loads, ran.stdout.splitlines())}
    assert events["slice"]["requests"] == 400
    assert events["slice"]["counters"]["rocksdb.write.wal"] == 400 * records
    assert events["check"]["violation_count"] == 0
    assert _kv("check", *data).returncode == 0


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--shape=readseq"], '--shape: found "readseq", want one of: fillseq fillrandom'),
        (["--value-size=7"], '--value-size: found "7", want a whole number from 8 to 65536'),
        (["--compression-ratio=2"], '--compression-ratio: found "2"'),
        (["--transactions=optimistic", "--two-phase"], "which cannot be prepared, want --trans"),
        (["--two-phase"], "--two-phase: found --transactions=none"),
        (["--store=null"], '--store: found "null", which kv does not have'),
    ],
)
def test_flags_that_cannot_be_are_refused(tmp_path: Path, flags: list[str], message: str) -> None:
    done = _kv("run", f"--db={tmp_path / 'none'}", *flags)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert message in done.stderr


def test_another_size_than_was_loaded_is_refused(tmp_path: Path) -> None:
    db = f"--db={tmp_path / 'db'}"
    assert _kv("load", db, "--num=1000").returncode == 0
    done = _kv("run", db, "--num=1000", "--value-size=50")
    assert done.returncode == 2
    assert "--value-size: found 50, but the data set in" in done.stderr
