"""A cell whose emulated device is late for good."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from waltax import row
from waltax.runners import campaign, record
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.cells.live import Position
from waltax.runners.progress import Progress
from waltax.runners.session import Hooks, Session

SLICES = 9


@pytest.fixture
def planned(tmp_path: Path) -> Campaign:
    recipe = Recipe("rocksdb", ("linkbench",), "quick", ("nvme",), "sync", seed=1)
    plan = campaign.new(recipe, tmp_path / "results", tmp_path / "data")
    plan.folder.mkdir(parents=True)
    return plan


def _checked(plan: Campaign, took_us: float, disturbed: list[str]) -> tuple[Progress, list[str]]:
    """What a session's check makes of slices whose syncs of 100 us took so long; who was killed."""
    (cell,) = (one for one in plan.cells if not one.is_baseline)
    late = {
        **record.identity(plan, cell, Position(0, 0, 0)),
        **{"status": "ok", "failure": None, "throughput": 1.0, "throughput_unit": "requests/s"},
        **{"tap_syncs": 2000, "tap_wanted_ns": 200e6, "tap_achieved_ns": 2e6 * took_us},
        **{"tap_wanted_sync_us_p50": 100.0, "tap_sync_us_p50": took_us},
        **{"sched_wait_s": 0.0, "disturbed": disturbed},
    }
    progress, killed = Progress([late] * SLICES), list[str]()
    keep = partial(row.append, plan.rows_path)
    hooks = Hooks(keep, lambda _: None, lambda _: False, lambda: False)
    session = Session(plan, {}, progress, hooks, 0)
    live: Any = SimpleNamespace(cell=cell, check=lambda: None, kill=lambda: killed.append(cell.id))
    session._cells[cell.id] = live
    session._check()
    return progress, killed


def test_it_fails_where_its_session_ends_and_its_processes_end(planned: Campaign) -> None:
    progress, killed = _checked(planned, 150.0, ["late emulation"])
    ((cell, why),) = progress.failures.items()
    assert why.startswith("emulated syncs were too long in most slices: wanted were 100 us")
    assert killed == [cell]
    assert progress.rows[-1]["status"] == "failed"
    assert progress.rows[-1]["failure"] == why


@pytest.mark.parametrize(("took_us", "disturbed"), [(105.0, []), (150.0, ["foreign CPU"])])
def test_it_goes_on_where_it_was_in_time_or_others_made_it_late(
    planned: Campaign, took_us: float, disturbed: list[str]
) -> None:
    progress, killed = _checked(planned, took_us, disturbed)
    assert (progress.failures, killed) == ({}, [])
