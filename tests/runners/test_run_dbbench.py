"""Campaigns of db_bench, on the real program under the real tap."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from waltax.base.errors import UsageError, WaltaxError
from waltax.evidence import judgement
from waltax.evidence.rules import contradictions
from waltax.evidence.slice import Slice
from waltax.row import Row
from waltax.runners import campaign, lives, record
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.cells.dbbench import program
from waltax.runners.cells.dbbench.cell import BenchedCell
from waltax.runners.cells.live import Position
from waltax.runners.cells.program.shell import Finished
from waltax.runners.workspace import workspace

Tiny = Callable[..., Path]
OPERATIONS = 3000
_AT = Position(0, 0, 0)
CONTRACT = {
    *("mb_per_s", "elapsed_s", "operations", "key_bytes", "value_bytes", "compactions"),
    *("compaction_read_bytes", "compaction_written_bytes", "flush_written_bytes"),
    *("user_written_bytes", "write_amplification", "whole_run", "output_file"),
}


def _profile(path: Path, run: str = f"operations = {OPERATIONS}") -> Path:
    path.write_text(f"{path.read_text()}\n[dbbench.run]\n{run}\n")
    return path


@pytest.fixture
def profile(tiny: Tiny) -> Path:
    """2,000 keys; every slice does 3,000 operations."""
    return _profile(tiny(num=2000, rounds_per_session=1, time_budget_s=0.01))


@pytest.fixture
def planned(profile: Path, tmp_path: Path, shared_data: Path) -> Callable[..., Campaign]:
    """A campaign of fillrandom on nvme, unless told otherwise; nothing is written yet."""

    def make(workload: str = "dbbench-fillrandom", **recipe: Any) -> Campaign:
        told = {"devices": ("nvme",), "profile": str(profile), "seed": 7, **recipe}
        return campaign.new(
            Recipe(engine="rocksdb", workloads=(workload,), **told), tmp_path / "r", shared_data
        )

    return make


@dataclass(frozen=True)
class Alive:
    campaign: Campaign
    cell: BenchedCell

    def row(self) -> Row:
        """Measure a slice. Errors: WaltaxError as in a session."""
        row, seen = self.slice()
        found = contradictions(seen)
        if found:
            raise WaltaxError(found[0])
        return row

    def slice(self) -> tuple[Row, Slice]:
        """Measure one, which is not judged."""
        measured = self.cell.measure(_AT, 0.0, 0.1)
        row = record.taken(self.campaign, self.cell, _AT, measured)
        return row, Slice(self.cell.cell, {**row, **record.moment(measured)})


@pytest.fixture
def living(planned: Callable[..., Campaign]) -> Iterator[Callable[..., Alive]]:
    """Bring the last cell of a campaign to life."""
    with contextlib.ExitStack() as stack:

        def bring(workload: str = "dbbench-fillrandom", **recipe: Any) -> Alive:
            one = stack.enter_context(workspace(planned(workload, **recipe)))
            one.folder.mkdir(parents=True)
            cell = one.cells[-1]
            data = lives.prepare(one, lambda _: None)[cell.id]
            live = stack.enter_context(lives.bring_up(one, cell, data, 0))
            assert isinstance(live, BenchedCell)
            return Alive(one, live)

        yield bring


def test_a_campaign_of_two_benchmarks_gives_rows_with_everything_they_promise(
    waltax: Any, profile: Path
) -> None:
    words = ("--profile", profile, "--device", "nvme", "--bench", "fillrandom,overwrite")
    done = waltax.of("dbbench").run(*words)
    assert done.returncode == 0, done.stderr
    assert "cells have no check" in done.stdout
    assert "check passed" not in done.stdout
    rows = judgement.read(waltax.folder() / "rows.jsonl")
    assert {row["workload"] for row in rows} == {"dbbench-fillrandom", "dbbench-overwrite"}
    for row in rows:
        assert row["status"] == "ok", row["failure"]
        assert set(row) >= CONTRACT
        assert row["throughput_unit"] == "ops/s"
        assert row["whole_run"] is True
        assert row["operations"] == row["requests"] == row["op_PUT_count"] == OPERATIONS
        assert (row["wal_bytes"] > 0) is (row["device"] == "nvme")
        used_s = row["cpu_user_s"] + row["cpu_system_s"]
        assert row["cpu_engine_s"] == pytest.approx(used_s - row["cpu_driver_s"], abs=1e-5)
        output = (waltax.folder() / row["output_file"]).read_text()
        assert f"{OPERATIONS} operations" in output
    checks = (waltax.folder() / "checks.jsonl").read_text().splitlines()
    assert {json.loads(line)["counted"] for line in checks} == {None}
    assert not list(Path("/dev/shm").glob(f"*{waltax.folder().name}*"))


@pytest.mark.parametrize("workload", ["fillseq", "overwrite"])
def test_each_other_benchmark_that_writes_is_measured_and_proved(
    workload: str, tiny: Tiny, living: Callable[..., Alive]
) -> None:
    row = living(f"dbbench-{workload}", profile=str(tiny(num=2000))).row()
    assert row["throughput"] > 0


@pytest.mark.parametrize("workload", ["readrandom", "readseq"])
def test_a_benchmark_that_reads_writes_no_log_whatever_its_label(
    workload: str, living: Callable[..., Alive]
) -> None:
    row = living(f"dbbench-{workload}").row()
    assert row["durability"] == "sync"
    assert row["wal_bytes"] == row["tap_write_bytes"] == 0


def test_a_benchmark_that_reads_is_refused_when_a_witness_saw_a_log(
    living: Callable[..., Alive],
) -> None:
    one = living("dbbench-readrandom")
    _, seen = one.slice()
    assert contradictions(seen) == []
    for column in ("wal_bytes", "tap_write_bytes"):
        (found,) = contradictions(Slice(seen.cell, {**seen.row, column: 1}))
        assert "only reads" in found


@pytest.mark.parametrize("knob", ["manual-flush", "wal-compression", "unordered-write"])
def test_knobs_that_change_what_the_witnesses_see_are_accepted(
    knob: str, living: Callable[..., Alive]
) -> None:
    row = living(knobs=(knob,)).row()
    assert row["knob"] == knob
    assert row["tap_syncs"] > 0


def test_a_knob_that_rocksdb_takes_back_fails_its_slice(living: Callable[..., Alive]) -> None:
    one = living(knobs=("recycled-logs",))
    told = one.cell.run.options
    told.write_text(told.read_text().replace("kSkipAnyCorruptedRecords", "kAbsoluteConsistency"))
    with pytest.raises(WaltaxError, match="recycle_log_file_num: asked for 4, but RocksDB made"):
        one.row()
    assert not one.cell.run.db.exists()


def test_one_counted_sync_of_unordered_writes_may_be_of_two_files(
    living: Callable[..., Alive],
) -> None:
    one = living(knobs=("unordered-write",))
    one.cell.run = replace(one.cell.run, operations=20_000)  # several memtables
    row = one.row()
    assert row["wal_syncs"] <= row["tap_syncs"] <= row["wal_syncs"] + row["tap_opens"]


@pytest.mark.parametrize(
    ("label", "truth", "words"),
    [
        ("flush", "sync", "durability flush, but the engine counted"),
        ("sync", "flush", "durability sync, but .* commit groups had only 0 syncs"),
        ("sync", "off", "the engine wrote no WAL"),
        ("flush", "off", "the engine wrote no WAL"),
    ],
)
def test_a_run_that_does_something_else_than_its_label_is_refused(
    label: str, truth: str, words: str, living: Callable[..., Alive]
) -> None:
    one = living(durability=label)
    one.cell.run = replace(one.cell.run, durability=truth)
    with pytest.raises(WaltaxError, match=words):
        one.row()


def test_off_that_writes_a_log_is_refused(living: Callable[..., Alive]) -> None:
    one = living(devices=("off",), durability="off")
    one.cell.run = replace(one.cell.run, durability="flush")
    with pytest.raises(WaltaxError, match="durability off, but the engine wrote"):
        one.row()


def test_a_buffered_log_is_no_flush(living: Callable[..., Alive]) -> None:
    one = living(durability="flush", knobs=("manual-flush",))
    with pytest.raises(WaltaxError, match="writes to the WAL"):
        one.row()


def test_a_killed_db_bench_fails_its_slice_and_leaves_nothing(living: Callable[..., Alive]) -> None:
    one = living()
    one.cell.run = replace(one.cell.run, operations=100_000_000)
    ended = threading.Event()
    killer = threading.Thread(target=_kill_db_bench, args=(ended,))
    killer.start()
    try:
        with pytest.raises(WaltaxError, match=r"db_bench: .* \(killed by SIGKILL\)"):
            one.row()
    finally:
        ended.set()
        killer.join()
    assert not _children("db_bench")
    assert not one.cell.run.db.exists()
    assert not list(one.cell.wal_dir.rglob("*.log"))
    assert one.campaign.folders.memory.exists()  # the workspace's, which goes with it


def _children(name: str) -> list[psutil.Process]:
    return [one for one in psutil.Process(os.getpid()).children() if one.name() == name]


def _kill_db_bench(ended: threading.Event) -> None:
    """Ours, whichever runs: a short one, of which there is one at first, may just have ended."""
    while not ended.wait(0.01):
        with contextlib.suppress(psutil.NoSuchProcess):
            for one in _children("db_bench"):
                one.kill()


@pytest.fixture
def waited_s(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """For how long each run would be waited for, by the end of its output file's name."""
    found: dict[str, float] = {}
    run = program.run

    def noted(line: str, env: Any, log: Path, within_s: float, cwd: Path) -> Finished:
        found[log.name.rpartition("-")[2]] = within_s
        return run(line, env, log, within_s, cwd)

    monkeypatch.setattr(program, "run", noted)
    return found


