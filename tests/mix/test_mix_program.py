"""The program `mix`: files of ours on RocksDB, and what it says of them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from waltax import proc

FILES = Path(__file__).parents[2] / "workloads" / "mix" / "files"
_SAID = '{"cmd":"run","requests":100}\n{"cmd":"check"}\n'


def _mix(*words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    argv = [str(proc.program("mix")), *words]
    return subprocess.run(argv, input=said, capture_output=True, text=True, check=False)


def _events(done: subprocess.CompletedProcess[str]) -> dict[str, dict[str, object]]:
    assert done.returncode == 0, done.stderr
    return {event["event"]: event for event in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize(
    "name",
    ["kv-fillseq", "kv-2pc", "kv-optimistic", "shop", "outbox", "queue", "session-store"],
)
def test_a_file_is_loaded_run_twice_and_checked(tmp_path: Path, name: str) -> None:
    told = (f"--file={FILES / name}.toml", "--scale=0.005", f"--db={tmp_path / 'db'}")
    assert _mix("load", *told).returncode == 0
    for _ in range(2):
        events = _events(_mix("run", *told, "--threads=2", "--durability=flush", said=_SAID))
        assert events["slice"]["requests"] == 200
        assert events["check"]["violations"] == []
    assert _mix("check", *told).returncode == 0


@pytest.mark.parametrize(("name", "records"), [("kv-pessimistic", 1), ("kv-2pc", 2)])
def test_a_commit_has_the_records_that_are_explained(
    tmp_path: Path, name: str, records: int
) -> None:
    told = (f"--file={FILES / name}.toml", f"--db={tmp_path / 'db'}")
    assert _mix("load", *told).returncode == 0
    events = _events(_mix("run", *told, "--durability=flush", said=_SAID))
    slice_ = events["slice"]
    assert slice_["counters"]["rocksdb.write.wal"] == 100 * records  # type: ignore[index]
    explained = json.loads(_mix("explain", "--json", *told[:1]).stdout)
    assert explained["operations"][0]["records"] == records


def test_a_client_pauses_as_its_file_says_and_the_command_line_goes_before(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.toml"
    text = (FILES / "kv-fillseq.toml").read_text()
    file.write_text(text + "[load]\nclients = 3\nthink_time_ms = 20\n")
    told = (f"--file={file}", f"--db={tmp_path / 'db'}")
    assert _mix("load", *told).returncode == 0
    said = '{"cmd":"run","requests":5}\n'
    slice_ = _events(_mix("run", *told, said=said))["slice"]
    assert slice_["requests"] == 15
    assert slice_["measure_s"] >= 4 * 0.02  # type: ignore[operator]
    assert _events(_mix("run", *told, "--threads=1", said=said))["slice"]["requests"] == 5


def test_other_tables_than_were_loaded_are_refused(tmp_path: Path) -> None:
    told = (f"--file={FILES / 'queue.toml'}", f"--db={tmp_path / 'db'}")
    assert _mix("load", *told, "--scale=0.01").returncode == 0
    done = _mix("run", *told, "--scale=0.02")
    assert done.returncode == 2
    assert "--file: found" in done.stderr
    assert "has other tables" in done.stderr


def test_every_mistake_has_a_line_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    text = (FILES / "queue.toml").read_text()
    file.write_text(text.replace("weight = 50", "weigth = 50").replace('"int"', '"integer"'))
    done = _mix("load", f"--file={file}", f"--db={tmp_path / 'db'}")
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert len(lines) == 3
    assert all(line.startswith(f"mix: {file}:") for line in lines)
    assert not (tmp_path / "db").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run"], "--file: found nothing, want a TOML file"),
        (
            ["run", "--file", str(FILES / "sqlops-order-column.toml")],
            '--store: found "rocksdb", but operations.order sorts by a column without an index',
        ),
        (
            ["run", "--store=myrocks", "--file", str(FILES / "kv-2pc.toml")],
            "operations.write is two-phase, which is RocksDB's own",
        ),
    ],
)
def test_what_cannot_be_is_refused(words: list[str], message: str) -> None:
    done = _mix(*words)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert message in done.stderr


def test_a_store_that_does_nothing_measures_the_program() -> None:
    words = ("run", "--store=null", f"--file={FILES / 'shop.toml'}", "--scale=0.01")
    assert _events(_mix(*words, said=_SAID))["slice"]["requests"] == 100


def test_the_schema_is_json() -> None:
    schema = json.loads(_mix("schema").stdout)
    assert set(schema["properties"]) == {"title", "unit", "tables", "operations", "load"}


def test_all_files_of_ours_are_explained() -> None:
    for file in FILES.glob("*.toml"):
        explained = json.loads(_mix("explain", "--json", f"--file={file}").stdout)
        assert explained["title"], file
        assert any(why is None for why in explained["stores"].values())
