from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from waltax.base.errors import UsageError
from waltax.engines import ENGINES
from waltax.row import Row
from waltax.runners import campaign, loop, plan
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.loop import Outcome
from waltax.runners.progress import Progress
from waltax.runners.stop_rule import LOOKS_FROM, Stop
from waltax.workloads import DEFAULT


def _campaign(tmp_path: Path, *workloads: str, **more: Any) -> Campaign:
    """One that could end two sessions before anybody looks at its intervals."""
    recipe = Recipe("rocksdb", workloads, "quick", ("nvme", "ssd"), "sync", **more)
    made = campaign.new(recipe, tmp_path / "results", tmp_path / "data")
    timing = made.profile.timing.model_copy(update={"min_sessions": LOOKS_FROM - 2})
    return replace(made, profile=made.profile.model_copy(update={"timing": timing}))


@pytest.fixture
def both(tmp_path: Path) -> Campaign:
    return _campaign(tmp_path, *DEFAULT)


def _ids(campaign: Campaign, progress: Progress) -> list[str]:
    short = (cell.id.removeprefix("rocksdb-") for cell in progress.worth_measuring(campaign))
    return [name.replace("-quick", "").removesuffix("-t4") for name in short]


def _failed(*cells: str) -> Progress:
    return Progress(failures={f"rocksdb-{cell}-t4": "it died" for cell in cells})


def _spent(workload: str, seconds: float, session: int = 0) -> dict[str, Any]:
    row = {"workload": workload, "status": "ok", "session": session}
    return {**row, "warmup_s": 0.0, "measure_s": seconds}


def _run_of_a_command(begins_s: float, seconds: float) -> dict[str, Any]:
    return {**_spent("command", seconds), "start_unix_s": begins_s}


def test_a_command_spends_the_time_between_its_runs_and_none_that_a_resume_was_away() -> None:
    runs = [_run_of_a_command(0, 1), _run_of_a_command(5, 1), _run_of_a_command(10_000, 1)]
    assert Progress(runs).spent_s() == 3 + 4 + 60
    assert Progress([_spent("tpcc", 1), _spent("tpcc", 1)]).spent_s() == 2


def test_what_cells_do_to_catch_up_is_spent_too() -> None:
    assert (
        Progress([{**_spent("tpcc", 1), "unmeasured_s": 0.5}, _spent("tpcc", 1)]).spent_s() == 2.5
    )


@dataclass(frozen=True)
class Width:
    cell: str
    half_width: float | None
    at: Any = None
    overhead: float | None = None
    low: float | None = None
    high: float | None = None


def _no_estimates(_rows: list[Row]) -> list[Width]:
    return []


def _widths(**by_workload: float) -> Callable[[list[Row]], list[Width]]:
    """The same half-width for both devices of a workload."""
    return lambda _rows: [
        Width(f"rocksdb-{workload}-quick-{device}-sync-t4", width)
        for workload, width in by_workload.items()
        for device in ("nvme", "ssd")
    ]


def test_every_workload_has_a_baseline_and_every_device(both: Campaign) -> None:
    assert _ids(both, Progress()) == [
        f"{workload}-{place}"
        for workload in DEFAULT
        for place in ("off-off", "nvme-sync", "ssd-sync")
    ]
    assert [cell.workload for cell in both.cells if cell.is_baseline] == list(DEFAULT)


def test_a_workload_whose_baseline_failed_is_left_out_and_the_other_goes_on(
    both: Campaign,
) -> None:
    progress = _failed("linkbench-quick-off-off")
    assert _ids(both, progress) == ["tpcc-off-off", "tpcc-nvme-sync", "tpcc-ssd-sync"]
    assert loop._ended(both, progress, _no_estimates) == {"linkbench": Stop.HOPELESS}


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
        (("linkbench-quick-off-off", "tpcc-quick-off-off"), Stop.HOPELESS),
        (
            tuple(f"{w}-quick-{d}-sync" for w in DEFAULT for d in ("nvme", "ssd")),
            Stop.HOPELESS,
        ),
    ],
)
def test_a_campaign_of_which_nothing_can_be_compared_ends_and_says_why(
    both: Campaign, failed: tuple[str, ...], stop: Stop
) -> None:
    stops = loop._ended(both, _failed(*failed), _no_estimates)
    assert stops == dict.fromkeys(DEFAULT, stop)
    assert Outcome(stops, Progress()).reason == stop.value


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


