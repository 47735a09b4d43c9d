"""A scaled profile is the paper's in all but its size, and says so by its name."""

from __future__ import annotations

import json

import pytest
from waltax import profiles
from waltax.profiles import Profile
from waltax.studies import profile_scale


@pytest.fixture
def paper() -> Profile:
    return profiles.load("paper", "myrocks")


def test_ids_warehouses_and_time_shrink_and_the_rest_stays(paper: Profile) -> None:
    half = profile_scale.at_scale(paper, 0.5)
    assert half.workload("linkbench").load["maxid1"] == 5_000_001
    assert half.workload("tpcc").load["warehouses"] == 50
    assert half.timing.time_budget_s == paper.timing.time_budget_s / 2
    assert half.timing.measure_s == paper.timing.measure_s / 2
    assert half.timing.min_sessions == paper.timing.min_sessions
    assert (half.threads, half.server, half.engine) == (paper.threads, paper.server, "myrocks")
    assert half.workload("linkbench").data_mb == paper.workload("linkbench").data_mb / 2


def test_a_small_scale_stops_at_what_an_interval_needs(paper: Profile) -> None:
    small = profile_scale.at_scale(paper, 0.0001)
    assert small.workload("linkbench").load["maxid1"] == 1_001
    assert small.workload("tpcc").load["warehouses"] == 1
    timing = small.timing
    assert (timing.time_budget_s, timing.measure_s, timing.warmup_s) == (300, 1.5, 0.3)
    slices_s = timing.rounds_per_session * (timing.measure_s + timing.warmup_s) + timing.settle_s
    assert 4 * timing.min_sessions * slices_s < timing.time_budget_s  # of four cells


def test_the_largest_node_keeps_its_share_of_the_graph(paper: Profile) -> None:
    assert "degree_cap" not in paper.workload("linkbench").load
    assert profile_scale.at_scale(paper, 0.01).workload("linkbench").load["degree_cap"] == 9_620


@pytest.mark.parametrize(("scale", "terminals"), [(1.0, 100), (0.55, 60), (0.1, 10), (0.01, 10)])
def test_terminals_stay_a_multiple_of_the_threads(
    paper: Profile, scale: float, terminals: int
) -> None:
    assert profile_scale.at_scale(paper, scale).workload("tpcc").run["terminals"] == terminals


@pytest.mark.parametrize(("scale", "tpcc_mb"), [(0.5, 3155), (0.01, 72), (0.0001, 72)])
def test_data_take_what_they_have_and_not_what_was_asked(
    paper: Profile, scale: float, tpcc_mb: int
) -> None:
    small = profile_scale.at_scale(paper, scale)
    assert small.workload("tpcc").load["warehouses"] == max(1, round(100 * scale))
    assert small.workload("tpcc").data_mb == tpcc_mb
    ci = profile_scale.at_scale(profiles.load("ci"), 0.001)
    mix = ci.workload("kv-overwrite")
    assert mix.load["scale"] == pytest.approx(0.0005)
    assert mix.data_mb == 21  # the profile's own 20 do not shrink


def _kept(profile: Profile) -> Profile:
    """The profile as a campaign of it keeps it and reads it again."""
    content = json.loads(json.dumps(profile.model_dump(exclude_none=True)))
    return profiles.resized(content, profile.engine)


def test_a_scaled_profile_has_a_name_and_a_digest_of_its_own(paper: Profile) -> None:
    kept = _kept(profile_scale.at_scale(paper, 0.01))
    assert (kept.name, kept.title) == ("paper-x0.01", f"{paper.title}, times 0.01")
    assert kept.digest not in ("", paper.digest)
    assert _kept(profile_scale.at_scale(paper, 0.01)).digest == kept.digest
    assert _kept(profile_scale.at_scale(paper, 0.02)).digest != kept.digest


@pytest.mark.parametrize("engine", ["rocksdb", "myrocks", "innodb"])
def test_every_engine_s_profile_survives_being_kept(engine: str) -> None:
    half = profile_scale.at_scale(profiles.load("quick", engine), 0.5)
    assert _kept(half).model_copy(update={"digest": ""}) == half
