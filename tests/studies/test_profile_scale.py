"""A scaled profile is the paper's in all but its size, and says so by its name."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from waltax import profiles
from waltax.profiles import Profile
from waltax.studies import files, profile_scale


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


def test_a_scaled_profile_has_a_name_and_a_digest_of_its_own(
    paper: Profile, tmp_path: Path
) -> None:
    path = profile_scale.write(profile_scale.at_scale(paper, 0.01), tmp_path)
    read = profiles.load(str(path), "myrocks")
    assert (read.name, read.title) == ("paper-x0.01", f"{paper.title}, times 0.01")
    assert read.digest not in ("", paper.digest)
    assert read.model_copy(update={"digest": "", "path": ""}) == profile_scale.at_scale(paper, 0.01)
    again = profiles.load(
        str(profile_scale.write(profile_scale.at_scale(paper, 0.01), tmp_path)), "myrocks"
    )
    assert again.digest == read.digest
    other = profiles.load(
        str(profile_scale.write(profile_scale.at_scale(paper, 0.02), tmp_path)), "myrocks"
    )
    assert other.digest != read.digest


@pytest.mark.parametrize("engine", ["rocksdb", "myrocks", "innodb"])
def test_every_engine_s_profile_survives_being_written(engine: str, tmp_path: Path) -> None:
    quick = profiles.load("quick", engine)
    read = profiles.load(
        str(profile_scale.write(profile_scale.at_scale(quick, 0.5), tmp_path)), engine
    )
    assert read.model_copy(update={"digest": "", "path": ""}) == profile_scale.at_scale(quick, 0.5)


def test_what_is_written_is_toml_whatever_is_in_it() -> None:
    table: files.Table = {
        "text": 'a "quoted" \\ word; é',
        "flag": True,
        "whole": 3,
        "part": 0.25,
        "outer": {"a_key": 1, "inner": {"x": "y"}, "odd key": 2},
    }
    assert tomllib.loads(files.toml(table)) == table