def _last_session(campaign: Campaign) -> int:
    return campaign.profile.timing.min_sessions - 1


def test_a_workload_that_spent_its_budget_is_left_out_of_further_sessions(both: Campaign) -> None:
    budget_s, last = both.profile.timing.time_budget_s, _last_session(both)
    rows = [_spent("tpcc", budget_s, last), _spent("linkbench", budget_s / 2, last)]
    ended = loop._ended(both, Progress(rows), _no_estimates)
    assert {cell.workload for cell in Progress(rows).due(both, ended)} == {"linkbench"}
    early = [row | {"session": last - 1} for row in rows]
    assert loop._ended(both, Progress(early), _no_estimates) == {}


def test_what_a_tight_workload_has_not_spent_is_the_other_ones(both: Campaign) -> None:
    budget_s = both.profile.timing.time_budget_s
    widths = _widths(linkbench=0.001, tpcc=0.5)

    def ended(tpcc_s: float) -> dict[str, Stop]:
        spent = {"linkbench": budget_s / 4, "tpcc": tpcc_s}
        rows = [_spent(name, seconds, LOOKS_FROM - 1) for name, seconds in spent.items()]
        return loop._ended(both, Progress(rows), widths)

    assert ended(1.7 * budget_s) == {"linkbench": Stop.TIGHT}
    assert ended(1.8 * budget_s) == {"linkbench": Stop.TIGHT, "tpcc": Stop.BUDGET}


def test_a_workload_that_can_give_nothing_leaves_no_time_to_the_other(both: Campaign) -> None:
    progress = _failed("linkbench-quick-off-off")
    budget_s = both.profile.timing.time_budget_s
    assert progress.rule(both, {"linkbench"}).budget_s == budget_s
    assert Progress().rule(both, {"linkbench"}).budget_s == 2 * budget_s


@pytest.mark.parametrize(
    ("linkbench", "tpcc", "spent", "stops"),
    [
        (0.5, 0.5, (), {}),
        (0.001, 0.5, (), {"linkbench": Stop.TIGHT}),
        (0.001, 0.001, (), {"linkbench": Stop.TIGHT, "tpcc": Stop.TIGHT}),
        (0.5, 0.5, ("tpcc",), {"tpcc": Stop.BUDGET}),
        (0.001, 0.5, ("tpcc",), {"linkbench": Stop.TIGHT, "tpcc": Stop.BUDGET}),
        (0.001, 0.001, ("tpcc",), {"linkbench": Stop.TIGHT, "tpcc": Stop.BOTH}),
    ],
)
def test_every_workload_ends_for_a_reason_of_its_own(
    both: Campaign,
    linkbench: float,
    tpcc: float,
    spent: tuple[str, ...],
    stops: dict[str, Stop],
) -> None:
    last, budget_s = LOOKS_FROM - 1, both.profile.timing.time_budget_s
    seconds = {name: 2 * budget_s if name in spent else 1.0 for name in DEFAULT}
    progress = Progress([_spent(name, s, last) for name, s in seconds.items()])
    assert loop._ended(both, progress, _widths(linkbench=linkbench, tpcc=tpcc)) == stops


def test_a_campaign_that_time_ends_before_anybody_looks_says_that_its_intervals_are_narrow(
    both: Campaign,
) -> None:
    budget_s = both.profile.timing.time_budget_s
    progress = Progress([_spent(name, 2 * budget_s, LOOKS_FROM - 2) for name in DEFAULT])
    stops = loop._ended(both, progress, _widths(linkbench=0.001, tpcc=0.5))
    assert stops == {"linkbench": Stop.BOTH, "tpcc": Stop.BUDGET}
    outcome = Outcome({"linkbench": Stop.BOTH}, progress)
    assert outcome.tight == []  # it was not picked for them
    assert outcome.reason == (
        "the time budget is spent; every interval is narrower than its target"
    )


