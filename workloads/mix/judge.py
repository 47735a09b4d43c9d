"""Find conflicts in a mix's file, each as a fault `KEY: found ..., want ...`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...base.errors import meant
from .file import VERBS, Column, Draw, Mix, Number, Operation, Step, Table

_MOST_INDEXED = 255  # bytes of a text in an index
_MOST_SHORT = 1 << 29  # rows whose keys have 4 bytes
_MOST_VALUES = 100_000  # that an operation draws
_YCSB = 0.99  # the constant of its zipfian
_LOCKED = "which are RocksDB's own: an engine is opened for one"


def faults(mix: Mix) -> list[str]:
    """Return the conflicts in a file whose single values are valid. Errors: none."""
    every = [fault for name, table in mix.tables.items() for fault in _of_table(mix, name, table)]
    for name, operation in mix.operations.items():
        every += _of_operation(mix, f"operations.{name}", operation)
    return every + list(_of_all(mix))


def int_bytes(mix: Mix, column: Column) -> int:
    """Return how many bytes a column of numbers has."""
    if column.references in mix.tables:
        return min(8, mix.tables[column.references].key.bytes)
    return column.size.low if column.size else 8


def _fault(key: str, found: object, want: str) -> str:
    return f"{key}: found {found}, want {want}"


def _quoted(name: str) -> str:
    return f'"{name}"'


def _unknown(key: str, name: str, known: Iterable[str], kind: str) -> str:
    names = list(known)
    words = f"{kind}: {' '.join(names)}" if names else f"{kind}, of which there is none"
    return _fault(key, _quoted(name), words) + meant(name, names)


def _of_table(mix: Mix, name: str, table: Table) -> Iterator[str]:
    at, key = f"tables.{name}", table.key
    if (table.rows is None) == (table.bytes is None):
        both = "neither rows nor bytes" if table.rows is None else "rows and bytes"
        yield _fault(f"{at}.rows", both, "one of the two")
    if 4 < key.bytes < 8:
        yield _fault(f"{at}.key.bytes", key.bytes, "4, or 8 or more")
    if key.bytes == 4 and (table.rows or 0) > _MOST_SHORT:
        yield _fault(f"{at}.key.bytes", f"4 with {table.rows:,} rows", "8")
    if key.text and (key.columns or table.indexes):
        yield _fault(f"{at}.key.text", "columns of a key or indexes beside it", "it alone")
    if not key.text and (key.order == "fnv" or table.ordered):
        what = 'order = "fnv"' if key.order == "fnv" else "ordered = true"
        yield _fault(f"{at}.key", f"{what} and no text", 'a key of text, as text = "user"')
    same = (other for other, of in mix.tables.items() if other != name and of.key.text)
    for other in same if key.text else ():
        if mix.tables[other].key.text.startswith(key.text):
            yield _fault(f"{at}.key.text", f"the same as of {other}", "another beginning")
    for column in key.columns:
        if column not in table.columns:
            yield _unknown(f"{at}.key.columns", column, table.columns, "a column")
        elif table.columns[column].type != "int":
            yield _fault(f"{at}.key.columns", f"{_quoted(column)}, a text", "columns that are int")
    for column, described in table.columns.items():
        yield from _of_column(mix, f"{at}.columns.{column}", described)
    for index, columns in table.indexes.items():
        yield from _of_index(f"{at}.indexes.{index}", table, columns)


def _of_column(mix: Mix, at: str, column: Column) -> Iterator[str]:
    if column.type != "int":
        for key in ("range", "references"):
            if getattr(column, key) is not None:
                yield _fault(f"{at}.{key}", "it with a text", 'type = "int"')
        return
    if column.compressibility:
        yield _fault(f"{at}.compressibility", "it with an int", 'type = "text"')
    if column.size is not None and (
        column.size.low != column.size.high or column.size.low not in (1, 2, 4, 8)
    ):
        yield _fault(f"{at}.size", "another size", "1, 2, 4 or 8 bytes of an int")
    elif column.references is not None:
        yield from _of_reference(mix, at, column, column.references)
    elif column.range is not None and not _fits(mix, column, *column.range):
        yield _fault(f"{at}.range", column.range, f"what {int_bytes(mix, column)} bytes hold")


def _of_reference(mix: Mix, at: str, column: Column, table: str) -> Iterator[str]:
    if column.range is not None:
        yield _fault(f"{at}.range", "references beside it", "one of the two")
    if table not in mix.tables:
        yield _unknown(f"{at}.references", table, mix.tables, "a table")
        return
    key = mix.tables[table].key
    if key.bytes > 8 or key.columns or key.text:
        yield _fault(f"{at}.references", _quoted(table), "a table whose key has 4 or 8 bytes alone")
    elif column.size is not None and column.size.low != key.bytes:
        yield _fault(f"{at}.size", column.size.low, f"{key.bytes}, as the key has")


def _fits(mix: Mix, column: Column, low: int, high: int) -> bool:
    most = 1 << (8 * int_bytes(mix, column) - 1)
    return -most <= low and high < most


def _of_index(at: str, table: Table, columns: list[str]) -> Iterator[str]:
    for column in columns:
        described = table.columns.get(column)
        if described is None:
            yield _unknown(at, column, table.columns, "a column")
        elif described.type == "bytes" or (
            described.type == "text" and longest(described) > _MOST_INDEXED
        ):
            want = f"an int, or a text of at most {_MOST_INDEXED} bytes"
            yield _fault(at, f"{_quoted(column)}, {longest(described)} {described.type}", want)


def longest(column: Column) -> int:
    """Return the most bytes that a text has."""
    return column.size.high if column.size else 100


def _of_operation(mix: Mix, at: str, operation: Operation) -> Iterator[str]:
    for name, draw in operation.draw.items():
        yield from _of_draw(mix, f"{at}.draw.{name}", draw)
    for number, step in enumerate(operation.steps):
        yield from _of_step(mix, f"{at}.steps[{number}]", operation, step)
    values = sum(draw.count for draw in operation.draw.values())
    if values > _MOST_VALUES:
        yield _fault(f"{at}.draw", f"{values:,} values together", f"at most {_MOST_VALUES:,}")


def _of_draw(mix: Mix, at: str, draw: Draw) -> Iterator[str]:
    if (draw.row is None) == (draw.uniform is None):
        found = "neither of them" if draw.row is None else "row and uniform"
        yield _fault(at, found, 'either row = "TABLE" or uniform = [low, high]')
    elif draw.row is not None and draw.row not in mix.tables:
        yield _unknown(f"{at}.row", draw.row, mix.tables, "a table")
    shares = draw.choice in ("hotspot", "exponential")
    if shares != bool(draw.share and draw.accesses) or (not shares and draw.share + draw.accesses):
        found = "no share or no accesses" if shares else "share or accesses"
        yield _fault(at, found, "both of hotspot and exponential, and of no other choice")
    if draw.uniform is not None and (draw.choice not in ("uniform", "zipfian") or draw.misses):
        yield _fault(at, "a number with a choice", 'row = "TABLE", or choice = "zipfian"')
    if draw.ycsb and draw.constant != _YCSB:
        yield _fault(f"{at}.constant", draw.constant, f"{_YCSB}, YCSB's own, or no ycsb = true")
    if draw.room and not (draw.ycsb and draw.choice == "zipfian"):
        yield _fault(f"{at}.room", draw.room, 'it with choice = "zipfian" and ycsb = true')


_ONLY = {
    "columns": ("get", "scan"),
    "one_by_one": ("get",),
    "one_column": ("get", "scan", "update"),
    "lock": ("get",),
    "by": ("scan",),
    "from_": ("scan",),
    "order": ("scan",),
    "limit": ("scan",),
    "set": ("insert", "put", "update"),
    "add": ("update",),
    "batch": ("insert",),
    "row": ("get", "put", "update", "delete"),
}
"""The verbs that a key is for."""


def _of_step(mix: Mix, at: str, of: Operation, step: Step) -> Iterator[str]:
    verbs = [verb for verb in VERBS if getattr(step, verb) is not None]
    if len(verbs) != 1:
        yield _fault(at, f"{len(verbs)} of them", f"one of: {' '.join(VERBS)}")
        return
    if step.table not in mix.tables:
        yield _unknown(f"{at}.{step.verb}", step.table, mix.tables, "a table")
        return
    table = mix.tables[step.table]
    for key, allowed in _ONLY.items():
        if key in step.model_fields_set and step.verb not in allowed:
            key = key.rstrip("_")
            yield _fault(f"{at}.{key}", f"it with {step.verb}", f"it with {' or '.join(allowed)}")
    for column in step.columns:
        if column not in table.columns:
            yield _unknown(f"{at}.columns", column, table.columns, "a column")
    if step.verb == "scan":
        yield from _of_scan(at, of, step, table)
    elif step.verb != "insert":
        yield from _of_rows(at, of, step, table)
    if step.one_column and not (step.set or step.columns):
        yield _fault(f"{at}.one_column", "no columns", "those of which it is one")
    if step.lock and of.transaction is False:
        yield _fault(f"{at}.lock", "no transaction", "transaction = true")
    if step.verb == "update" and not (step.set or step.add):
        yield _fault(f"{at}.set", "neither that nor add", "one of them")
    for column, value in step.set.items():
        yield from _of_set(mix, f"{at}.set.{column}", of, table, column, value)
    for column, value in step.add.items():
        yield from _of_add(mix, f"{at}.add.{column}", of, table, column, value)


def _of_rows(at: str, of: Operation, step: Step, table: Table) -> Iterator[str]:
    if step.row is None:
        yield _fault(f"{at}.row", "none", f"a draw of rows of {step.table}")
    elif step.row not in of.draw:
        yield _unknown(f"{at}.row", step.row, of.draw, "a draw")
    elif of.draw[step.row].row != step.table:
        yield _fault(f"{at}.row", _quoted(step.row), f"a draw of rows of {step.table}")
    elif step.verb == "put" and of.draw[step.row].misses:
        yield _fault(f"{at}.row", f"misses in {_quoted(step.row)}", "rows that can be put")
    if step.verb == "put" and table.rows == 0:
        yield _fault(f"{at}.put", f"{_quoted(step.table)} of 0 rows", "a table with rows to put")


def _of_scan(at: str, of: Operation, step: Step, table: Table) -> Iterator[str]:
    known = ["key", *table.indexes, *table.columns]
    if step.by is not None and step.by not in known:
        yield _unknown(f"{at}.by", step.by, known, '"key", an index or a column')
        return
    if isinstance(step.limit, str):
        drawn = of.draw.get(step.limit)
        if drawn is None:
            yield _unknown(f"{at}.limit", step.limit, of.draw, "a number or a draw")
        elif drawn.uniform is None or drawn.uniform[0] < 1:
            yield _fault(f"{at}.limit", _quoted(step.limit), "a draw of numbers from 1 on")
    if step.from_ is None:
        return
    if step.from_ not in of.draw:
        yield _unknown(f"{at}.from", step.from_, of.draw, "a draw")
        return
    draw, columns = of.draw[step.from_], scanned(table, step)
    if columns is None:
        yield _fault(f"{at}.from", "it with a column that has no index", "the key or an index")
    elif draw.row == step.table:
        return
    elif not columns:
        yield _fault(f"{at}.from", _quoted(step.from_), f"a draw of rows of {step.table}")
    else:
        first = table.columns[columns[0]]
        if first.type != "int" or first.references != draw.row:
            of_what = first.references or ("numbers" if first.type == "int" else "no other table")
            want = f"a draw of {of_what}, or of rows of {step.table}"
            yield _fault(f"{at}.from", _quoted(step.from_), want)


def scanned(table: Table, step: Step) -> list[str] | None:
    """Return the columns that sort a scan; None if it is by a column without an index."""
    if step.by is None or step.by == "key":
        return table.key.columns
    return table.indexes.get(step.by)


def _of_set(
    mix: Mix, at: str, of: Operation, table: Table, column: str, value: Number
) -> Iterator[str]:
    if column not in table.columns:
        yield _unknown(at.rpartition(".")[0], column, table.columns, "a column")
        return
    described = table.columns[column]
    if column in table.key.columns:
        yield _fault(at, "a column of the key", "another: these follow from the row's number")
    elif described.type != "int" and value != "new":
        yield _fault(at, value, '"new", of a text')
    elif described.type == "int":
        yield from _of_number(mix, at, of, described, value)


def _of_add(
    mix: Mix, at: str, of: Operation, table: Table, column: str, value: Number
) -> Iterator[str]:
    if column not in table.columns:
        yield _unknown(at.rpartition(".")[0], column, table.columns, "a column")
        return
    described = table.columns[column]
    if described.type != "int" or described.references is not None:
        yield _fault(at, _quoted(column), "an int that refers to nothing")
        return
    bare = value.removeprefix("-") if isinstance(value, str) else value
    yield from _of_number(mix, at, of, described, bare)


def _of_number(mix: Mix, at: str, of: Operation, column: Column, value: Number) -> Iterator[str]:
    """Check a value: a column that refers to a table takes rows of it, and others numbers."""
    wanted = column.references or f"numbers that {int_bytes(mix, column)} bytes hold"
    if isinstance(value, int):
        if column.references is not None or not _fits(mix, column, value, value):
            yield _fault(at, value, f"a draw of {wanted}")
    elif value not in of.draw:
        yield _unknown(at, value, of.draw, "a number or a draw")
    else:
        draw = of.draw[value]
        fits = draw.uniform is None or _fits(mix, column, *draw.uniform)
        if draw.row != column.references or not fits:
            yield _fault(at, _quoted(value), f"a draw of {wanted}")


def _of_all(mix: Mix) -> Iterator[str]:
    if mix.load.pool > mix.load.clients > 0:
        yield _fault("load.pool", mix.load.pool, f"at most the {mix.load.clients} of load.clients")
    if mix.load.rate and mix.load.think_time_ms:
        want = "one of the two: clients of an open loop do not pause"
        yield _fault("load.think_time_ms", "it beside load.rate", want)
    weights = sum(operation.weight for operation in mix.operations.values())
    if weights <= 0:
        yield _fault("operations", f"weights that sum to {weights:g}", "one that is more than 0")
    optimistic = [
        name for name, operation in mix.operations.items() if operation.transaction == "optimistic"
    ]
    if optimistic and len(optimistic) < len(mix.operations):
        other = next(name for name in mix.operations if name not in optimistic)
        yield _fault(
            f"operations.{other}.transaction",
            f"another beside {optimistic[0]}",
            f"all of them optimistic or none, {_LOCKED}",
        )
