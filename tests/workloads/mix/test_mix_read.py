"""A mix's file is read strictly: each mistake by its line, its key, and what to type instead."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.workloads.mix import explain, read
from waltax.workloads.mix.record import FILES

RIGHT = """\
title = "Items"
[tables.items]
rows = 1_000
key = { bytes = 8, order = "hashed" }
columns.stock = { type = "int", range = [0, 9] }
columns.name = { size = [10, 20] }
columns.data = { type = "bytes", size = 1_000 }
indexes.by_name = ["name"]
[tables.sales]
rows = 0
columns.item = { type = "int", references = "items" }
columns.number = { type = "int", size = 1 }
[operations.sell]
weight = 3
transaction = true
draw.item = { row = "items", choice = "zipfian" }
draw.many = { row = "items", count = 9 }
draw.number = { uniform = [1, 10] }
steps = [
  { get = "items", row = "many" },
  { insert = "sales", set = { item = "item", number = "number" } },
  { update = "items", row = "item", add = { stock = "-number" } },
]
[operations.look]
draw.item = "items"
steps = [{ scan = "items", by = "by_name", from = "item", limit = 5 }]
"""


def _mistakes(text: str) -> list[str]:
    with pytest.raises(UsageError) as error:
        read.read(Path("mine.toml"), text.encode())
    return list(error.value.lines)


def _words(text: str) -> list[str]:
    return list(explain.words("mine", read.read(Path("mine.toml"), text.encode())))


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("weight = 3", "weigth = 3", "14: operations.sell.weigth: unknown key; accepted: weight, "),
        ("rows = 1_000", 'rows = "many"', '3: tables.items.rows: found "many", want a whole numb'),
        ("bytes = 8", "bytes = 5", "4: tables.items.key.bytes: found 5, want 4, or 8 or more"),
        ("[10, 20]", "[20, 10]", "6: tables.items.columns.name.size: found an array of 2, want b"),
        ("[10, 20]", "[10, 999]", "8: tables.items.indexes.by_name: found \"name\", 999 text, wan"),
        ('["name"]', '["nmae"]', '8: tables.items.indexes.by_name: found "nmae"'),
        ('references = "items"', 'references = "itms"', "11: tables.sales.columns.item.ref"),
        ('"zipfian"', '"zipf"', "16: operations.sell.draw.item.choice: found "),
        ("[1, 10]", "[1, 200]", "21: operations.sell.steps[1].set.number: found \"number\", w"),
        ('"-number"', '"-item"', "22: operations.sell.steps[2].add.stock: found "),
        ('row = "item",', 'row = "itm",', "22: operations.sell.steps[2].row: found "),
        ('insert = "sales"', 'insert = "sale"', "21: operations.sell.steps[1].insert"),
        ('from = "item"', 'from = "itm"', "26: operations.look.steps[0].from: found "),
        ("limit = 5", "batch = 5", "26: operations.look.steps[0].batch: found it with scan"),
        ('get = "items"', 'got = "items"', "20: operations.sell.steps[0].got: unknown key; accept"),
        ('row = "many"', 'row = "number"', '20: operations.sell.steps[0].row: found "number", wan'),
        ('row = "many"', 'row = ["many"]', "20: operations.sell.steps[0].row: found an array of 1"),
        ("transaction = true", 'transaction = "two"', "15: operations.sell.transaction"),
        ("transaction = true", 'transaction = "optimistic"', "24: operations.look.transaction: fo"),
        ("weight = 3", "weight = 0\n[load]\nclients = -1", "16: load.clients: found -1, want a "),
        ("title", "load = { clients = 2, pool = 3 }\ntitle", "1: load.pool: found 3, want at "),
        ("title", "load = { rate = 9, think_time_ms = 1 }\ntitle", "1: load.think_time_ms: found"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_by_its_line_and_key(right: str, wrong: str, said: str) -> None:
    assert right in RIGHT
    told = _mistakes(RIGHT.replace(right, wrong, 1))
    assert any(line.startswith(f"mine.toml:{said}") for line in told), told


def test_a_value_of_no_kind_that_its_key_takes_is_one_mistake_with_all_kinds() -> None:
    (told,) = _mistakes(RIGHT.replace("transaction = true", 'transaction = "yes"'))
    assert told == (
        'mine.toml:15: operations.sell.transaction: found "yes", want true or false, '
        "or one of 'optimistic' or 'two-phase'"
    )


def test_weights_that_sum_to_nothing_are_refused() -> None:
    text = RIGHT.replace("weight = 3", "weight = 0").replace('draw.item = "items"', "weight = 0\n")
    assert (
        "operations: found weights that sum to 0"
        in _mistakes(text.replace('from = "item", ', ""))[-1]
    )


def test_every_mistake_of_a_kind_is_told_at_once() -> None:
    told = _mistakes(RIGHT.replace("weight", "weigth").replace("rows = 0", "row = 0"))
    assert len(told) == 2


def test_a_file_that_is_no_toml_is_told_by_the_parsers_line() -> None:
    (line,) = _mistakes(RIGHT.replace("weight = 3", "weight ="))
    assert line.startswith("mine.toml: not TOML: ")
    assert "line 14" in line


def test_a_file_is_explained_in_plain_words() -> None:
    words = _words(RIGHT)
    assert words[0] == "Items: 1.05 MB of data"
    assert words[3] == (
        "  75 % sell: reads 9 rows of items at once, inserts a row of sales, updates stock of a "
        "row of items; in one transaction. It writes about 1.07 kB to the log, in 1 record."
    )
    assert words[4] == "    Rows of items are drawn zipfian, with a constant of 0.99."
    assert words[5] == "    Rows of items are drawn uniformly."
    assert words[6] == (
        "  25 % look: reads up to 5 rows of items by by_name from one on. It writes nothing to the "
        "log."
    )


def test_how_clients_come_is_explained_where_a_file_says_it() -> None:
    load = "[load]\nclients = 8\nthink_time_ms = 2.5\nramp_s = 10\npool = 4\n"
    assert _words(RIGHT + load)[-1] == (
        "  8 clients, in a closed loop, with a pause of 2.5 ms between two operations, beginning "
        "one after the other over 10 s, sharing 4 connections."
    )
    assert _words(RIGHT + "[load]\nrate = 1000\n")[-1] == (
        "  As many clients as the profile says, in an open loop of 1,000 operations/s that come by "
        "chance."
    )


def test_rows_follow_from_bytes() -> None:
    text = RIGHT.replace("rows = 1_000", 'bytes = "1 GB"')
    mix = read.read(Path("mine.toml"), text.encode())
    # 8 + 8 + 15 + 1,000 bytes of a row, and 8 + 15 of its entry.
    assert explain.rows(mix, mix.tables["items"]) == -(-(10**9) // 1054)


@pytest.mark.parametrize("path", sorted(FILES.glob("*.toml")), ids=lambda path: path.stem)
def test_each_file_of_ours_is_right(path: Path) -> None:
    assert _words(path.read_text())
