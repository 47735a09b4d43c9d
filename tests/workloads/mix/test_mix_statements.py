"""What a server is sent of a mix: each step as a statement, and its tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from waltax.workloads.mix import compiled, read

_TOML = """\
[tables.customers]
rows = 9
columns.name = { size = 20 }
[tables.lines]
rows = 9
key = { columns = ["order"] }
columns.order = { type = "int", size = 4, range = [0, 9] }
columns.customer = { type = "int", references = "customers" }
columns.note = { size = 9000 }
columns.count = { type = "int", size = 1 }
indexes.by_customer = ["customer", "count"]
[operations.o]
transaction = TRANSACTION
draw.line = { row = "lines", count = 2 }
draw.customer = "customers"
draw.most = { uniform = [1, 9] }
steps = [{ STEP }]
"""


def _tables() -> Any:
    return json.loads(_compiled('get = "lines", row = "line"'))["tables"]


def _compiled(step: str, transaction: str = "true") -> str:
    text = _TOML.replace("STEP", step).replace("TRANSACTION", transaction)
    return compiled.compiled(read.read(Path("x.toml"), text.encode()))


def _step(step: str, transaction: str = "true") -> dict[str, Any]:
    (operation,) = json.loads(_compiled(step, transaction))["operations"]
    (only,) = operation["steps"]
    return dict(only)


_ALL = "`order`, `customer`, `note`, `count`"


@pytest.mark.parametrize(
    ("step", "sql"),
    [
        (
            'get = "lines", row = "line", columns = ["count"]',
            "SELECT `count` FROM `lines` WHERE (`order`, id) IN ((?, ?), (?, ?))",
        ),
        (
            'get = "lines", row = "line", one_by_one = true, lock = true',
            f"SELECT {_ALL} FROM `lines` WHERE `order` = ? AND id = ? FOR UPDATE",
        ),
        (
            'scan = "lines", from = "line", order = "desc", limit = "most"',
            f"SELECT {_ALL} FROM `lines` FORCE INDEX (PRIMARY) WHERE (`order` < ? OR (`order` = ? "
            "AND id <= ?)) ORDER BY `order` DESC, id DESC LIMIT ?",
        ),
        (
            'scan = "lines", by = "by_customer", from = "customer", limit = 5',
            f"SELECT {_ALL} FROM `lines` FORCE INDEX (`by_customer`) WHERE `customer` = ? "
            "ORDER BY `customer`, `count` LIMIT 5",
        ),
        ('scan = "lines", by = "count"', f"SELECT {_ALL} FROM `lines` ORDER BY `count`"),
        ('scan = "lines"', f"SELECT {_ALL} FROM `lines` FORCE INDEX (PRIMARY)"),
        (
            'insert = "customers"',
            "INSERT INTO `customers` (id, `name`) VALUES (?, ?)",
        ),
        (
            'put = "customers", row = "customer"',
            "INSERT INTO `customers` (id, `name`) VALUES (?, ?) "
            "ON DUPLICATE KEY UPDATE `name` = VALUES(`name`)",
        ),
        (
            'update = "lines", row = "line", set = { note = "new" }, add = { count = 1 }',
            "UPDATE `lines` SET `note` = ?, `count` = `count` + ? WHERE `order` = ? AND id = ?",
        ),
        ('delete = "customers", row = "customer"', "DELETE FROM `customers` WHERE id = ?"),
    ],
)
def test_a_step_is_a_statement(step: str, sql: str) -> None:
    assert _step(step)["sql"] == [sql]


def test_a_step_of_one_column_has_a_statement_for_each() -> None:
    step = 'get = "lines", row = "line", columns = ["note", "count"], one_column = true'
    assert [sql[:15] for sql in _step(step)["sql"]] == ["SELECT `note` F", "SELECT `count` "]


@pytest.mark.parametrize(
    ("more", "alone"),
    [(', columns = ["count"]', True), ("", False), (', columns = ["note"]', False)],
)
def test_a_scan_of_an_index_alone_is_sent_as_text(more: str, alone: bool) -> None:
    step = _step(f'scan = "lines", by = "by_customer", from = "customer"{more}')
    assert (step["as_text"], step["scan"]["covered"]) == (alone, alone)


def test_tables_have_families_on_myrocks_and_foreign_keys_on_innodb() -> None:
    columns = (
        "CREATE TABLE `lines` (id BIGINT NOT NULL, `order` INT NOT NULL, `customer` BIGINT NOT "
        "NULL, `note` MEDIUMTEXT NOT NULL, `count` TINYINT NOT NULL, PRIMARY KEY (`order`, id)"
    )
    assert _tables()[1]["create"] == {
        "myrocks": f"{columns} COMMENT 'cfname=cf_lines', "
        "KEY `by_customer` (`customer`, `count`) COMMENT 'cfname=cf_lines_by_customer')",
        "innodb": f"{columns}, KEY `by_customer` (`customer`, `count`), "
        "FOREIGN KEY (`customer`) REFERENCES `customers` (id))",
    }
