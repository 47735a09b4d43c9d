"""The report of recovery modes: which damaged logs each opens, and what it loses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ... import engines
from ..json_lines import NUMBER, Kind, read
from ..report import Lines, Report, Table, Verdict
from ..series import Column, table

KEPT = "recovery-modes.jsonl"
_WANTED: Mapping[str, Kind] = {
    **dict.fromkeys(("engine", "durability", "damage", "mode"), str),
    **dict.fromkeys(("opens", "consistent"), bool),
    **dict.fromkeys(("acknowledged", "lost"), NUMBER),
}
_SHORT = {
    "kTolerateCorruptedTailRecords": "tolerate (0)",
    "kAbsoluteConsistency": "absolute (1)",
    "kPointInTimeRecovery": "point in time (2)",
    "kSkipAnyCorruptedRecords": "skip (3)",
}
"""With the values of MyRocks' rocksdb_wal_recovery_mode."""
_LEGEND = "docs/receipts.md says what the modes and the kinds of damage are"

Row = Mapping[str, Any]


def recovery_modes(folder: Path) -> Report:
    """Report the recovery modes of a folder.

    Errors: UsageError if the folder has no openings, or a line is not one.
    """
    rows = read(folder / KEPT, _WANTED, "receipts --recovery-modes")
    modes = list(dict.fromkeys(row["mode"] for row in rows))
    return Report(
        name="recovery-modes",
        parts=[Verdict(_sentence(rows, modes)), _table(rows, modes), Lines([_LEGEND])],
        content={"schema": 1, "openings": rows},
        lines=rows,
        folder=folder,
    )


def _sentence(rows: Sequence[Row], modes: Sequence[str]) -> str:
    said = []
    for mode in modes:
        of = [row for row in rows if row["mode"] == mode]
        opened = [opening for opening in of if opening["opens"]]
        broken = sum(not opening["consistent"] for opening in opened)
        tail = f", {broken} of them not consistent" if broken else ""
        said.append(f"{_SHORT.get(mode, mode)} opens {len(opened)} of {len(of)} logs{tail}")
    return f"{engines.of(rows[0]['engine']).title}: {'; '.join(said)}."


def _table(rows: Sequence[Row], modes: Sequence[str]) -> Table:
    """Return a table with a row for each damaged log, and a column for each mode."""

    def of(mode: str) -> Column[tuple[str, str]]:
        def text(log: tuple[str, str]) -> str:
            wanted = (*log, mode)
            return _cell([r for r in rows if (r["durability"], r["damage"], r["mode"]) == wanted])

        return Column(mode, _SHORT.get(mode, mode), "text", text)

    logs = list(dict.fromkeys((row["durability"], row["damage"]) for row in rows))
    columns: list[Column[tuple[str, str]]] = [Column("log", "log", "text", ", ".join)]
    columns += map(of, modes)
    return table("Damaged logs, opened again", logs, columns)


def _cell(of: Sequence[Row]) -> str:
    """Return e.g. refuses; loses 0; 2/3 open, loses 12.1 %, 1 broken."""
    opened = [opening for opening in of if opening["opens"]]
    if not opened:
        return "refuses" if of else "-"
    lost, acknowledged = (
        sum(opening[name] for opening in opened) for name in ("lost", "acknowledged")
    )
    share = "all" if lost == acknowledged else f"{100 * lost / acknowledged:.1f} %"
    said = [f"loses {share}" if lost else "loses 0"]
    if len(opened) < len(of):
        said.insert(0, f"{len(opened)}/{len(of)} open")
    if broken := sum(not opening["consistent"] for opening in opened):
        said.append(f"{broken} broken")
    return ", ".join(said)
