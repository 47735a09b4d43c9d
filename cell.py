"""A cell: one point of the matrix that a campaign compares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from . import engines
from .axes import AXES, Values
from .engines import Shards

BASELINE = "off"
TWIN = "twin"
"""The replica of a baseline that a campaign measures unasked; it counts as the baseline's."""
# The devices of the study; the baseline is always beside them.
STUDY = ("ssd", "nvme", "nvram")
ENCODE, SYNC_FREE, WAIT = "encode", "sync-free", "wait"
# In the order of the tap, which counts from 1; devices/preload/tap/tap.h says what each omits.
TAP_RUNGS = (ENCODE, SYNC_FREE, WAIT)
# Of a server with two logs: whose syncs are answered at once.
BOTH_FREE, WAL_FREE, BINLOG_FREE = "both-syncs-free", "wal-sync-free", "binlog-sync-free"


class _Value:
    """An attribute that reads the value of the axis of its name."""

    def __set_name__(self, owner: type[Cell], name: str) -> None:
        self._name = name

    def __get__(self, cell: Cell, owner: type[Cell] | None = None) -> str:
        return cell.axes[self._name]


@dataclass(frozen=True)
class Cell:
    """What to run. `durability` says when a commit is acknowledged:

    sync     after the log reached the device
    flush    after it reached the kernel
    delayed  at once; the log is written and synced about once a second
    off      at once; no log is written

    `axes` has what else differs between the cells of a campaign: see `axes.AXES`. Cells of two
    builds or cuts into shards have no common baseline. A cell with a knob has that of the
    cell without. Cells with a rung of `ladder` are compared with the other rungs alone.
    """

    engine: str
    workload: str
    profile: str
    device: str
    durability: str
    threads: int
    axes: Values = Values()  # noqa: RUF009 (it cannot be changed)

    shards = _Value()
    knob = _Value()
    replica = _Value()
    rung = _Value()
    build = _Value()

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Cell:
        """Return the cell of a row. A field or axis that an older row lacks is empty."""
        found: dict[str, Any] = {name: row.get(name) or "" for name in _FIELDS}
        return cls(**found, axes=Values({name: row.get(name) or "" for name in AXES}))

    @property
    def columns(self) -> dict[str, str | int]:
        """Return what its rows say of it: its fields, and a value of every axis."""
        return {name: getattr(self, name) for name in _FIELDS} | {n: self.axes[n] for n in AXES}

    def at(self, **values: str) -> Cell:
        """Return the same cell with these values on their axes, "" for none."""
        return replace(self, axes=Values({**self.axes, **values}))

    @property
    def id(self) -> str:
        """Return a stable, file-safe name: rocksdb-linkbench-quick-nvme-sync-t4, or ...-t4@base."""
        parts = (self.engine, self.workload, self.profile, self.device, self.durability)
        values = (AXES[name].mark + value for name, value in self.axes.items())
        return "-".join((*parts, f"t{self.threads}")) + "".join(values)

    @property
    def group(self) -> tuple[str, str, str, int, *tuple[str, ...]]:
        """Return what cells with one baseline share: all but where, how and with what they log."""
        own = (self.axes[name] for name, axis in AXES.items() if axis.has_baselines)
        return self.engine, self.workload, self.profile, self.threads, *own

    @property
    def _of_its_baseline(self) -> Values:
        return Values({name: v for name, v in self.axes.items() if AXES[name].has_baselines})

    @property
    def nodes(self) -> int:
        """Return how many nodes the store has."""
        return Shards.of(self.shards).nodes

    @property
    def baseline(self) -> Cell:
        """Return the cell that this one is compared with.

        It is `off` where the engine can run without a log. Otherwise it is the cell of the same
        device whose commits wait for no log, so that no other difference of devices is compared.
        """
        engine = engines.of(self.engine)
        device = BASELINE if engine.has_off else self.device
        durability = engine.baseline
        return replace(self, device=device, durability=durability, axes=self._of_its_baseline)

    @property
    def is_baseline(self) -> bool:
        return self == self.baseline

    @property
    def tap_rung(self) -> str:
        """Return what the tap leaves out of the device, "" for nothing.

        The baseline of a user's own program is the same program, whose syncs return at once.
        """
        if self.is_baseline and engines.of(self.engine).is_program:
            return SYNC_FREE
        if self.rung in (BOTH_FREE, WAL_FREE):
            return SYNC_FREE
        return self.rung if self.rung in TAP_RUNGS else ""

    @property
    def binlog_rung(self) -> str:
        """Return what the tap leaves out of the binlog's device, "" for nothing."""
        return SYNC_FREE if self.rung in (BOTH_FREE, BINLOG_FREE) else ""

    @property
    def twin(self) -> Cell:
        """Return the same cell once more, which should differ from it in nothing."""
        return self.at(replica=TWIN)

    @property
    def is_twin(self) -> bool:
        return self.replica == TWIN

    @property
    def baseline_id(self) -> str:
        return self.baseline.id


_FIELDS = tuple(field.name for field in fields(Cell) if field.name != "axes")
COLUMNS = (*_FIELDS, *AXES)
"""The columns of a row that say which cell it is of."""
