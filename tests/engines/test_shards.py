"""Words of cuts, and the engines that are several nodes of another."""

from __future__ import annotations

import pytest
from waltax.base.errors import UsageError
from waltax.cell import Cell
from waltax.engines import ENGINES, SHARDED, WHOLE, Shards
from waltax.runners.recipe.comparison import plan


@pytest.mark.parametrize("word", ["n1", "n2", "n4-shared", "n4-hash", "n16-hash-shared"])
def test_a_word_says_the_same_cut_again(word: str) -> None:
    assert Shards.of(word).word == word


@pytest.mark.parametrize(
    "word", ["n0", "n17", "2", "n2-direct", "n2-redirect", "n2-shared-hash", "n2 "]
)
def test_what_is_no_word_of_a_cut_is_refused(word: str) -> None:
    with pytest.raises(UsageError, match=f"shards: found '{word}', want n1 to n16"):
        Shards.of(word)


def test_one_node_is_the_store_itself_whatever_is_said_of_nodes() -> None:
    assert Shards(1, "hash", shared=True).word == "n1"
    assert Shards.of("") == Shards.of("n1")
    assert Shards.of("").cut == {}


def test_the_driver_is_told_who_owns_what() -> None:
    assert Shards.of("n4-hash").cut == {"nodes": 4, "owner": "hash"}
    assert Shards.of("n2-shared").cut == {"nodes": 2, "owner": "range"}


def test_what_is_known_of_an_engine_holds_for_each_node_of_it() -> None:
    assert SHARDED == ("myrocks-shards", "rocksdb-shards")
    for name in SHARDED:
        node = ENGINES[ENGINES[name].store]
        assert node.name in WHOLE
        assert ENGINES[name].modes == node.modes
        assert ENGINES[name].wal_bytes == node.wal_bytes


def test_cells_of_two_cuts_have_baselines_of_their_own() -> None:
    start = Cell("myrocks-shards", "ycsb-a", "shards", "off", "off", 4).at(shards="n2-hash")
    off, synced = plan(start, ["nvme"], "sync")
    assert synced.baseline == off == start
    assert synced.id == "myrocks-shards-ycsb-a-shards-nvme-sync-t4-n2-hash"
    assert synced.nodes == 2
    other = Cell("myrocks-shards", "ycsb-a", "shards", "off", "off", 4).at(shards="n2")
    assert other.group != off.group


def test_a_workload_without_owners_of_keys_is_refused_on_shards() -> None:
    with pytest.raises(UsageError, match="found tpcc with --engine myrocks-shards") as refused:
        plan(Cell("myrocks-shards", "tpcc", "shards", "off", "off", 4), ["nvme"], "sync")
    assert "ycsb-a" in str(refused.value)
