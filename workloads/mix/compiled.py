"""A mix as its program takes it: JSON in which every name is a place, so that a run looks nothing
up. The program's own structs have the same names (file.h).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, get_args

from . import ROWS, statements
from .explain import rows
from .file import VERBS, Column, Draw, Mix, Number, Operation, Step, Table
from .judge import int_bytes, longest, scanned

_NONE = 2**64 - 1  # as the program has a place that is none
# Words of a choice, numbered as in the program.
_TYPES = get_args(Column.model_fields["type"].annotation)
_CHOICES = get_args(Draw.model_fields["choice"].annotation)
_COMMITS = (False, True, "optimistic", "two-phase")


def compiled(mix: Mix) -> str:
    """Return the JSON of a mix. REQUIRES: `judge` finds no fault in it."""
    tables = [_table(mix, name, table) for name, table in mix.tables.items()]
    total = sum(operation.weight for operation in mix.operations.values())
    operations = [_operation(mix, name, each) for name, each in mix.operations.items()]
    shares = accumulate(each.weight / total for each in mix.operations.values())
    for operation, up_to in zip(operations, shares, strict=True):
        operation["up_to"] = up_to
    for place, step in enumerate(step for of in operations for step in of["steps"]):
        step["place"] = place
    families = ["default"]
    for name, table in zip(mix.tables, tables, strict=True):
        table["family"] = len(families)
        families += [name, *(f"{name}.{index}" for index in mix.tables[name].indexes)]
    stored = {name: of.model_dump(exclude_defaults=True) for name, of in mix.tables.items()}
    whole = {
        "unit": mix.unit,
        "load": mix.load.model_dump(),
        "families": families,
        "tables": tables,
        "operations": operations,
        "most_values": max(each.pop("values") for each in operations),
        "digest": hashlib.sha256(json.dumps([ROWS, stored]).encode()).hexdigest(),
    }
    return json.dumps(whole)


def _table(mix: Mix, name: str, table: Table) -> dict[str, Any]:
    names = list(table.columns)
    steps = [
        (of, step) for of in mix.operations.values() for step in of.steps if step.table == name
    ]
    verbs = {step.verb for _, step in steps}
    return {
        **table.model_dump(include={"loaded", "ordered", "shared"}),
        "name": name,
        "rows": rows(mix, table),
        "key": {
            **table.key.model_dump(include={"bytes", "digits"}),
            "is_text": bool(table.key.text),
            "prefix": table.key.text or f"{name}:",
            "hashed": table.key.order == "hashed",
            "fnv": table.key.order == "fnv",
            "columns": _places(table.key.columns, names),
        },
        "columns": [_column(mix, table, column, steps) for column in names],
        "stored": [names.index(column) for column in _stored(table)],
        "key_bytes": table.key.bytes
        + sum(int_bytes(mix, table.columns[column]) for column in table.key.columns),
        "indexes": [
            {"name": index, "columns": _places(columns, names)}
            for index, columns in table.indexes.items()
        ],
        "inserted": "insert" in verbs,
        "put": "put" in verbs,
        "deleted": "delete" in verbs,
        **statements.of_table(mix, name, table),
    }


def _stored(table: Table) -> list[str]:
    return [column for column in table.columns if column not in table.key.columns]


def _column(
    mix: Mix, table: Table, name: str, steps: Sequence[tuple[Operation, Step]]
) -> dict[str, Any]:
    column = table.columns[name]
    is_int = column.type == "int"
    fixed = is_int or column.size is None or column.size.low == column.size.high
    long = longest(column) >= 1 << 16
    low, high = column.range or (0, 0)
    size = column.size.model_dump() if column.size and not is_int else None
    is_set = any(name in step.set for _, step in steps)
    verbs = {step.verb for _, step in steps}
    lowers = [_lowers(of, step.add[name]) for of, step in steps if name in step.add]
    counts = bool(lowers) and not is_set and not verbs & {"put", "delete"}
    return {
        "name": name,
        "type": _TYPES.index(column.type),
        **({"size": size} if size else {}),
        "bytes": int_bytes(mix, column) if is_int else 0,
        "compressibility": column.compressibility,
        "low": low,
        "high": high,
        "references": _place(column.references, list(mix.tables)),
        # What a check may want of it.
        "set": is_int and is_set,
        "renewed": not is_int and (is_set or "put" in verbs),
        "added": bool(lowers),
        "counter": counts,
        "raised": counts and not any(lowers),
        "head": f"\0\0\0{chr(len(name))}{name}" if table.named and not is_int else "",
        "fixed": fixed,
        "length_bytes": 0 if fixed or name == _stored(table)[-1] else 4 if long else 2,
    }


def _lowers(of: Operation, value: Number) -> bool:
    """Return whether a column may be less when a value was added to it."""
    if isinstance(value, int):
        return value < 0
    low, high = of.draw[value.removeprefix("-")].uniform or (0, 0)
    return high > 0 if value.startswith("-") else low < 0


def _operation(mix: Mix, name: str, operation: Operation) -> dict[str, Any]:
    draws, places, at = [], {}, 0
    for drawn, each in operation.draw.items():
        draws.append(_draw(mix, each) | {"at": at})
        places[drawn] = at
        at += each.count
    steps = [_step(mix, operation, step) for step in operation.steps]
    for said, step in zip(operation.steps, steps, strict=True):
        if said.one_column:
            # Its choice is a draw of its own, which a log of acknowledgements has, too.
            step["pick"] = len(draws)
            last = len(said.set or said.columns) - 1
            draws.append({"low": 0, "high": last, "at": at})
            at += 1
    for said, step in zip(operation.steps, steps, strict=True):
        step["at"] = places[said.row] if said.row else at
        at += said.verb == "insert"
    rows = [places[drawn] for drawn, each in operation.draw.items() if each.row]
    rows += [step["at"] for step in steps if step["verb"] == VERBS.index("insert")]
    return {
        "name": name,
        "commit": _COMMITS.index(operation.transaction),
        "draws": draws,
        "values": max(at, 1),
        "row_at": rows[0] if rows else 0,
        "wants_rows": all(_wants_row(mix, draw) for draw in operation.draw.values()),
        "steps": steps,
    }


def _wants_row(mix: Mix, draw: Draw) -> bool:
    """Return whether nobody misses the row on purpose, takes it away, or has yet to put it."""
    if draw.row is None:
        return True
    table = mix.tables[draw.row]
    steps = (step for of in mix.operations.values() for step in of.steps)
    deleted = any(step.delete == draw.row for step in steps)
    there = table.loaded and rows(mix, table) > 0 and not deleted
    return there and draw.count == 1 and draw.misses == 0


def _draw(mix: Mix, draw: Draw) -> dict[str, Any]:
    low, high = draw.uniform or (1, 0)
    return {
        "table": _place(draw.row, list(mix.tables)),
        **{"low": low, "high": high},
        **draw.model_dump(exclude={"row", "uniform"}),
        "choice": _CHOICES.index(draw.choice),
    }


def _step(mix: Mix, of: Operation, step: Step) -> dict[str, Any]:
    table, draws = mix.tables[step.table], list(of.draw)
    names, rows = list(table.columns), of.rows(step)
    together = of.steps if of.transaction else [step] if step.writes else []
    changed = {*step.set, *step.add}
    indexes = [
        place
        for place, columns in enumerate(table.indexes.values())
        if step.verb != "update" or changed & set(columns)
    ]
    return {
        **step.model_dump(include={"one_by_one", "lock"}),
        "verb": VERBS.index(step.verb),
        "table": list(mix.tables).index(step.table),
        "rows": rows,
        "columns": _places(step.columns, names),
        "scan": _scan(table, of, step),
        "set": _assignments(step.set, names, draws),
        "add": _assignments(step.add, names, draws),
        "indexes": indexes,
        "unlocked": of.transaction is False
        and (step.verb == "insert" or (step.verb == "put" and not indexes)),
        "last": rows == 1 and step is of.steps[-1],
        "multi": sum(_commands(mix, of, each) for each in together) > 1,
        "sql": statements.of_step(mix, of, step),
        "as_text": statements.is_sent_as_text(mix, step),
    }


def _commands(mix: Mix, of: Operation, step: Step) -> int:
    """Return how many commands a step is on a server of the Redis protocol."""
    if step.verb == "update":
        return of.rows(step) * (1 + len(step.add))
    in_order = mix.tables[step.table].ordered and step.writes
    return of.rows(step) * (2 if in_order else 1)


def _scan(table: Table, of: Operation, step: Step) -> dict[str, Any]:
    columns, is_index = scanned(table, step) or [], step.by in table.indexes
    draw = None if step.from_ is None else of.draw[step.from_]
    row = draw is not None and draw.row == step.scan
    refers = bool(columns) and table.columns[columns[0]].references == step.scan
    return {
        "index": _place(step.by if is_index else None, list(table.indexes)),
        # Whether the entries of the index have all that is read.
        "covered": is_index
        and bool(step.columns)
        and {*step.columns} <= {*columns, *table.key.columns},
        "from": _place(step.from_, list(of.draw)),
        "equal": draw is not None and not (row and not is_index),
        "column": _place(columns[0] if columns else None, list(table.columns)),
        "of_row": row and not refers,
        "descending": step.order == "desc",
        "limit": step.limit if isinstance(step.limit, int) else 0,
        "most": _place(step.limit if isinstance(step.limit, str) else None, list(of.draw)),
    }


def _assignments(
    said: Mapping[str, Number], columns: list[str], draws: list[str]
) -> list[dict[str, Any]]:
    return [
        {"column": columns.index(column), **_value(value, draws)} for column, value in said.items()
    ]


def _value(value: Number, draws: list[str]) -> dict[str, Any]:
    if isinstance(value, int):
        return {"number": value}
    if value == "new":
        return {}
    bare = value.removeprefix("-")
    return {"draw": draws.index(bare), "negative": bare != value}


def _place(name: str | None, names: list[str]) -> int:
    return _NONE if name is None else names.index(name)


def _places(some: Iterable[str], names: list[str]) -> list[int]:
    return [names.index(name) for name in some]
