"""A campaign knows of a mix what its file says, and keeps that file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from waltax import workloads
from waltax.profiles import load
from waltax.workloads.mix import record

ORDERS = """
title = "Orders"
unit = "orders/s"
[tables.customers]
rows = 1_000
key = { bytes = 8 }
columns.name = { size = [20, 60] }
columns.credit = { type = "int" }
indexes.by_name = ["name"]
[tables.orders]
rows = 2_000
loaded = false
columns.customer = { type = "int", references = "customers" }
[load]
clients = 3
[operations.new-order]
weight = 1
transaction = "two-phase"
draw.customer = "customers"
steps = [
  { get = "customers", row = "customer" },
  { insert = "orders", set = { customer = "customer" } },
]
[operations.look]
weight = 3
draw.customer = "customers"
steps = [{ get = "customers", row = "customer" }]
"""


def test_a_record_says_what_its_file_does() -> None:
    one = record.record("orders", ORDERS)
    assert (one.title, one.unit.name, one.unit.request) == ("Orders", "orders/s", "order")
    assert one.writes == ("new-order",)
    assert one.records_a_commit == 2
    assert one.column_families == 4
    assert one.data_mb() == 1  # 1,000 rows of 8 + 40 + 8 bytes, and entries of 8 + 40


@pytest.mark.parametrize(
    ("path", "name"),
    [("a/My Mix_2.toml", "my-mix-2"), ("orders.toml", "orders"), ("...toml", "mix")],
)
def test_a_mix_is_called_as_its_file_in_letters_that_a_cell_can_have(path: str, name: str) -> None:
    assert record.name_of(Path(path)) == name


def test_data_sets_are_told_apart_by_tables_and_not_by_operations() -> None:
    one = record.record("orders", ORDERS)
    more_rows = record.record("orders", ORDERS.replace("rows = 1_000", "rows = 1_001"))
    other_share = record.record("orders", ORDERS.replace("weight = 3", "weight = 4"))
    assert one.data_digest == other_share.data_digest != more_rows.data_digest
    assert len({one.digest, other_share.digest, more_rows.digest}) == 3


def test_a_driver_is_told_what_a_file_said_when_it_was_named() -> None:
    workloads.add_mixes({"kept-orders": ORDERS})
    told = json.loads(Path(str(workloads.of("kept-orders").flags["file"])).read_text())
    assert [one["name"] for one in told["operations"]] == ["new-order", "look"]
    assert workloads.own_texts(("kept-orders", "linkbench")) == {"kept-orders": ORDERS}
    assert workloads.UNITS["orders/s"].request == "order"


def test_a_profile_that_does_not_size_it_measures_what_its_file_says() -> None:
    workloads.add_mixes({"large-orders": ORDERS.replace("rows = 1_000", "rows = 10_000_000")})
    profile = load("ci", "rocksdb")
    sizes = profile.model_copy(update={"mix": None})
    assert sizes.workload("large-orders").data_mb == 993
    assert profile.workload("large-orders").data_mb == 516  # half as many rows, and the profile's
    assert profile.threads_of("large-orders") == 3


def test_a_workload_of_ours_keeps_its_name() -> None:
    with pytest.raises(ValueError, match="tpcc: a workload of waltax has this name"):
        workloads.add_mixes({"tpcc": ORDERS})


def test_a_campaign_that_keeps_no_mix_is_refused_as_such() -> None:
    with pytest.raises(ValueError, match="odd: no file of a workload"):
        workloads.recall({"mixes": {"odd": "title = 'no tables'"}})
