"""The program `mix`: files of ours on RocksDB, and what it says of them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from waltax import workloads
from waltax.base import proc
from waltax.engines import EMBEDDED
from waltax.workloads.mix import record

_SAID = '{"cmd":"run","requests":100}\n{"cmd":"check"}\n'


def _mix(*words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    argv = [str(proc.program("mix")), *words]
    return subprocess.run(argv, input=said, capture_output=True, text=True, check=False)


def _events(done: subprocess.CompletedProcess[str]) -> dict[str, dict[str, object]]:
    assert done.returncode == 0, done.stderr
    return {event["event"]: event for event in map(json.loads, done.stdout.splitlines())}


def _file(name: str, more: str = "") -> str:
    return "--file=" + record.compiled_file(name, workloads.of(name).text + more)


@pytest.mark.parametrize(
    "name", [one.name for one in record.workloads() if not one.engines or EMBEDDED in one.engines]
)
def test_a_file_of_ours_is_loaded_run_twice_and_checked(tmp_path: Path, name: str) -> None:
    told = (_file(name), "--scale=0.005", f"--db={tmp_path / 'db'}")
    assert _mix("load", *told).returncode == 0
    for _ in range(2):
        events = _events(_mix("run", *told, "--threads=2", "--durability=flush", said=_SAID))
        assert events["slice"]["requests"] == 200
        assert events["check"]["violations"] == []
    assert _mix("check", *told).returncode == 0


@pytest.mark.parametrize(("name", "records"), [("kv-pessimistic", 1), ("kv-2pc", 2)])
def test_a_commit_has_the_records_that_its_record_says(
    tmp_path: Path, name: str, records: int
) -> None:
    told = (_file(name), f"--db={tmp_path / 'db'}")
    assert _mix("load", *told).returncode == 0
    slice_ = _events(_mix("run", *told, "--durability=flush", said=_SAID))["slice"]
    assert slice_["counters"]["rocksdb.write.wal"] == 100 * records  # type: ignore[index]
    assert workloads.of(name).records_a_commit == records


def test_a_client_pauses_as_its_file_says_and_the_command_line_goes_before(
    tmp_path: Path,
) -> None:
    told = (_file("kv-fillseq", "[load]\nclients = 3\nthink_time_ms = 20\n"), f"--db={tmp_path}/db")
    assert _mix("load", *told).returncode == 0
    said = '{"cmd":"run","requests":5}\n'
    slice_ = _events(_mix("run", *told, said=said))["slice"]
    assert slice_["requests"] == 15
    assert slice_["measure_s"] >= 4 * 0.02  # type: ignore[operator]
    assert _events(_mix("run", *told, "--threads=1", said=said))["slice"]["requests"] == 5


def test_other_tables_than_were_loaded_are_refused(tmp_path: Path) -> None:
    told = (_file("queue"), f"--db={tmp_path / 'db'}")
    assert _mix("load", *told, "--scale=0.01").returncode == 0
    done = _mix("run", *told, "--scale=0.02")
    assert done.returncode == 2
    assert "--file: found" in done.stderr
    assert "has other tables" in done.stderr


def test_other_operations_work_on_the_same_data(tmp_path: Path) -> None:
    db = f"--db={tmp_path / 'db'}"
    assert _mix("load", _file("sqlops-insert"), "--scale=0.01", db).returncode == 0
    told = (_file("sqlops-delete-present"), "--scale=0.01", db)
    assert _events(_mix("run", *told, said=_SAID))["check"]["violations"] == []


def test_a_store_that_does_nothing_measures_the_program() -> None:
    words = ("run", "--store=null", _file("shop"), "--scale=0.01")
    assert _events(_mix(*words, said=_SAID))["slice"]["requests"] == 100


def test_it_wants_a_file() -> None:
    done = _mix("run")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert done.stderr.startswith('mix: --file: found "" ')


@pytest.mark.parametrize("text", ["", "{", "[]", '{"tables": 1}'])
def test_a_file_that_is_none_is_told_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "mix.json").write_text(text)
    done = _mix("run", f"--file={tmp_path / 'mix.json'}", f"--db={tmp_path / 'db'}")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert "--file: " in done.stderr


def test_what_the_tests_in_cpp_take_is_what_their_files_say() -> None:
    for toml in Path(__file__).parent.glob("*.toml"):
        kept = toml.with_suffix(".inc").read_text()
        text = record.compiled_file(toml.stem, toml.read_text())
        assert json.loads(kept.partition("(")[2].rpartition(")")[0]) == json.loads(
            Path(text).read_text()
        ), f"waltax workload {toml} --json"
