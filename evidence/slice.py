"""A slice as four witnesses describe it: engine, tap, directories, and the devices below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import row as rows
from ..cell import TAP_RUNGS, Cell
from ..engines import DURABILITIES, ENGINES
from ..engines.knobs import knob
from ..workloads import WORKLOADS


class Slice:
    """A slice, warm-up included: its cell's label, and the columns of its row.

    `slice[column]` is what was counted, 0 where that is not known. `commits` are operations that
    committed something, `engine_syncs` the engine's syncs of its log, and `groups` its writes, each
    by a leader for its group of commits; None: not counted. REQUIRES: `is_known` of its cell.
    """

    def __init__(self, cell: Cell, row: Mapping[str, Any]) -> None:
        self.cell, self.row = cell, row
        self.engine, self.workload = ENGINES[cell.engine], WORKLOADS[cell.workload]
        self.knob = knob(cell.knob)
        self.seconds = rows.driven_s(dict(row))
        self.emulated = bool(row.get("emulated"))
        self.commits: int | None = row.get("commits")
        self.engine_syncs: int | None = row.get("wal_syncs") if self.engine.wal_syncs else None
        groups = self.engine.commit_groups
        self.groups: int | None = None if groups is None else row.get(groups.replace(".", "_"))
        self.has_binlog = bool(row.get("binlog_device")) and row.get("binlog_syncs") is not None

    def __getitem__(self, column: str) -> Any:
        return self.row.get(column) or 0

    @property
    def kind(self) -> str:
        """Who runs its engine: `elsewhere` its owner, `program` the user's command, or `ours`."""
        if self.engine.elsewhere:
            return "elsewhere"
        return "program" if self.engine.is_program else "ours"

    @property
    def rung(self) -> int:
        """What the label says that the tap leaves out: an index in `TAP_RUNGS` from 1; or 0."""
        return TAP_RUNGS.index(self.cell.tap_rung) + 1 if self.cell.tap_rung else 0

    @property
    def mode(self) -> str:
        """The durability that the witnesses see."""
        delayed = self.knob is not None and self.knob.is_delayed
        return "delayed" if delayed else self.cell.durability


def is_known(cell: Cell) -> bool:
    """Return whether its engine, workload and mode are of this release."""
    known = cell.engine in ENGINES and cell.workload in WORKLOADS
    return known and cell.durability in DURABILITIES