def test_no_workload_is_tight_before_it_has_its_sessions(both: Campaign) -> None:
    progress = Progress([_spent("tpcc", 1.0, _last_session(both) - 1)])
    assert loop._ended(both, progress, _widths(linkbench=0.001, tpcc=0.001)) == {}


@pytest.fixture
def innodb(tmp_path: Path) -> Campaign:
    recipe = Recipe("innodb", ("tpcc",), "quick", ("nvme", "ssd"))
    return campaign.new(recipe, tmp_path / "results", tmp_path / "data")


def test_a_device_of_innodb_without_its_own_baseline_is_left_out_and_the_others_go_on(
    innodb: Campaign,
) -> None:
    progress = Progress(failures={"innodb-tpcc-quick-nvme-delayed-t4": "it died"})
    left = [(cell.device, cell.durability) for cell in progress.worth_measuring(innodb)]
    assert left == [("ssd", "delayed"), ("ssd", "sync"), ("ssd", "flush")]
    assert loop._ended(innodb, progress, _no_estimates) == {}
    progress.failures["innodb-tpcc-quick-ssd-delayed-t4"] = "it died, too"
    assert loop._ended(innodb, progress, _no_estimates) == {"tpcc": Stop.HOPELESS}


def test_one_failed_baseline_of_two_is_not_why_nothing_can_be_compared(innodb: Campaign) -> None:
    failed = ("nvme-delayed", "ssd-sync", "ssd-flush")
    progress = Progress(failures={f"innodb-tpcc-quick-{cell}-t4": "it died" for cell in failed})
    assert loop._ended(innodb, progress, _no_estimates) == {"tpcc": Stop.HOPELESS}


def test_a_campaign_is_called_by_its_engine_and_plans_for_copies_of_its_data(
    innodb: Campaign, both: Campaign
) -> None:
    assert "-innodb-tpcc-quick" in innodb.id
    assert "-rocksdb-linkbench-tpcc-quick" in both.id
    sizes, data_mib = plan.plan(innodb), innodb.profile.workload("tpcc").data_mb
    assert sizes.disk_mib > (1 + len(innodb.cells)) * data_mib
    assert sizes.emulated_mib >= len(innodb.cells) * 128


def test_a_server_s_profile_without_a_size_to_plan_by_is_refused(innodb: Campaign) -> None:
    server = {k: v for k, v in innodb.profile.server.items() if k != "innodb_log_file_size"}
    bare = replace(innodb, profile=innodb.profile.model_copy(update={"server": server}))
    with pytest.raises(UsageError, match=r"server\.innodb_log_file_size: found None, want a size"):
        plan.plan(bare)


def test_reasons_that_differ_are_told_with_their_workloads() -> None:
    stops = {"linkbench": Stop.TIGHT, "tpcc": Stop.HOPELESS}
    assert Outcome(stops, Progress()).reason == (
        "linkbench: every interval is narrower than its target; "
        "tpcc: no cell is left that can be compared with its baseline"
    )


class _Sessions:
    """In place of an executor: in each session, every cell that is due is measured for a minute."""

    on_hosts = False

    def __init__(self, campaign: Campaign, progress: Progress) -> None:
        self.cells: list[set[str]] = []
        self._campaign, self._progress = campaign, progress

    opened: Any = None

    def go_on(self, ended: frozenset[str], _hooks: Any) -> None:
        number = self._progress.sessions
        due = self._progress.due(self._campaign, ended)
        self._progress.rows += [_spent(cell.workload, 40.0, number) for cell in due]
        self.cells.append({cell.workload for cell in due})


