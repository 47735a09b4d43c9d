"""What a campaign says while it runs."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from waltax import profiles
from waltax.cell import Cell
from waltax.row import Row
from waltax.runners import campaign
from waltax.runners.campaign import Recipe
from waltax.runners.loop import Screen
from waltax.runners.progress import Progress
from waltax.workloads import DEFAULT


class _Wall:
    """A clock on the wall that is set by hand."""

    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@dataclass(frozen=True)
class Overhead:
    workload: str
    device: str
    overhead: float | None
    low: float | None = None
    high: float | None = None
    durability: str = "sync"
    threads: int = 4
    knob: str = ""
    build: str = ""
    cell: str = ""
    half_width: float | None = None

    @property
    def at(self) -> Cell:
        cell = Cell("rocksdb", self.workload, "quick", self.device, self.durability, self.threads)
        return cell.at(knob=self.knob, build=self.build)


def _said(tmp_path: Path, *overheads: Overhead) -> str:
    recipe = Recipe("rocksdb", DEFAULT, "quick", ("nvme",), "sync")
    plan = campaign.new(recipe, tmp_path, tmp_path)
    slice_ = {"status": "ok", "session": 1, "round": 2, "workload": "tpcc", "device": "nvme"}
    progress = Progress([slice_ | {"warmup_s": 30.0, "measure_s": 60.0}])
    said: list[str] = []
    Screen(plan, said.append, lambda _: overheads, time.time()).after_round(progress)
    return "\n".join(said)


def test_the_overheads_of_each_workload_stand_together(tmp_path: Path) -> None:
    said = _said(
        tmp_path,
        Overhead("linkbench", "nvme", 0.25, 0.2, 0.3),
        Overhead("linkbench", "ssd", None),
        Overhead("tpcc", "nvme", 0.5),
    )
    assert (
        "session 2 round 3, linkbench nvme 25.0 % [20.0, 30.0], linkbench ssd ?, tpcc nvme 50.0 %"
        in said
    )


def test_clients_and_knobs_are_told_where_they_differ(tmp_path: Path) -> None:
    said = _said(
        tmp_path,
        Overhead("linkbench", "nvme", 0.5, threads=1),
        Overhead("linkbench", "nvme", 0.25, threads=8),
        Overhead("kv-fillseq", "nvme", 0.75, knob="fsync"),
    )
    assert "linkbench 1 clients nvme 50.0 %, linkbench 8 clients nvme 25.0 %" in said
    assert "kv-fillseq 4 clients fsync nvme 75.0 %" in said


def test_the_time_left_is_that_of_both_workloads(tmp_path: Path) -> None:
    budget_s = profiles.load("quick", "rocksdb").timing.time_budget_s
    left = f"{int(2 * budget_s - 90) // 60}:{int(2 * budget_s - 90) % 60:02d}"
    assert _said(tmp_path).startswith(f"[1:30, at most {left} of slices left, by ")
    assert "no overhead yet" in _said(tmp_path)


def _rounds(count: int, session: int = 0) -> list[Row]:
    row = {"status": "ok", "session": session, "round": 0, "workload": "tpcc", "device": "nvme"}
    row["durability"] = "sync"
    return [{**row, "warmup_s": 1.0, "measure_s": 4.0} for _ in range(count)]


def test_the_end_is_told_by_the_wall_with_what_the_slices_waited_for(tmp_path: Path) -> None:
    """Loading took 20 s, four slices of 5 s as much: what is left takes twice its time."""
    plan = campaign.new(Recipe("rocksdb", ("tpcc",), "quick", ("nvme",)), tmp_path, tmp_path)
    budget_s = plan.profile.timing.time_budget_s
    wall = _Wall()
    clock = Screen(plan, print, lambda _: [], wall.now_s, wall)
    clock.left_s(Progress(_rounds(1)))
    wall.now_s += 40
    assert clock.left_s(Progress(_rounds(4))) == 2 * (budget_s - 20)


def test_a_resumed_campaign_s_pace_is_that_since_it_was_resumed(tmp_path: Path) -> None:
    plan = campaign.new(Recipe("rocksdb", ("tpcc",), "quick", ("nvme",)), tmp_path, tmp_path)
    budget_s = plan.profile.timing.time_budget_s
    wall = _Wall()
    clock = Screen(plan, print, lambda _: [], wall.now_s, wall)
    wall.now_s += 10
    earlier = _rounds(10)
    clock.left_s(Progress([*earlier, *_rounds(1)]))
    wall.now_s += 10
    assert clock.left_s(Progress([*earlier, *_rounds(2)])) == 2 * (budget_s - 60)
