"""What a campaign says while it runs, on a screen that is no terminal."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from waltax.runners import campaign, screen
from waltax.runners.campaign import Recipe
from waltax.runners.progress import Progress
from waltax.workloads import DEFAULT


@dataclass(frozen=True)
class Overhead:
    workload: str
    device: str
    overhead: float | None
    low: float | None = None
    high: float | None = None
    durability: str = "sync"
    threads: int = 4
    size: str = ""
    knob: str = ""


def _said(tmp_path: Path, *overheads: Overhead) -> str:
    recipe = Recipe("rocksdb", DEFAULT, "quick", ("nvme",), "sync")
    plan = campaign.new(recipe, tmp_path, tmp_path)
    slice_ = {"status": "ok", "session": 1, "round": 2, "workload": "tpcc", "device": "nvme"}
    progress = Progress([slice_ | {"warmup_s": 30.0, "measure_s": 60.0}])
    out = io.StringIO()
    screen.plain(plan, Console(file=out), lambda _: overheads).after_round(progress)
    return out.getvalue()


def test_the_overheads_of_each_workload_stand_together(tmp_path: Path) -> None:
    said = _said(
        tmp_path,
        Overhead("linkbench", "nvme", 0.25, 0.2, 0.3),
        Overhead("linkbench", "ssd", None),
        Overhead("tpcc", "nvme", 0.5),
    )
    assert (
        "session 2 round 3, linkbench:  nvme 25.0 % [20.0, 30.0]  ssd ?;  tpcc:  nvme 50.0 %"
        in said
    )


def test_clients_sizes_and_knobs_are_told_where_they_differ(tmp_path: Path) -> None:
    said = _said(
        tmp_path,
        Overhead("linkbench", "nvme", 0.5, threads=1),
        Overhead("linkbench", "nvme", 0.25, threads=8),
        Overhead("dbbench-fillseq", "nvme", 0.75, size="k16-v100", knob="fsync"),
    )
    assert "linkbench 1 clients:  nvme 50.0 %;  linkbench 8 clients:  nvme 25.0 %" in said
    assert "dbbench-fillseq k16-v100 4 clients:  nvme fsync 75.0 %" in said


def test_the_time_left_is_that_of_both_workloads(tmp_path: Path) -> None:
    assert _said(tmp_path).startswith("[1:30, at most 5:10 of slices left]")
    assert "no overhead yet" in _said(tmp_path)
