"""`waltax why`: its plan, what it refuses, and a small ladder from no log to a device."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sweeping
from sweeping import Said
from waltax import row
from waltax.studies import frame

pytestmark = pytest.mark.drawn


def _waltax(*words: object) -> Said:
    return sweeping.said(frame.command("why"), *words)


def test_the_rungs_below_the_devices_are_planned_once() -> None:
    done = _waltax("--plan", "--workload=linkbench", "--device=nvram nvme")
    assert done.code == 0, done.text
    cells = [line.split()[0] for line in done.text.splitlines() if line.startswith("  rocksdb-")]
    rungs = ("flush-t4", "sync-t4-sync-free", "sync-t4-wait", "sync-t4")
    assert cells == [
        "rocksdb-linkbench-quick-off-off-t4",
        "rocksdb-linkbench-quick-off-flush-t4-encode",
        *(
            f"rocksdb-linkbench-quick-{device}-{rung}"
            for device in ("nvram", "nvme")
            for rung in rungs
        ),
    ]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--device=off"], "--device: found off, which writes no log"),
        (["--device=nvme nvme"], "--device: found the name nvme twice"),
        (["--engine=innodb"], "--engine: found innodb, which always writes its log"),
        (["--binlog=same"], "--binlog: found same with --engine rocksdb, which writes no second"),
        (["--wal-dir=/mnt/x", "--device=nvme ssd"], "--wal-dir: it is the directory of one device"),
    ],
)
def test_what_has_no_ladder_is_refused(words: list[str], why: str) -> None:
    done = _waltax("--plan", *words)
    assert done.code == 2
    assert why in done.text


@pytest.mark.parametrize(("engine", "mode"), [("myrocks", "off-off"), ("innodb", "nvme-delayed")])
def test_a_binlog_has_a_campaign_of_two_logs_for_each_device(engine: str, mode: str) -> None:
    words = ("--plan", f"--engine={engine}", "--binlog=same", "--workload=linkbench")
    done = _waltax(*words, "--device=nvme ssd")
    assert done.code == 0, done.text
    cells = [line.split()[0] for line in done.text.splitlines() if f"  {engine}-" in line]
    stem = f"{engine}-linkbench-quick"
    threads = cells[0].rpartition("-")[2]
    rungs = ("", "-both-syncs-free", "-wal-sync-free", "-binlog-sync-free")
    assert cells == [
        cell
        for device in ("nvme", "ssd")
        for cell in (
            f"{stem}-{mode.replace('nvme', device)}-{threads}",
            *(f"{stem}-{device}-sync-{threads}{rung}" for rung in rungs),
        )
    ]


def test_a_ladder_is_climbed_proved_and_reported(tmp_path: Path) -> None:
    folders = [f"--results={tmp_path}/results", f"--data-dir={tmp_path}/data", "--share-machine"]
    done = _waltax("--profile", sweeping.profile(tmp_path), "--workload=linkbench", *folders)
    assert done.code == 0, done.text
    (campaign,) = tmp_path.glob("results/2*")
    told = json.loads((campaign / "why.json").read_text())
    (ladder,) = told["ladders"]
    assert [step["step"] for step in ladder["points"]] == [
        *("encode", "write", "sync-free", "wait", "device", "all"),
    ]
    assert (campaign / "why.png").stat().st_size > 0
    rows = row.read(campaign / "rows.jsonl")
    encoded = [one for one in rows if one["rung"] == "encode"]
    assert all(one["tap_bytes_not_kept"] == one["tap_write_bytes"] > 0 for one in encoded)
    freed = [one for one in rows if one["rung"] == "sync-free"]
    assert all(one["tap_syncs_at_once"] == one["tap_syncs"] > 0 for one in freed)
