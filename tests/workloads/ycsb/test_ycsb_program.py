"""The program `ycsb`: what it refuses, and how it ends."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from waltax.base import proc


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


_MIX = ["--readproportion=.4", "--updateproportion=.3", "--insertproportion=.2"]
_SCANS = ["--scanproportion=.1", "--maxscanlength=50"]
_NODES = ["--recordcount=2000", "--nodes=2"]


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The places of two nodes, by their flags; a run of both was made, and a check after it."""
    folder = tmp_path_factory.mktemp("nodes")
    dbs = [f"--db={folder / str(node)}" for node in range(2)]
    for node, db in enumerate(dbs):
        loaded = _ycsb("load", db, *_NODES, f"--node={node}")
        assert loaded.returncode == 0, loaded.stderr
        event = json.loads(loaded.stdout.splitlines()[-1])
        assert event["bounds"] == ["user5150517416584649104"]
        assert event["records"] == pytest.approx(1000, rel=0.1)
        assert _ycsb("check", db, *_NODES, f"--node={node}").returncode == 0
    return dbs


def test_a_run_over_two_nodes_says_what_each_did(nodes: list[str]) -> None:
    said = '{"cmd":"run","requests":500}\n{"cmd":"check"}\n'
    ran = _ycsb("run", *nodes, *_NODES, *_MIX, *_SCANS, "--threads=2", said=said)
    assert ran.returncode == 0, ran.stderr
    events = {event["event"]: event for event in map(json.loads, ran.stdout.splitlines())}
    assert events["check"]["ok"], events["check"]
    assert events["ready"]["workload"]["nodes"] == 2
    assert len(events["ready"]["engine"]["node_engines"]) == 2
    done = events["slice"]
    assert sum(node["operations"] for node in done["nodes"]) == done["slice_requests"]
    assert done["clients"] == [500, 500]
    # Each commit is a record of its node's log, and no other's.
    logged = [node["counters"]["rocksdb.write.wal"] for node in done["node_engines"]]
    assert logged == [node["commits"] for node in done["nodes"]]
    assert done["counters"]["rocksdb.write.wal"] == sum(logged)
    checked = _ycsb("check", *nodes, *_NODES)
    assert json.loads(checked.stdout)["counted"]["records"] > 2000


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((0,), "--db: found 1 times with --nodes 2, want it once for each, in their order"),
        ((1, 0), "--node: found 0, but the data set in"),
        ((0, 0), "for node 0 and for node 1, want a place of its own for each node"),
    ],
)
def test_places_that_are_not_those_of_the_nodes_are_refused(
    nodes: list[str], change: tuple[int, ...], message: str
) -> None:
    done = _ycsb("run", *(nodes[place] for place in change), *_NODES)
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["load", "--nodes=2"], "--node: found nothing with --nodes 2, want the node whose part"),
        (["load", "--nodes=2", "--node=2"], "--node: found 2, want less than --nodes, 2"),
        (["load", "--db=other"], "--db: found 2 times, want it once"),
        (["run", "--db=other"], "--db: found 2 times, want it once, or as many --nodes"),
        (["run", "--nodes=2", "--insertorder=ordered"], "want --owner hash, or --insertorder"),
        (["run", "--route=redirect"], "--route: found redirect with --nodes 1, want direct"),
        (
            ["run", "--nodes=2", "--route=redirect"],
            "--route: found redirect with --store rocksdb, want --store myrocks or innodb",
        ),
        (
            ["run", "--nodes=2", "--store=myrocks", "--owner=hash", "--route=redirect"],
            "--route: found redirect with --owner hash, want --owner range",
        ),
    ],
)
def test_nodes_that_cannot_be_are_refused(tmp_path: Path, words: list[str], message: str) -> None:
    done = _ycsb(words[0], f"--db={tmp_path / 'none'}", *words[1:])
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "none").exists()


def test_two_logs_in_one_directory_are_refused(nodes: list[str], tmp_path: Path) -> None:
    """RocksDB would take the other one's files for its own, and remove them."""
    logs = [f"--wal-dir={tmp_path}", f"--wal-dir={tmp_path}/."]
    done = _ycsb("run", *nodes, *_NODES, *logs)
    assert done.returncode == 2
    assert "--wal-dir: found" in done.stderr
    assert "for node 0 and for node 1" in done.stderr
