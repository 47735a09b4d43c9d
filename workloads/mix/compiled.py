"""A mix as its program takes it: JSON in which every name is a place, so that a run looks nothing
up. The program's own structs have the same names (file.h).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from .explain import entry_bytes, row_bytes
from .file import Column, Draw, Mix, Number, Operation, Step, Table
from .judge import int_bytes, scanned

_NONE = 2**64 - 1  # as the program has a place that is none
_COMMITS: Mapping[object, str] = {False: "each", True: "pessimistic"}


def compiled(mix: Mix) -> str:
    """Return the JSON of a mix. REQUIRES: `judge` finds no fault in it."""
    tables = [_table(mix, name, one) for name, one in mix.tables.items()]
    total = sum(one.weight for one in mix.operations.values())
    operations = [
        _operation(mix, name, one) | {"share": one.weight / total}
        for name, one in mix.operations.items()
    ]
    whole = {
        "unit": mix.unit,
        "load": mix.load.model_dump(),
        "tables": tables,
        "operations": operations,
    }
    return json.dumps(whole)


def rows(mix: Mix, table: Table) -> int:
    """Return how many rows a load writes, or can be put where it writes none."""
    if table.bytes is None:
        return table.rows or 0
    each = row_bytes(mix, table) + sum(entry_bytes(mix, table, one) for one in table.indexes)
    return -int(-table.bytes // each)


def _table(mix: Mix, name: str, one: Table) -> dict[str, Any]:
    names = list(one.columns)
    steps = [step for of in mix.operations.values() for step in of.steps if step.table == name]
    verbs = {step.verb for step in steps}
    return {
        "name": name,
        "rows": rows(mix, one),
        "loaded": one.loaded,
        "key": {
            "bytes": one.key.bytes,
            "hashed": one.key.order == "hashed",
            "columns": _places(one.key.columns, names),
        },
        "columns": [_column(mix, column, each, steps) for column, each in one.columns.items()],
        "indexes": [
            {"name": index, "columns": _places(columns, names)}
            for index, columns in one.indexes.items()
        ],
        "inserted": "insert" in verbs,
        "put": "put" in verbs,
        "deleted": "delete" in verbs,
    }


def _column(mix: Mix, name: str, one: Column, steps: Iterable[Step]) -> dict[str, Any]:
    is_int = one.type == "int"
    low, high = one.range or (0, 0)
    size = one.size.model_dump() if one.size and not is_int else None
    set_by = [step for step in steps if name in step.set]
    puts = any(step.verb == "put" for step in steps)
    return {
        "name": name,
        "type": one.type,
        **({"size": size} if size else {}),
        "bytes": int_bytes(mix, one) if is_int else 0,
        "compressibility": one.compressibility,
        "low": low,
        "high": high,
        "references": _place(one.references, list(mix.tables)),
        # What a check may want of it.
        "changes": {
            "set": is_int and bool(set_by),
            "renewed": not is_int and (bool(set_by) or puts),
            "added": any(name in step.add for step in steps),
        },
    }


def _operation(mix: Mix, name: str, one: Operation) -> dict[str, Any]:
    draws, at = [], 0
    for draw, each in one.draw.items():
        draws.append(_draw(mix, draw, each) | {"at": at})
        at += each.count
    return {
        "name": name,
        "commit": _COMMITS.get(one.transaction, str(one.transaction)),
        "draws": draws,
        "values": at,
        "steps": [_step(mix, one, step) for step in one.steps],
    }


def _draw(mix: Mix, name: str, one: Draw) -> dict[str, Any]:
    low, high = one.uniform or (1, 0)
    return {
        "name": name,
        "table": _place(one.row, list(mix.tables)),
        **{"low": low, "high": high},
        **one.model_dump(exclude={"row", "uniform"}),
    }


def _step(mix: Mix, of: Operation, one: Step) -> dict[str, Any]:
    table, draws = mix.tables[one.table], list(of.draw)
    names = list(table.columns)
    return {
        "verb": one.verb,
        "table": list(mix.tables).index(one.table),
        "row": _place(one.row[0] if one.row else None, draws),
        "rows": sum(of.draw[name].count for name in one.row),
        "columns": _places(one.columns, names),
        "one_by_one": one.one_by_one,
        "batch": one.batch,
        "scan": _scan(table, of, one),
        "set": _assignments(one.set, names, draws),
        "add": _assignments(one.add, names, draws),
    }


def _scan(table: Table, of: Operation, one: Step) -> dict[str, Any]:
    columns, is_index = scanned(table, one), one.by in table.indexes
    draw = None if one.from_ is None else of.draw[one.from_]
    from_row = draw is not None and draw.row == one.scan and not is_index
    return {
        "index": _place(one.by if is_index else None, list(table.indexes)),
        "column": _place(one.by if columns is None else None, list(table.columns)),
        "from": _place(one.from_, list(of.draw)),
        "equal": draw is not None and not from_row,
        "descending": one.order == "desc",
        "limit": one.limit,
        "below": one.below,
    }


def _assignments(
    said: Mapping[str, Number], columns: list[str], draws: list[str]
) -> list[dict[str, Any]]:
    return [
        {"column": columns.index(column), "value": _value(value, draws)}
        for column, value in said.items()
    ]


def _value(value: Number, draws: list[str]) -> dict[str, Any]:
    if isinstance(value, int):
        return {"kind": "number", "number": value}
    if value == "new":
        return {"kind": "new"}
    bare = value.removeprefix("-")
    return {"kind": "draw", "draw": draws.index(bare), "negative": bare != value}


def _place(name: str | None, names: list[str]) -> int:
    return _NONE if name is None else names.index(name)


def _places(some: Iterable[str], names: list[str]) -> list[int]:
    return [names.index(name) for name in some]
