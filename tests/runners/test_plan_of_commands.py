"""Whether there is room for a user's own program, and what a plan says of its runs."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from waltax.base.errors import UsageError, WaltaxError
from waltax.runners import campaign, plan
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.recipe.parts import Command

_Memory = namedtuple("_Memory", "available")
Planned = Callable[..., Campaign]


@pytest.fixture
def planned(tmp_path: Path) -> Planned:
    """A program on each device and its baseline, none of which has begun."""

    def make(*devices: str, **command: Any) -> Campaign:
        told = {"run": "true", "metric": "(.)", "data": "", "log": ("wal/*",), **command}
        asked = Command(timeout_s=1.0, rounds=4, sessions=3, **told)
        recipe = Recipe("program", ("command",), "quick", devices or ("nvme",), command=asked)
        return campaign.new(replace(recipe, durability="sync"), tmp_path / "results", tmp_path)

    return make


def test_the_data_of_a_server_are_copied_once_at_a_time_like_a_programs(
    planned: Planned, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    with (tmp_path / "mine" / "table").open("wb") as file:
        file.truncate(300 << 20)
    mine = {"data": str(tmp_path / "mine")}
    assert plan.plan(planned(**mine)).disk_mib - plan.plan(planned()).disk_mib == 2 * 300
    served = planned("nvme", "ssd", serves=True, load="true", **mine)
    assert plan.plan(served).disk_mib - plan.plan(planned()).disk_mib == 2 * 300


def test_too_little_memory_is_refused_with_both_figures(
    planned: Planned, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan.require_room(planned())
    monkeypatch.setattr(psutil, "virtual_memory", lambda: _Memory(1 << 20))
    with pytest.raises(WaltaxError, match=r"^1 MiB of memory available, but .* may need \d"):
        plan.require_room(planned())


def test_how_long_a_command_takes_is_not_known_but_how_often_it_runs_is(planned: Planned) -> None:
    assert plan.plan(planned("nvme", "ssd")).whole_runs == 3 * 4 * 3


@pytest.mark.parametrize("metric", ["(", "no group", "(two) (groups)"])
def test_a_metric_that_cannot_be_is_refused_at_once(planned: Planned, metric: str) -> None:
    with pytest.raises(UsageError, match="--metric"):
        planned(metric=metric)


def test_a_resumed_campaign_has_its_command(planned: Planned) -> None:
    one = planned(run="echo 1")
    one.save()
    again = campaign.resume(one.folder, None)
    assert again.recipe.command == one.recipe.command
    assert again.profile.timing.rounds_per_session == 4
    assert again.cells == one.cells
