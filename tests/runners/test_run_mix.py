"""Campaigns of mixes, those of ours and a user's own, on RocksDB and on real servers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from waltax.evidence import judgement

Tiny = Callable[..., Path]
_ASKED = """
# 70 % reads of rows of 1 kB, 30 % updates in batches of ten, skewed.
unit = "requests/s"
[tables.items]
rows = 200_000
columns.value = { size = 1000 }
columns.changes = { type = "int" }
[operations.read]
weight = 70
draw.item = { row = "items", choice = "zipfian" }
steps = [{ get = "items", row = "item" }]
[operations.update]
weight = 30
transaction = true
draw.some = { row = "items", choice = "zipfian", count = 10 }
steps = [{ update = "items", row = "some", set = { value = "new" }, add = { changes = 1 } }]
"""


def _measured(mix: Any, *words: object) -> Sequence[Mapping[str, Any]]:
    """The rows of a campaign, all of them true, each of whose cells was checked."""
    done = mix.run("--device", "nvme", "--seed", 7, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = judgement.read(mix.folder() / "rows.jsonl")
    assert {row["status"] for row in rows} == {"ok"}
    checks = [json.loads(line) for line in (mix.folder() / "checks.jsonl").open()]
    assert {one["cell"] for one in checks} == {row["cell"] for row in rows}
    return rows


@pytest.mark.parametrize(
    ("names", "mode"),
    [
        (["kv-fillrandom", "kv-2pc"], "sync"),
        pytest.param(["kv-fillseq", "kv-overwrite"], "flush", marks=pytest.mark.nightly),
        pytest.param(["kv-pessimistic", "kv-optimistic"], "sync", marks=pytest.mark.nightly),
        pytest.param(["shop", "outbox", "session-store"], "sync", marks=pytest.mark.nightly),
    ],
)
def test_files_of_ours_take_turns_on_clones(
    waltax: Any, tiny: Tiny, names: list[str], mode: str
) -> None:
    rows = _measured(waltax.of(*names), "--profile", tiny(rounds_per_session=1), "--wal", mode)
    assert {row["workload"] for row in rows} == set(names)


@pytest.mark.nightly
@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_files_of_ours_run_on_servers(served: Any, tiny_of: Tiny, engine: str) -> None:
    names = ("shop", "sqlops-insert-random", "sqlops-delete-present")
    # Enough for the statement that deletes them.
    profile = tiny_of(engine, scale="0.15", rounds_per_session="1", time_budget_s="0.5")
    rows = _measured(served.of(*names), "--engine", engine, "--profile", profile)
    assert {row["workload"] for row in rows} == set(names)
    units = {row["throughput_unit"] for row in rows}
    assert units == {"statements/s", "transactions/s"}


_SERVED = pytest.param("myrocks", marks=pytest.mark.nightly)


@pytest.mark.parametrize("engine", ["rocksdb", _SERVED])
def test_a_file_of_the_users_own_is_measured_and_kept(
    served: Any, tiny: Tiny, tiny_of: Tiny, tmp_path: Path, engine: str
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(_ASKED)
    mine = served.of(file)
    profile = tiny() if engine == "rocksdb" else tiny_of(engine)
    rows = _measured(mine, "--engine", engine, "--profile", profile)
    assert {(row["workload"], row["throughput_unit"]) for row in rows} == {("mine", "requests/s")}
    assert len({row["workload_digest"] for row in rows}) == 1
    for row in rows:
        assert row["op_read_count"] > row["op_update_count"] > 0
    # The report of a campaign needs the file no more.
    file.unlink()
    assert json.loads((mine.folder() / "campaign.json").read_text())["mixes"] == {"mine": _ASKED}
    done = mine.run("--resume", mine.folder(), "--plan")
    assert done.returncode == 0, done.stdout + done.stderr


_OF_YCSB = """
# Seventy of a hundred read.
workload=site.ycsb.workloads.CoreWorkload
recordcount=1000000
readproportion=0.7
updateproportion=0.3
requestdistribution=hotspot
fieldlength=50
"""


def test_a_workload_file_of_ycsb_is_measured_at_the_profiles_size(
    waltax: Any, tiny: Tiny, tmp_path: Path
) -> None:
    file = tmp_path / "workloadx"
    file.write_text(_OF_YCSB)
    rows = _measured(waltax.of(file), "--profile", tiny(rounds_per_session=1))
    for row in rows:
        assert row["workload"] == "workloadx"
        assert row["op_READ_count"] > row["op_UPDATE_count"] > 0
    checks = [json.loads(line) for line in (waltax.folder() / "checks.jsonl").open()]
    assert {one["counted"]["usertable"] for one in checks} == {1000}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("fieldlength", "fieldlenght", ":8: fieldlenght: unknown key; did you mean "),
        ("=0.7", "=0.8", ":5: readproportion 0.8, "),
        ("hotspot", "hot", ":7: requestdistribution: found 'hot', want one of: "),
    ],
)
def test_a_mistake_in_a_workload_file_of_ycsb_has_its_line(
    waltax: Any, tmp_path: Path, old: str, new: str, said: str
) -> None:
    file = tmp_path / "workloadx"
    file.write_text(_OF_YCSB.replace(old, new))
    done = waltax.of(file).run("--profile=ci", "--device=nvme", "--plan")
    assert done.returncode == 2, done.stdout
    assert f"{file}{said}" in done.stderr


def test_a_file_with_mistakes_is_refused_before_anything_is_loaded(
    waltax: Any, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        _ASKED.replace("weight = 70", "weigth = 70").replace("rows = 200_000", "rows = -1")
    )
    done = waltax.of(file).run("--profile=ci", "--device=nvme")
    assert done.returncode == 2, done.stdout + done.stderr
    assert f"{file}:5: tables.items.rows: " in done.stderr
    assert f"{file}:9: operations.read.weigth: unknown key" in done.stderr
    assert not waltax.results.exists() or not any(waltax.results.iterdir())
