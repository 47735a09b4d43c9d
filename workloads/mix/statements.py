"""The SQL of a mix: how a server makes, loads and checks a table, and does each step."""

from __future__ import annotations

from typing import Any

from ...engines import SERVED, myrocks
from .file import Column, Draw, Mix, Operation, Step, Table
from .judge import int_bytes, longest, scanned

_LONG_TEXT = 8_000  # bytes, from which on it is a blob
_LONG_ROW = 65_000  # of all texts together, likewise
_INTS = {1: "TINYINT", 2: "SMALLINT", 4: "INT", 8: "BIGINT"}


def of_table(mix: Mix, name: str, table: Table) -> dict[str, Any]:
    """Return what a load makes of a table, and what a check reads it by."""
    columns = ["id", *map(_quoted, table.columns)]
    scans = {"PRIMARY": columns}
    for index, of in table.indexes.items():
        scans[_quoted(index)] = ["id", *map(_quoted, of)]
    return {
        "create": {engine: _create(mix, name, table, engine) for engine in SERVED},
        "sql_name": _quoted(name),
        "sql_columns": ", ".join(columns),
        # By the key, then by each index, which is read alone.
        "scans": [
            f"SELECT {', '.join(of)} FROM {_quoted(name)} FORCE INDEX ({by})"
            for by, of in scans.items()
        ],
    }


def of_step(mix: Mix, operation: Operation, step: Step) -> list[str]:
    """Return a step's statement; of one that picks a column, a statement for each."""
    table = mix.tables[step.table]
    if not step.one_column:
        return [_text(table, operation, step, step.columns, list(step.set))]
    if step.set:
        return [_text(table, operation, step, [], [column]) for column in step.set]
    return [_text(table, operation, step, [column], []) for column in step.columns]


def is_sent_as_text(mix: Mix, step: Step) -> bool:
    """Return whether a scan reads an index alone, for which a server wants it as text."""
    table = mix.tables[step.table]
    indexed = table.indexes.get(step.by or "")
    if indexed is None or step.from_ is None or isinstance(step.limit, str) or step.one_column:
        return False
    first = table.columns[indexed[0]]
    sendable = first.type != "int" or first.references is not None
    return sendable and bool(step.columns) and set(step.columns) <= set(indexed)


def _quoted(name: str) -> str:
    return f"`{name}`"


def _create(mix: Mix, name: str, table: Table, engine: str) -> str:
    families = engine == myrocks.ENGINE.name

    def family(of: str) -> str:
        return f" COMMENT 'cfname=cf_{of}'" if families else ""

    parts = [f"id {_id_type(table)} NOT NULL"]
    parts += [
        f"{_quoted(column)} {_type(mix, table, each)} NOT NULL"
        for column, each in table.columns.items()
    ]
    parts.append(f"PRIMARY KEY ({_key(table)}){family(name)}")
    for index, columns in table.indexes.items():
        of = ", ".join(map(_quoted, columns))
        parts.append(f"KEY {_quoted(index)} ({of}){family(f'{name}_{index}')}")
    for column, each in table.columns.items():
        if each.references and not families:  # MyRocks has none
            refers = f"REFERENCES {_quoted(each.references)} (id)"
            parts.append(f"FOREIGN KEY ({_quoted(column)}) {refers}")
    return f"CREATE TABLE {_quoted(name)} ({', '.join(parts)})"


def _id_type(table: Table) -> str:
    if table.key.text:
        return f"VARCHAR({len(table.key.text) + max(table.key.digits, 20)})"
    return f"BINARY({table.key.bytes})" if table.key.bytes > 8 else _INTS[table.key.bytes]


def _type(mix: Mix, table: Table, column: Column) -> str:
    if column.type == "int":
        return _INTS[int_bytes(mix, column)]
    row = sum(longest(each) for each in table.columns.values() if each.type != "int")
    if longest(column) > _LONG_TEXT or row > _LONG_ROW:
        return "MEDIUMTEXT" if column.type == "text" else "MEDIUMBLOB"
    return f"{'VARCHAR' if column.type == 'text' else 'VARBINARY'}({longest(column)})"


def _key(table: Table) -> str:
    return ", ".join([*map(_quoted, table.key.columns), "id"])


def _is_key(table: Table) -> str:
    return " AND ".join(f"{column} = ?" for column in [*map(_quoted, table.key.columns), "id"])


def _from_key(table: Table, descending: bool) -> str:
    """Return the rows from a key on, each column of which takes two values but the last."""
    text = f"id {'<=' if descending else '>='} ?"
    for column in map(_quoted, reversed(table.key.columns)):
        text = f"({column} {'<' if descending else '>'} ? OR ({column} = ? AND {text}))"
    return text


def _text(
    table: Table, operation: Operation, step: Step, columns: list[str], changed: list[str]
) -> str:
    name = _quoted(step.table)
    read = ", ".join(_quoted(each) for each in table.columns if not columns or each in columns)
    match step.verb:
        case "get":
            return f"SELECT {read} FROM {name} WHERE {_rows(table, operation, step)}"
        case "scan":
            draw = operation.draw[step.from_] if step.from_ else None
            return f"SELECT {read} FROM {name}{_scan(table, step, draw)}"
        case "update":
            sets = [f"{_quoted(each)} = ?" for each in changed]
            sets += [f"{_quoted(each)} = {_quoted(each)} + ?" for each in step.add]
            return f"UPDATE {name} SET {', '.join(sets)} WHERE {_is_key(table)}"
        case "delete":
            return f"DELETE FROM {name} WHERE {_is_key(table)}"
    names = ["id", *map(_quoted, table.columns)]
    insert = f"INSERT INTO {name} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    if step.verb == "insert":
        return insert
    anew = ", ".join(f"{each} = VALUES({each})" for each in names[1:])
    return f"{insert} ON DUPLICATE KEY UPDATE {anew}"


def _rows(table: Table, operation: Operation, step: Step) -> str:
    count = operation.rows(step)
    lock = " FOR UPDATE" if step.lock else ""
    if count == 1 or step.one_by_one:
        return _is_key(table) + lock
    key = f"({', '.join('?' * (1 + len(table.key.columns)))})"
    return f"({_key(table)}) IN ({', '.join([key] * count)}){lock}"


def _scan(table: Table, step: Step, draw: Draw | None) -> str:
    columns, descending = scanned(table, step), step.order == "desc"
    text, is_index = "", step.by in table.indexes
    if columns is None:
        order = [_quoted(str(step.by))]
    else:
        order = [*map(_quoted, columns), *([] if is_index else ["id"])]
        text = f" FORCE INDEX ({_quoted(str(step.by)) if is_index else 'PRIMARY'})"
        if draw is not None:
            of_row = draw.row == step.table and not is_index
            text += f" WHERE {_from_key(table, descending) if of_row else f'{order[0]} = ?'}"
    # Where all rows are wanted, one order is as good as another.
    if step.limit or descending or columns is None:
        way = " DESC" if descending else ""
        text += f" ORDER BY {', '.join(column + way for column in order)}"
    if isinstance(step.limit, str):
        return f"{text} LIMIT ?"
    return f"{text} LIMIT {step.limit}" if step.limit else text