def test_a_benchmark_without_a_clock_is_sized_by_a_run_before(
    tiny: Tiny, living: Callable[..., Alive], waited_s: dict[str, float]
) -> None:
    path = tiny(num=2000)
    one = living("dbbench-fillseq", profile=str(path))
    assert one.cell.run.operations is None
    one.row()
    assert one.cell.run.operations is not None
    names = {file.name for file in one.cell.kept.glob("*.out")}
    assert {name.rpartition("-")[2] for name in names} == {"pilot.out", "r0.out"}
    assert waited_s == {"pilot": 600, "r0": pytest.approx(600.1)}


def test_sizes_of_a_campaign_are_compared_apart(planned: Callable[..., Campaign]) -> None:
    cells = planned(sizes=("k16-v100", "facebook-udb"), threads=(1, 2)).cells
    assert len({cell.baseline_id for cell in cells}) == 4
    assert len(cells) == 8


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        ({"sizes": ("k16",)}, "size: found 'k16'"),
        ({"knobs": ("turbo",)}, "knob: found 'turbo'"),
        ({"workload": "linkbench", "sizes": ("up2x",)}, "not db_bench's"),
    ],
)
def test_what_db_bench_cannot_do_is_refused_at_once(
    recipe: dict[str, Any], words: str, planned: Callable[..., Campaign]
) -> None:
    with pytest.raises(UsageError, match=words):
        planned(**recipe)


def test_without_a_db_bench_nothing_is_measured(
    planned: Callable[..., Campaign], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROCKSDB_ROOT", str(tmp_path))
    with pytest.raises(UsageError, match="has no db_bench"):
        lives.prepare(planned(), pytest.fail)


def test_a_run_of_so_many_operations_may_take_long_and_the_one_before_may_not(
    living: Callable[..., Alive], waited_s: dict[str, float]
) -> None:
    living().row()
    assert waited_s == {"r0": 4 * 3600}
