"""What a mix is, in plain words: its tables with their bytes, and what each operation does."""

from __future__ import annotations

from collections.abc import Iterator

from .file import Draw, Load, Mix, Operation, Step, Table
from .judge import int_bytes

# A record of RocksDB's log: its frame, then the header of a batch, and of each key in it its kind,
# its family and two lengths.
_FRAME_BYTES, _BATCH_BYTES, _OF_KEY_BYTES = 7, 12, 4
_LENGTHS_BYTES = 8  # of a column's name and of its text, where names are stored
_HASH_DIGITS = 19
_TEXT_BYTES = 100  # of a text that does not say its size
_HOW = {
    False: "; each write by itself",
    True: "; in one transaction",
    "optimistic": "; in one optimistic transaction",
    "two-phase": "; in one transaction of two phases",
}


def words(called: str, mix: Mix) -> Iterator[str]:
    """Return the lines that explain a mix, which is `called` so."""
    yield f"{mix.title or called}: {_amount(loaded_bytes(mix))} of data"
    for name, table in mix.tables.items():
        size = _row_with_entries(mix, table)
        loaded = f"{_amount(rows(mix, table) * size)}" if table.loaded else "none of them loaded"
        yield f"  {name}: {rows(mix, table):,} rows of {_amount(size)}, {loaded}"
    total = sum(each.weight for each in mix.operations.values())
    for name, operation in mix.operations.items():
        share = 100 * operation.weight / total
        yield f"  {share:.3g} % {name}: {_sentence(operation)}. {_log(mix, operation)}"
        draws = [draw for draw in operation.draw.values() if draw.row]
        yield from dict.fromkeys(
            f"    Rows of {draw.row} are drawn {_how(draw)}." for draw in draws
        )
    if mix.load != Load():
        yield f"  {', '.join(_load(mix.load))}."


def _load(load: Load) -> Iterator[str]:
    yield f"{load.clients:,} clients" if load.clients else "As many clients as the profile says"
    if load.rate:
        chance = "by chance" if load.arrivals == "poisson" else "at even distances"
        yield f"in an open loop of {load.rate:,g} operations/s that come {chance}"
    else:
        yield "in a closed loop"
    if load.think_time_ms:
        yield f"with a pause of {load.think_time_ms:g} ms between two operations"
    if load.ramp_s:
        yield f"beginning one after the other over {load.ramp_s:g} s"
    if load.pool:
        yield f"sharing {load.pool} connections"


def loaded_bytes(mix: Mix) -> float:
    """Return the bytes of all rows that a load writes, with their entries in indexes."""
    loaded = [table for table in mix.tables.values() if table.loaded]
    return sum(rows(mix, table) * _row_with_entries(mix, table) for table in loaded)


def rows(mix: Mix, table: Table) -> int:
    """Return how many rows a load writes, or can be put where it writes none."""
    if table.bytes is None:
        return table.rows or 0
    return -int(-table.bytes // _row_with_entries(mix, table))


def _row_with_entries(mix: Mix, table: Table) -> float:
    return row_bytes(mix, table) + sum(entry_bytes(mix, table, index) for index in table.indexes)


def row_bytes(mix: Mix, table: Table) -> float:
    """Return the bytes of a row with its key, on average."""
    names = sum(
        len(name) + _LENGTHS_BYTES
        for name, column in table.columns.items()
        if table.named and column.type != "int"
    )
    key = len(table.key.text) + _HASH_DIGITS if table.key.text else table.key.bytes
    return key + names + sum(_mean(mix, table, name) for name in table.columns)


def entry_bytes(mix: Mix, table: Table, index: str) -> float:
    """Return the bytes of a row's entry in an index."""
    columns = [*table.key.columns, *table.indexes[index]]
    return table.key.bytes + sum(_mean(mix, table, name) for name in columns)


def _mean(mix: Mix, table: Table, column: str) -> float:
    described = table.columns[column]
    if described.type == "int":
        return int_bytes(mix, described)
    return described.size.mean if described.size else _TEXT_BYTES


def _sentence(of: Operation) -> str:
    said = ", ".join(_step(of, step) for step in of.steps)
    return said + (_HOW[of.transaction] if any(step.writes for step in of.steps) else "")


def _step(of: Operation, step: Step) -> str:
    count = of.rows(step)
    rows = f"a row of {step.table}" if count == 1 else f"{count:,} rows of {step.table}"
    if step.verb == "get":
        return (
            f"reads {rows}{'' if count == 1 else ' one by one' if step.one_by_one else ' at once'}"
        )
    if step.verb == "scan":
        drawn = of.draw[step.limit].uniform if isinstance(step.limit, str) else None
        limit = drawn[1] if drawn else step.limit
        some = f"up to {limit:,}" if limit else "all"
        by = "the key" if step.by in (None, "key") else step.by
        return f"reads {some} rows of {step.table} by {by}{' from one on' if step.from_ else ''}"
    if step.verb == "put":
        return f"puts {rows}, there before or not"
    if step.verb == "update":
        changed = [f"one of {len(step.set)} columns"] if step.one_column else [*step.set]
        return f"updates {', '.join([*changed, *step.add])} of {rows}"
    return f"{step.verb.rstrip('e')}{'es' if step.verb == 'delete' else 's'} {rows}"


def _how(of: Draw) -> str:
    often = f"{100 * of.accesses:.3g} % of the times from {100 * of.share:.3g} % of them"
    said = {
        "uniform": "uniformly",
        "zipfian": f"zipfian, with a constant of {of.constant:g}",
        "latest": f"the latest most often, with a constant of {of.constant:g}",
        "hotspot": often,
        "exponential": f"exponentially, {often}",
        "sequential": "one after the other",
        "shuffled": "in a shuffled order",
    }[of.choice]
    some = f", of {100 * of.known:.3g} % of the loaded ones" if of.known < 1 else ""
    return f"{said}{some}{f'; {100 * of.misses:.3g} % are not there' if of.misses else ''}"


def _log(mix: Mix, of: Operation) -> str:
    writes = [step for step in of.steps if step.writes]
    if not writes:
        return "It writes nothing to the log."
    commits = len(writes) if of.transaction is False else 1
    records = 2 * commits if of.transaction == "two-phase" else commits
    size = records * (_FRAME_BYTES + _BATCH_BYTES) + sum(
        _written(mix, of, written) for written in writes
    )
    return f"It writes about {_amount(size)} to the log, in {records} record{'s'[: records > 1]}."


def _written(mix: Mix, of: Operation, step: Step) -> float:
    """Return the bytes of the rows and index entries that a step writes, without the record."""
    table = mix.tables[step.table]
    changed = {*step.set, *step.add}
    row, entries = row_bytes(mix, table) + _OF_KEY_BYTES, 0.0
    for index, columns in table.indexes.items():
        each = entry_bytes(mix, table, index) + _OF_KEY_BYTES
        if step.verb != "update":
            entries += each
        elif changed & set(columns):
            entries += 2 * each
    if step.verb == "delete":
        row = float(table.key.bytes)
    return of.rows(step) * (row + entries)


def _amount(size: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"
