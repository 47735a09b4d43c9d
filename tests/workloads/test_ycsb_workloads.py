"""YCSB's six workloads are files of the mix: their records, and the words that name them."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax import profiles, workloads
from waltax.base.errors import UsageError
from waltax.runners import campaign
from waltax.runners.campaign import Recipe

NAMES = tuple(f"ycsb-{letter}" for letter in "abcdef")
WORKLOADS = tuple(map(workloads.of, NAMES))


def test_six_workloads_share_a_program_and_a_data_set() -> None:
    assert {one.driver_program for one in WORKLOADS} == {"mix"}
    assert len({one.data_digest for one in WORKLOADS}) == 1
    assert len({one.digest for one in WORKLOADS}) == 6
    assert {(one.unit.name, one.unit.request) for one in WORKLOADS} == {("ops/s", "operation")}
    assert all(one.engines is None for one in WORKLOADS)
    assert [one.name for one in WORKLOADS if not one.sharded] == ["ycsb-e"]  # it scans
    assert not workloads.of("shop").sharded


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
    assert {"ycsb", *NAMES, "linkbench", "kv-read"} <= set(workloads.WORDS)
    assert not {"ycsb", "kv-read"} & set(workloads.DRIVEN)
    assert not set(NAMES) & set(workloads.DEFAULT)


def test_a_campaign_of_all_six_is_called_by_their_section_since_sockets_want_short_names(
    tmp_path: Path,
) -> None:
    assert workloads.called(NAMES) == ("ycsb",)
    assert workloads.called(("tpcc", *NAMES[:2])) == ("tpcc", "ycsb-a", "ycsb-b")
    assert workloads.called([f"kv-fillseq-k16-v{n}00" for n in range(1, 6)]) == (
        *("kv-fillseq-k16-v100", "4-more"),
    )
    recipe = Recipe("myrocks", NAMES, "quick", ("nvme",), "sync", seed=1)
    assert campaign.new(recipe, tmp_path, tmp_path).id.endswith("-myrocks-ycsb-quick")


def test_a_profile_of_an_earlier_release_is_told_what_it_lacks(tmp_path: Path) -> None:
    quick = (profiles.model.FOLDER / "quick.toml").read_text().replace('"quick"', '"mine"')
    path = tmp_path / "mine.toml"
    path.write_text(f"{quick}\n[ycsb]\ndata_mb = 9\nload.recordcount = 50000\n")
    with pytest.raises(UsageError, match=r"ycsb.load.scale: missing; it is the size of"):
        profiles.load(str(path))


def test_a_section_of_its_own_goes_before_that_of_all_mixes() -> None:
    paper, quick = profiles.load("paper"), profiles.load("quick")
    assert paper.workload("ycsb-a").load == {"scale": 50.0}
    assert paper.workload("shop").load == {"scale": 1.0}
    assert quick.workload("ycsb-a").load == {"scale": 1.0}
    assert quick.workload("ycsb-a").data_mb == 40 + 112


@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_a_size_has_as_many_records_on_every_engine(engine: str) -> None:
    for size in profiles.names(engine):
        here, embedded = (profiles.load(size, of).workload("ycsb-a") for of in (engine, "rocksdb"))
        assert here.load == embedded.load
