"""A cell: one point of the matrix that a campaign compares."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from . import engines, workloads
from .axes import AXES, Values
from .base.errors import UsageError
from .engines import Shards
from .engines.knobs import KNOBS

BASELINE = "off"
WITH_DATA = "with-data"
"""The device that is the file system of the data, where most installations keep their log."""
TWIN = "twin"
"""The replica of a baseline that a campaign measures unasked; it counts as the baseline's."""
# The devices of the study; the baseline is always beside them.
STUDY = ("ssd", "nvme", "nvram")
ENCODE, SYNC_FREE, WAIT = "encode", "sync-free", "wait"
# In the order of the tap, which counts from 1; devices/preload/tap/tap.h says what each omits.
TAP_RUNGS = (ENCODE, SYNC_FREE, WAIT)
# Of a server with two logs: whose syncs are answered at once.
BOTH_FREE, WAL_FREE, BINLOG_FREE = "both-syncs-free", "wal-sync-free", "binlog-sync-free"
LONGEST_READ_US = 1_000_000
"""The longest that a campaign can make a read of data take."""
# The devices whose syncs all take the same time are named for it: sync-38us.
_POINT = "sync-{}us"


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


def point_name(latency_us: int) -> str:
    """Name the device of a latency sweep's grid whose syncs take so long."""
    return _POINT.format(latency_us)


def point_us(device: str) -> int | None:
    """Return the time in the name of a grid's device, 38 for sync-38us; None for any other."""
    match = re.fullmatch(_POINT.format(r"(\d{1,7})"), device)
    return int(match[1]) if match else None


def is_point(device: str) -> bool:
    """Return whether it is a device of a latency sweep's grid."""
    return point_us(device) is not None


def plan(
    baseline: Cell,
    devices: Sequence[str],
    durability: str | None,
    knobs: Sequence[str] = (),
    beside: Sequence[str] = (),
) -> list[Cell]:
    """Return the cells of one comparison, with each baseline before the cells that need it.

    `baseline` has what they all share, and comes first where its engine can run without a log. Each
    device has one cell, or one per mode where the engine has no `off`; then one per knob, and one
    per mode of `beside` without a knob. `durability` None means sync, or all modes. A device that
    is named twice has two cells with replica marks: an A/A comparison. Errors: UsageError for what
    the engine cannot do.
    """
    _refuse_impossible(baseline, devices, durability)
    baseline = replace(baseline, device=BASELINE, durability="off")
    cells = [baseline] if engines.of(baseline.engine).has_off else []
    seen: dict[str, int] = dict.fromkeys([cell.device for cell in cells], 0)
    for device in devices:
        count = seen[device] = seen.get(device, 0) + 1
        if device == BASELINE and count == 1:
            continue  # the baseline itself
        replica = "" if count == 1 else f"r{count}"
        cells += [
            replace(
                baseline, device=device, durability=(KNOBS[knob].mode if knob else "") or mode
            ).at(replica=replica, knob=knob)
            for mode in _modes(baseline.engine, device, durability)
            for knob in ("", *_of_mode(mode, knobs))
        ]
        cells += [
            replace(baseline, device=device, durability=mode).at(replica=replica) for mode in beside
        ]
    return cells


def ladder(baseline: Cell, devices: Mapping[str, bool]) -> list[Cell]:
    """Return the rungs from no log to each device, with `off` and `encode` once for all.

    `devices` says whether each is emulated. A real device has no rung `wait`, since only a model
    can be waited for alone. A server has a rung `delayed`, whose commits reach the kernel later.
    Errors: as `plan`.
    """
    engine = engines.of(baseline.engine)
    _refuse_impossible(baseline, list(devices), "sync")
    off = replace(baseline, device=BASELINE, durability="off")
    buffered = "delayed" if engine.on_server else "flush"
    cells = [off, replace(off, durability=buffered).at(rung=ENCODE)]
    for device, emulated in devices.items():
        synced = replace(off, device=device, durability="sync")
        cells += [replace(synced, durability="delayed")] if engine.on_server else []
        cells += [replace(synced, durability="flush"), synced.at(rung=SYNC_FREE)]
        cells += [synced.at(rung=WAIT)] if emulated else []
        cells += [synced]
    return cells


def _of_mode(mode: str, knobs: Sequence[str]) -> list[str]:
    """Return the knobs that are measured beside a mode; one with a mode of its own is not twice."""
    if mode in ("off", "delayed"):
        return []
    return [name for name in knobs if mode == "sync" or not KNOBS[name].mode]


def second_ladder(baseline: Cell, devices: Sequence[str]) -> list[Cell]:
    """Return the rungs of a server with a binlog: no log's syncs, either's alone, and both.

    Beside them is the baseline of every campaign, which is no rung. Errors: as `plan`.
    """
    cells = plan(baseline, devices, "sync")
    synced = [cell for cell in cells if not cell.is_baseline]
    freed = (BOTH_FREE, WAL_FREE, BINLOG_FREE)
    return cells + [cell.at(rung=rung) for cell in synced for rung in freed]


def _modes(engine: str, device: str, durability: str | None) -> list[str]:
    """Return the modes to measure on a device, the baseline first where it is one of them."""
    if device == BASELINE:
        return ["off"]
    if engines.of(engine).has_off:
        return [durability or "sync"]
    asked = [durability] if durability else ["sync", "flush"]
    return ["delayed", *(mode for mode in asked if mode != "delayed")]


def refuse_foreign_engine(workload: str, engine: str) -> None:
    """Refuse a workload on an engine that it does not run on. Errors: UsageError."""
    record = workloads.of(workload)
    name = workload if record.is_mix else record.sized_by
    if engines.of(engine).node_engine is not None and not record.sharded:
        known = ", ".join(name for name, one in workloads.WORKLOADS.items() if one.sharded)
        raise UsageError(
            f"--workload: found {name} with --engine {engine}, whose nodes only know the keys of "
            f"{known}; type --workload with one of these"
        )
    if record.engines is not None and engine not in record.engines:
        instead = record.engines[0]
        raise UsageError(
            f"--workload: found {name} with --engine {engine}, but "
            f"{record.why_engines}; type --engine {instead}, or "
            "another --workload"
        )


def _refuse_impossible(like: Cell, devices: Sequence[str], durability: str | None) -> None:
    engine = engines.ENGINES[like.engine]
    refuse_foreign_engine(like.workload, like.engine)
    if durability is not None and durability not in engine.modes:
        raise UsageError(
            f"--wal: found {durability} with --engine {engine.name}; {engine.why_not[durability]}; "
            f"type one of {', '.join(f'--wal {mode}' for mode in engine.modes)}"
        )
    if BASELINE in devices and not engine.has_off:
        raise UsageError(
            f"--device: found off with --engine {engine.name}, which always writes its log; leave "
            "it out: each device's mode `delayed` is measured beside the others, as their baseline"
        )