def test_while_one_workload_goes_on_the_one_without_a_budget_rests(both: Campaign) -> None:
    """Budgets of 200 s: three cells spend them in two sessions, two cells in three."""
    progress = _failed("tpcc-quick-nvme-sync")
    timing = both.profile.timing.model_copy(update={"min_sessions": 2})
    short = replace(both, profile=both.profile.model_copy(update={"timing": timing}))
    screen: Any = Mock(estimator=_widths(linkbench=0.5, tpcc=0.5))
    sessions = _Sessions(short, progress)
    stops = loop._sessions(short, sessions, progress, screen, lambda: False)
    assert sessions.cells == [set(DEFAULT), set(DEFAULT), {"tpcc"}]
    assert stops == dict.fromkeys(DEFAULT, Stop.BUDGET)


def test_a_small_data_set_does_not_fill_a_large_cache(tmp_path: Path) -> None:
    campaign = _campaign(tmp_path, "linkbench")
    rocksdb = campaign.profile.embedded
    data_mib = 1.5 * campaign.profile.workload("linkbench").data_mb
    cell_mib = data_mib + rocksdb.max_total_wal_mb + ENGINES["rocksdb"].process_mib
    assert plan.plan(campaign).memory_mib == 3 * cell_mib + plan.plan(campaign).emulated_mib


def test_a_plan_adds_the_workloads_up(tmp_path: Path, both: Campaign) -> None:
    parts = [plan.plan(_campaign(tmp_path, name)) for name in DEFAULT]
    whole = plan.plan(both)
    assert plan.measuring_s(both) == sum(
        plan.measuring_s(_campaign(tmp_path, name)) for name in DEFAULT
    )
    for name in ("disk_mib", "written_mib", "emulated_mib", "memory_mib"):
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


def test_a_campaign_that_another_waltax_wrote_is_not_resumed(
    tmp_path: Path, both: Campaign
) -> None:
    both.save()
    path = both.folder / "campaign.json"
    saved = json.loads(path.read_text())
    saved["workload"] = saved.pop("workloads")
    path.write_text(json.dumps(saved))
    with pytest.raises(
        UsageError, match="written by another waltax, or changed since: start a new campaign"
    ):
        campaign.resume(both.folder, tmp_path / "data")


def test_without_a_choice_all_workloads_of_the_profile_are_measured(tmp_path: Path) -> None:
    assert _campaign(tmp_path).recipe.workloads == DEFAULT


def test_threads_that_are_asked_for_are_those_of_every_workload(tmp_path: Path) -> None:
    cells = _campaign(tmp_path, *DEFAULT, axes={"threads": ("7",)}).cells
    assert {cell.threads for cell in cells} == {7}


def test_a_profile_of_mixes_alone_asks_for_a_workload(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--workload kv-fillrandom"):
        campaign.new(Recipe("rocksdb", (), "sweep-knobs", ("nvme",)), tmp_path, tmp_path)


def test_campaigns_that_begin_in_the_same_second_have_folders_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Planning one takes about a millisecond, so that the real clock may give two one name.
    began = [datetime(2024, 1, 31, 23, 59, 59, us) for us in (7_000, 8_000, 123_999)]
    monkeypatch.setattr(campaign, "datetime", Mock(now=Mock(side_effect=began)))
    recipe = Recipe("rocksdb", ("linkbench",), "quick", ("nvme",))
    names = [campaign.new(recipe, tmp_path, tmp_path).id for _ in began]
    assert [name.removesuffix("-rocksdb-linkbench-quick") for name in names] == [
        f"20240131-235959-{ms}" for ms in ("007", "008", "123")
    ]
    assert names == sorted(names)


def test_within_a_session_only_time_ends_it_and_no_interval(both: Campaign) -> None:
    """Looking after each round, a campaign would end where its sessions agree by accident."""
    last, budget_s = _last_session(both), both.profile.timing.time_budget_s

    def ends(rows: list[Row], *ended: str) -> bool:
        return loop._out_of_time(both, Progress(rows), frozenset(ended))

    assert not ends([_spent(name, 1.0, last) for name in DEFAULT])
    assert not ends([_spent("tpcc", budget_s, last)])
    assert ends([_spent(name, budget_s, last) for name in DEFAULT])
    assert not ends([_spent("tpcc", budget_s, last)], "linkbench")
    assert ends([_spent("tpcc", 2 * budget_s, last)], "linkbench")
