"""The records of YCSB's six workloads, and the words that name them."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax import profiles, workloads
from waltax.base.errors import UsageError
from waltax.runners import campaign
from waltax.runners.campaign import Recipe
from waltax.workloads.ycsb.workload import WORKLOADS

NAMES = tuple(f"ycsb-{letter}" for letter in "abcdef")


def test_six_workloads_share_a_program_and_differ_in_their_mix() -> None:
    assert tuple(one.name for one in WORKLOADS) == NAMES
    assert {one.sized_by for one in WORKLOADS} == {"ycsb"}
    for one in WORKLOADS:
        shares = [float(one.run[name]) for name in one.run if name.endswith("proportion")]
        assert (len(shares), sum(shares)) == (5, 1.0)
    mixes = {one.name: {k: v for k, v in one.run.items() if v} for one in WORKLOADS}
    assert mixes["ycsb-a"] == {
        "readproportion": 0.5,
        "updateproportion": 0.5,
        "requestdistribution": "zipfian",
    }
    assert mixes["ycsb-d"]["requestdistribution"] == "latest"
    assert mixes["ycsb-e"]["maxscanlength"] == 100
    assert mixes["ycsb-f"]["readmodifywriteproportion"] == 0.5


def test_what_commits_is_what_the_mix_writes() -> None:
    writes = {one.name[-1]: one.writes for one in WORKLOADS}
    assert writes == {
        "a": ("UPDATE",),
        "b": ("UPDATE",),
        "c": (),
        "d": ("INSERT",),
        "e": ("INSERT",),
        "f": ("READ-MODIFY-WRITE",),
    }


def test_a_section_names_all_that_it_sizes_and_a_name_itself() -> None:
    assert workloads.named("ycsb") == NAMES
    assert workloads.named("ycsb-c") == ("ycsb-c",)
    assert workloads.named("tpcc") == ("tpcc",)
    assert {"ycsb", *NAMES, "linkbench", "dbbench"} <= set(workloads.WORDS)
    assert not {"ycsb", "dbbench"} & set(workloads.DRIVEN)
    assert not set(NAMES) & set(workloads.DEFAULT)


def test_a_campaign_of_all_six_is_called_by_their_section_since_sockets_want_short_names(
    tmp_path: Path,
) -> None:
    assert workloads.called(NAMES) == ("ycsb",)
    assert workloads.called(("tpcc", *NAMES[:2])) == ("tpcc", "ycsb-a", "ycsb-b")
    recipe = Recipe("myrocks", NAMES, "quick", ("nvme",), "sync", seed=1)
    assert campaign.new(recipe, tmp_path, tmp_path).id.endswith("-myrocks-ycsb-quick")


def test_a_profile_does_not_change_the_mix(tmp_path: Path) -> None:
    quick = (profiles.model.FOLDER / "quick.toml").read_text().replace('"quick"', '"mine"')
    path = tmp_path / "mine.toml"
    path.write_text(quick.replace("operationcount =", "readproportion = 0.7\noperationcount ="))
    with pytest.raises(UsageError, match=r"ycsb\.run: readproportion: set by waltax itself"):
        profiles.load(str(path))


@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_a_size_has_as_many_records_on_every_engine(engine: str) -> None:
    for size in profiles.names(engine):
        here = profiles.load(size, engine).sections.get("ycsb")
        if here is not None:
            embedded = profiles.load(size).sections["ycsb"]
            assert (here.load, here.run) == (embedded.load, embedded.run)


def test_at_a_share_there_are_fewer_records_and_operations() -> None:
    quick = profiles.load("quick").sections["ycsb"]
    shrink = WORKLOADS[0].scale.shrink
    assert shrink is not None
    load, run = shrink(quick.load, quick.run, 0.1, 4)
    assert (load["recordcount"], run["operationcount"]) == (10_000, 10_000)
    assert shrink(quick.load, quick.run, 0.001, 4)[0]["recordcount"] == 1000
