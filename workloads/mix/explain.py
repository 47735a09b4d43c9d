"""What a mix is, in plain words: its tables with their bytes, and what each operation does."""

from __future__ import annotations

from collections.abc import Iterator

from .file import Mix, Operation, Step, Table
from .judge import int_bytes

# A record of RocksDB's log: its frame, then the header of a batch, and of each key in it its kind,
# its family and two lengths.
_FRAME_BYTES, _BATCH_BYTES, _OF_KEY_BYTES = 7, 12, 4
_TEXT_BYTES = 100  # of a text that does not say its size
_HOW = {
    False: "; each write by itself",
    True: "; in one transaction",
    "optimistic": "; in one optimistic transaction",
    "two-phase": "; in one transaction of two phases",
}


def words(called: str, mix: Mix, rows: dict[str, int]) -> Iterator[str]:
    """Return the lines that explain a mix, which is `called` so. `rows` are those of its tables."""
    sizes = {
        name: row_bytes(mix, one) + sum(entry_bytes(mix, one, index) for index in one.indexes)
        for name, one in mix.tables.items()
    }
    whole = sum(rows[name] * sizes[name] for name, one in mix.tables.items() if one.loaded)
    yield f"{mix.title or called}: {_amount(whole)} of data"
    for name, one in mix.tables.items():
        loaded = f"{_amount(rows[name] * sizes[name])}" if one.loaded else "none of them loaded"
        yield f"  {name}: {rows[name]:,} rows of {_amount(sizes[name])}, {loaded}"
    total = sum(one.weight for one in mix.operations.values())
    for name, operation in mix.operations.items():
        share = 100 * operation.weight / total
        yield f"  {share:.3g} % {name}: {_sentence(operation)}. {_log(mix, operation)}"


def row_bytes(mix: Mix, table: Table) -> float:
    """Return the bytes of a row with its key, on average."""
    return table.key.bytes + sum(_mean(mix, table, name) for name in table.columns)


def entry_bytes(mix: Mix, table: Table, index: str) -> float:
    """Return those of its entry in an index."""
    columns = [*table.key.columns, *table.indexes[index]]
    return table.key.bytes + sum(_mean(mix, table, name) for name in columns)


def _mean(mix: Mix, table: Table, column: str) -> float:
    one = table.columns[column]
    if one.type == "int":
        return int_bytes(mix, one)
    return one.size.mean if one.size else _TEXT_BYTES


def _sentence(of: Operation) -> str:
    said = ", ".join(_step(of, step) for step in of.steps)
    return said + (_HOW[of.transaction] if any(step.writes for step in of.steps) else "")


def _step(of: Operation, one: Step) -> str:
    count = one.batch if one.verb == "insert" else sum(of.draw[name].count for name in one.row)
    rows = f"a row of {one.table}" if count == 1 else f"{count:,} rows of {one.table}"
    if one.verb == "get":
        return (
            f"reads {rows}{'' if count == 1 else ' one by one' if one.one_by_one else ' at once'}"
        )
    if one.verb == "scan":
        some = f"up to {one.limit:,}" if one.limit else "all"
        by = "the key" if one.by in (None, "key") else one.by
        return f"reads {some} rows of {one.table} by {by}{' from one on' if one.from_ else ''}"
    if one.verb == "put":
        return f"puts {rows}, there before or not"
    if one.verb == "update":
        return f"updates {', '.join([*one.set, *one.add])} of {rows}"
    return f"{one.verb.rstrip('e')}{'es' if one.verb == 'delete' else 's'} {rows}"


def _log(mix: Mix, of: Operation) -> str:
    writes = [step for step in of.steps if step.writes]
    if not writes:
        return "It writes nothing to the log."
    commits = len(writes) if of.transaction is False else 1
    records = 2 * commits if of.transaction == "two-phase" else commits
    size = records * (_FRAME_BYTES + _BATCH_BYTES) + sum(_written(mix, of, one) for one in writes)
    return f"It writes about {_amount(size)} to the log, in {records} record{'s'[: records > 1]}."


def _written(mix: Mix, of: Operation, one: Step) -> float:
    """Bytes of the rows that a step writes and of their entries, without the record."""
    table = mix.tables[one.table]
    changed = {*one.set, *one.add}
    row, entries = row_bytes(mix, table) + _OF_KEY_BYTES, 0.0
    for index, columns in table.indexes.items():
        each = entry_bytes(mix, table, index) + _OF_KEY_BYTES
        if one.verb != "update":
            entries += each
        elif changed & set(columns):
            entries += 2 * each
    if one.verb == "delete":
        row = float(table.key.bytes)
    count = one.batch if one.verb == "insert" else sum(of.draw[name].count for name in one.row)
    return count * (row + entries)


def _amount(size: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"
