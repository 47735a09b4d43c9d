from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from waltax.cell import WORKLOADS
from waltax.runners import campaign, loop, plan
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.loop import Stop
from waltax.runners.progress import Progress


def _campaign(tmp_path: Path, *workloads: str, **more: Any) -> Campaign:
    recipe = Recipe("rocksdb", workloads, "quick", ("nvme", "ssd"), "sync", **more)
    return campaign.new(recipe, tmp_path / "results", tmp_path / "data")


@pytest.fixture
def both(tmp_path: Path) -> Campaign:
    return _campaign(tmp_path, *WORKLOADS)


def _ids(campaign: Campaign, progress: Progress) -> list[str]:
    short = (cell.id.removeprefix("rocksdb-") for cell in progress.worth_measuring(campaign))
    return [name.replace("-quick", "").removesuffix("-t4") for name in short]


def _failed(*cells: str) -> Progress:
    return Progress(failures={f"rocksdb-{cell}-t4": "it died" for cell in cells})


def _spent(workload: str, seconds: float) -> dict[str, Any]:
    return {"workload": workload, "status": "ok", "warmup_s": 0.0, "measure_s": seconds}


def test_every_workload_has_a_baseline_and_every_device(both: Campaign) -> None:
    assert _ids(both, Progress()) == [
        f"{workload}-{place}"
        for workload in WORKLOADS
        for place in ("off-off", "nvme-sync", "ssd-sync")
    ]
    assert [cell.workload for cell in both.cells if cell.is_baseline] == list(WORKLOADS)


def test_a_workload_whose_baseline_failed_is_left_out_and_the_other_goes_on(
    both: Campaign,
) -> None:
    progress = _failed("linkbench-quick-off-off")
    assert _ids(both, progress) == ["tpcc-off-off", "tpcc-nvme-sync", "tpcc-ssd-sync"]
    assert loop._hopeless(both, progress) is None


def test_a_workload_of_which_only_the_baseline_is_left_is_left_out(both: Campaign) -> None:
    progress = _failed("tpcc-quick-nvme-sync", "tpcc-quick-ssd-sync")
    assert _ids(both, progress) == [
        "linkbench-off-off",
        "linkbench-nvme-sync",
        "linkbench-ssd-sync",
    ]


@pytest.mark.parametrize(
    ("failed", "stop"),
    [
        (("linkbench-quick-off-off", "tpcc-quick-off-off"), Stop.BASELINE),
        (
            tuple(f"{w}-quick-{d}-sync" for w in WORKLOADS for d in ("nvme", "ssd")),
            Stop.ALONE,
        ),
    ],
)
def test_a_campaign_of_which_nothing_can_be_compared_ends_and_says_why(
    both: Campaign, failed: tuple[str, ...], stop: Stop
) -> None:
    assert loop._earlier_stop(both, _failed(*failed), lambda _: []) is stop


def test_each_workload_has_the_whole_budget(tmp_path: Path, both: Campaign) -> None:
    budget_s = both.profile.timing.time_budget_s
    assert Progress().left_s(both) == 2 * budget_s
    assert Progress().left_s(_campaign(tmp_path, "tpcc")) == budget_s
    one = Progress([_spent("tpcc", budget_s + 5), _spent("linkbench", 10.0)])
    assert one.left_s(both) == budget_s - 10
    assert one.spent_s() == budget_s + 15


def test_a_workload_that_cannot_be_compared_has_no_time_left(both: Campaign) -> None:
    progress = _failed("tpcc-quick-off-off")
    assert progress.left_s(both) == both.profile.timing.time_budget_s


def test_a_plan_adds_the_workloads_up(tmp_path: Path, both: Campaign) -> None:
    parts = [plan.plan(_campaign(tmp_path, name)) for name in WORKLOADS]
    whole = plan.plan(both)
    for name in ("measuring_s", "disk_mib", "written_mib", "emulated_mib", "memory_mib"):
        assert getattr(whole, name) == sum(getattr(part, name) for part in parts), name
    assert parts[0].disk_mib != parts[1].disk_mib


def test_a_campaign_is_called_by_its_workloads_and_resumes_with_them(
    tmp_path: Path, both: Campaign
) -> None:
    assert both.id.endswith("-linkbench-tpcc-quick")
    both.save()
    again = campaign.resume(both.folder, tmp_path / "data")
    assert again.recipe == both.recipe
    assert again.cells == both.cells
    for name in WORKLOADS:
        assert (both.folder / f"rocksdb-{name}.options").stat().st_size > 0


def test_threads_that_are_asked_for_are_those_of_every_workload(tmp_path: Path) -> None:
    cells = _campaign(tmp_path, *WORKLOADS, threads=7).cells
    assert {cell.threads for cell in cells} == {7}
