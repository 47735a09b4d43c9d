"""What follows from a mix's file is said once, in what its program reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from waltax.workloads.mix import compiled, read

_TOML = """\
[tables.accounts]
rows = 9
columns.owner = { size = 20 }
columns.balance = { type = "int", range = [0, 9] }
indexes.by_owner = ["owner"]
[operations.first]
weight = 3
[[operations.first.steps]]
insert = "accounts"
[operations.second]
draw.account = "accounts"
draw.two = { row = "accounts", count = 2 }
draw.amount = { uniform = [1, 9] }
"""


def _mix(steps: str, *, transaction: str = "false", more: str = "") -> Any:
    text = f"{_TOML}transaction = {transaction}\nsteps = [{steps}]\n{more}"
    return json.loads(compiled.compiled(read.read(Path("x.toml"), text.encode())))


def _steps(steps: str, transaction: str = "false") -> Any:
    return _mix(steps, transaction=transaction)["operations"][1]["steps"]


_PUT = '{ put = "accounts", row = "account" }'
_TWO = '{ put = "accounts", row = "two" }'
_GET = '{ get = "accounts", row = "two" }'


def test_operations_have_shares_up_to_theirs_and_steps_places_among_all() -> None:
    mix = _mix(f"{_GET}, {_PUT}")
    assert [each["up_to"] for each in mix["operations"]] == [0.75, 1]
    assert [step["place"] for each in mix["operations"] for step in each["steps"]] == [0, 1, 2]
    assert mix["most_values"] == 4


def test_a_step_has_the_place_of_its_rows_and_inserts_come_behind_all_draws() -> None:
    steps = _steps(f'{_GET}, {_PUT}, {{ insert = "accounts" }}, {{ insert = "accounts" }}')
    assert [step["at"] for step in steps] == [1, 0, 4, 5]


@pytest.mark.parametrize(
    ("steps", "transaction", "multi"),
    [
        (_PUT, "false", [False]),
        (_TWO, "false", [True]),
        (_GET, "false", [False]),
        (_GET, "true", [True]),
        (f"{_PUT}, {_PUT}", "false", [False, False]),
        (f"{_PUT}, {_PUT}", "true", [True, True]),
    ],
)
def test_several_commands_of_redis_are_one_commit(
    steps: str, transaction: str, multi: list[bool]
) -> None:
    assert [step["multi"] for step in _steps(steps, transaction)] == multi


def test_an_update_changes_the_entries_of_its_columns_alone() -> None:
    update = '{ update = "accounts", row = "account", set = { COLUMN } }'
    owner, balance = 'owner = "new"', "balance = 3"
    (of_owner,) = _steps(update.replace("COLUMN", owner))
    (of_balance,) = _steps(update.replace("COLUMN", balance))
    assert (of_owner["indexes"], of_balance["indexes"]) == ([0], [])


def test_rows_of_a_table_with_an_index_are_put_under_a_lock() -> None:
    (put,) = _steps(_PUT)
    mix = _mix(_PUT)
    assert not put["unlocked"]
    assert mix["operations"][0]["steps"][0]["unlocked"]  # an insert, whose key is new


@pytest.mark.parametrize(
    ("added", "counter", "raised"),
    [
        ("2", True, True),
        ('"amount"', True, True),
        ("-2", True, False),
        ('"-amount"', True, False),
    ],
)
def test_a_column_that_is_only_added_to_is_counted(added: str, counter: bool, raised: bool) -> None:
    step = f'{{ update = "accounts", row = "account", add = {{ balance = {added} }} }}'

    def changes(*more: str) -> dict[str, bool]:
        columns = _mix(", ".join([step, *more]))["tables"][0]["columns"]
        return dict(columns[1])

    found = changes()
    assert (found["added"], found["counter"], found["raised"]) == (True, counter, raised)
    assert not changes(_PUT)["counter"]


@pytest.mark.parametrize(
    ("draw", "wants"),
    [
        ('"accounts"', True),
        ('{ row = "accounts", misses = 0.1 }', False),
        ('{ row = "accounts", count = 2 }', False),
    ],
)
def test_a_row_that_nobody_misses_on_purpose_must_be_there(draw: str, wants: bool) -> None:
    get = f'draw.row = {draw}\nsteps = [{{ get = "accounts", row = "row" }}]\n'
    mix = _mix(_GET, more=f"[operations.third]\n{get}")
    assert mix["operations"][2]["wants_rows"] is wants
    deletes = '[operations.fourth]\ndraw.row = "accounts"\n'
    deletes += 'steps = [{ delete = "accounts", row = "row" }]\n'
    mix = _mix(_GET, more=f"[operations.third]\n{get}{deletes}")
    assert not mix["operations"][2]["wants_rows"]


def test_a_data_set_is_of_its_tables_and_not_of_what_is_done_to_them() -> None:
    mix = _mix(_GET)
    assert _mix(_PUT)["digest"] == mix["digest"]
    more = "[tables.more]\nrows = 1\ncolumns.a = {}\n"
    assert _mix(_GET, more=more)["digest"] != mix["digest"]
