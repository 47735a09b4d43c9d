"""What a plan says that it will resolve, and by whose noise."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from waltax.analysis.results.source import machine_of
from waltax.runners import campaign, plan
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.cells import machine
from waltax.runners.plan import Noise
from waltax.studies import noise


def _plan(folder: Path, profile: str = "quick") -> Campaign:
    recipe = Recipe("rocksdb", ("linkbench",), profile, ("nvme", "ssd", "nvram"), "sync")
    return campaign.new(recipe, folder / "results", folder / "data")


def _earlier(planned: Campaign, name: str, rounds_sd: float, cpu: str = "", **more: Any) -> None:
    """The report of a campaign of before."""
    folder = planned.folder.parent / name
    folder.mkdir(parents=True)
    of = {"engine": "rocksdb", "workload": "linkbench", "profile": "quick"} | more
    figures = {"sd_between_sessions": 0.03, "sd_between_rounds": rounds_sd}
    narrow = {**of, **figures, "overhead_half_width": 0.001, "sd_between_rounds": 9.0}
    widest = {**of, **figures, "overhead_half_width": 0.04}
    cells = [{**of, "overhead_half_width": None}, narrow, widest]
    here = machine.provenance() | ({"cpu_model": cpu} if cpu else {})
    summary = {"cells": cells, "machines": [machine_of(here)]}
    (folder / "summary.json").write_text(json.dumps(summary))


def test_three_points_need_the_rounds_of_the_usual_formula() -> None:
    """At 80 % power near nothing: (1.96 + 0.84)^2 times the variance over the effect's square."""
    timing = _timing()
    assert Noise(0.0, 0.15, "").rounds_for(0.03, timing) == pytest.approx(190, abs=1)
    shared = Noise(0.15, 0.0, "").rounds_for(0.03, timing)
    assert shared == pytest.approx(190 * timing.rounds_per_session, rel=0.01)


def test_so_many_rounds_resolve_what_needs_so_many() -> None:
    one, timing = Noise(0.02, 0.15, ""), _timing()
    assert one.effect_of(one.rounds_for(0.03, timing), timing) == pytest.approx(0.03, rel=0.01)


def _timing() -> Any:
    from waltax import profiles

    return profiles.load("quick").timing


def test_a_plan_has_the_rounds_that_its_budget_is_for(tmp_path: Path) -> None:
    planned = _plan(tmp_path)
    timing = {"settle_s": 2.0, "warmup_s": 0.5, "measure_s": 1.5, "rounds_per_session": 3}
    budgets = {29.9: 3, 30.0: 3, 30.1: 4, 44.0: 4, 44.1: 5, 300.0: 30, 1.0: 3}

    def rounds(budget_s: float) -> int:
        told = planned.profile.timing.model_copy(
            update={**timing, "min_sessions": 3, "time_budget_s": budget_s}
        )
        profile = planned.profile.model_copy(update={"timing": told})
        return plan.rounds(replace(planned, profile=profile), "linkbench")

    assert {budget_s: rounds(budget_s) for budget_s in budgets} == budgets


def test_the_noise_is_that_of_the_newest_campaign_of_this_profile_and_machine(
    tmp_path: Path,
) -> None:
    planned = _plan(tmp_path)
    (line,) = noise.words(planned, "linkbench")
    assert "SD 0.15 between rounds" in line
    assert "no such campaign was measured here yet" in line
    _earlier(planned, "20260101-a", 0.4)
    _earlier(planned, "20260102-b", 0.25)
    _earlier(planned, "20260103-other", 0.7, profile="ci")
    _earlier(planned, "20260104-elsewhere", 0.8, cpu="Another CPU")
    (planned.folder.parent / "20260105-cut").mkdir()
    (planned.folder.parent / "20260105-cut" / "summary.json").write_text('{"cells": [1')
    (line,) = noise.words(planned, "linkbench")
    assert "SD 0.25 between rounds, 0.03 between sessions, from " in line
    assert "20260102-b" in line
