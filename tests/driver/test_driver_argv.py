"""Command lines of the driver programs."""

from __future__ import annotations

from pathlib import Path

from waltax.driver.argv import command_line


def test_flags_are_words_of_their_own_in_their_order() -> None:
    argv = command_line(
        *(Path("/b/linkbench"), "load"),
        {"db": Path("/d"), "threads": 2},
        {"maxid1": 100_001, "degree_cap": 10_000, "degree_floor": -1},
    )
    head = ["/b/linkbench", "load", "--db=/d", "--threads=2"]
    assert argv == [*head, "--maxid1=100001", "--degree-cap=10000", "--degree-floor=-1"]


def test_a_place_is_named_once_for_each_node() -> None:
    nodes = ({"db": f"/d{node}", "wal_dir": f"/w{node}"} for node in range(2))
    argv = command_line(Path("mix"), "run", *nodes, {"nodes": 2})
    places = ["--db=/d0", "--wal-dir=/w0", "--db=/d1", "--wal-dir=/w1"]
    assert argv == ["mix", "run", *places, "--nodes=2"]


def test_a_switch_has_no_value() -> None:
    argv = command_line(Path("tpcc"), "run", {"print_options": True})
    assert argv == ["tpcc", "run", "--print-options"]
