"""Whether there is room for the servers of a user's command, and what a plan says of its runs."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
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
    """A server per device and its baseline, none of which is made."""

    def make(engine: str = "myrocks", *devices: str, **command: Any) -> Campaign:
        told = {"run": "true", "metric": "(.)", "data": "empty", "prepare": None, **command}
        asked = Command(timeout_s=1.0, rounds=4, sessions=3, **told)
        recipe = Recipe(engine, ("command",), "quick", devices or ("nvme",), command=asked)
        return campaign.new(recipe, tmp_path / "results", tmp_path)

    return make


def test_every_server_has_a_cache_and_every_emulated_one_a_log_in_memory(planned: Planned) -> None:
    one, two = (plan.plan(planned("myrocks", *names)) for names in (["ssd"], ["ssd", "nvme"]))
    assert two.emulated_mib == 2 * one.emulated_mib > 0
    server = two.memory_mib - one.memory_mib - one.emulated_mib
    assert one.memory_mib == 2 * server + one.emulated_mib
    assert server > 100


def test_clones_of_innodb_are_copies(planned: Planned) -> None:
    def data_mib(engine: str) -> float:
        sizes = [plan.plan(planned(engine, data=data)).disk_mib for data in ("linkbench", "empty")]
        return sizes[0] - sizes[1]

    assert data_mib("innodb") > 3 * data_mib("myrocks")


def test_a_data_directory_of_the_user_counts_with_its_files(
    planned: Planned, tmp_path: Path
) -> None:
    (tmp_path / "mine" / "#rocksdb").mkdir(parents=True)
    with (tmp_path / "mine" / "#rocksdb" / "a.sst").open("wb") as file:
        file.truncate(300 << 20)
    mine = plan.plan(planned(data=str(tmp_path / "mine")))
    assert mine.disk_mib - plan.plan(planned()).disk_mib == 300


def test_too_little_memory_is_refused_with_both_figures(
    planned: Planned, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan.require_room(planned())
    monkeypatch.setattr(psutil, "virtual_memory", lambda: _Memory(1 << 20))
    with pytest.raises(WaltaxError, match=r"^1 MiB of memory available, but .* may need \d"):
        plan.require_room(planned())


def test_how_long_a_command_takes_is_not_known_but_how_often_it_runs_is(planned: Planned) -> None:
    assert plan.plan(planned("myrocks", "nvme", "ssd")).whole_runs == 3 * 4 * 3


@pytest.mark.parametrize("metric", ["(", "no group", "(two) (groups)"])
def test_a_metric_that_cannot_be_is_refused_at_once(planned: Planned, metric: str) -> None:
    with pytest.raises(UsageError, match="--metric"):
        planned(metric=metric)


def test_a_command_needs_a_server(planned: Planned) -> None:
    with pytest.raises(UsageError, match="a command finds its server by a socket"):
        planned("rocksdb")


def test_a_resumed_campaign_has_its_command(planned: Planned) -> None:
    one = planned(run="echo 1", prepare="true")
    one.save()
    again = campaign.resume(one.folder, None)
    assert again.recipe.command == one.recipe.command
    assert again.profile.timing.rounds_per_session == 4
    assert again.cells == one.cells
