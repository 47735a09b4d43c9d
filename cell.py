"""A cell: one point of the matrix that a campaign compares."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from . import engines, workloads
from .engines import Shards
from .errors import UsageError

BASELINE = "off"
WITH_DATA = "with-data"
"""The device that is the file system of the data, where most installations keep their log."""
TWIN = "twin"
"""The replica of a baseline that a campaign measures unasked; it counts as the baseline's."""
# The devices of the study; the baseline is always beside them.
STUDY = ("ssd", "nvme", "nvram")
ENCODE, SYNC_FREE, WAIT = "encode", "sync-free", "wait"
# By what the tap calls them, which counts from 1; devices/tap/rung.h says what each leaves out.
TAP_RUNGS = (ENCODE, SYNC_FREE, WAIT)
# No rung of the tap: all of the device, and RocksDB's own timers on, which cost CPU time.
TIMED = "timed"
LONGEST_READ_US = 1_000_000
"""The longest that a read of data can be made to take, in the cells of a campaign."""
# Those of the grid of a latency sweep are named for the time of a sync: sync-38us.
_POINT = "sync-{}us"


@dataclass(frozen=True)
class Cell:
    """What to run. `durability` says when a commit is acknowledged:

    sync     after the log reached the device
    flush    after it reached the kernel
    delayed  at once; the log is written and synced about once a second
    off      at once; no log is written

    `build` names the build of the engine, where a campaign was given any; each has a baseline of
    its own. `size` names the keys and values where a campaign has several (k16-v100); only cells of
    one size are compared. `shards` says how the store is cut into nodes where it is (see
    `engines.shards`); only cells of one cut are compared. `knob` is the one setting that differs
    from the profile's; it is compared with the same baseline. `replica` tells apart cells that are
    equal otherwise (A/A). `rung` is what was intervened in to explain a cost (`ladder`): such a
    cell is compared with the other rungs alone.
    """

    engine: str
    workload: str
    profile: str
    device: str
    durability: str
    threads: int
    replica: str = ""
    size: str = ""
    knob: str = ""
    rung: str = ""
    build: str = ""
    shards: str = ""

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Cell:
        """The cell of a row; what older rows do not say, they had none of."""
        found: dict[str, Any] = {name: row.get(name) or "" for name in COLUMNS}
        return cls(**found)

    @property
    def id(self) -> str:
        """A stable, file-safe name, e.g. rocksdb-linkbench-quick-nvme-sync-t4, or ...-t4@base.

        No other part holds an @, so that no two cells share an id.
        """
        parts = (self.engine, self.workload, self.profile, self.device, self.durability)
        varied = filter(None, [self.size, self.shards, self.knob, self.replica, self.rung])
        return "-".join((*parts, f"t{self.threads}", *varied)) + (
            f"@{self.build}" * bool(self.build)
        )

    @property
    def group(self) -> tuple[str, str, str, int, str, str, str]:
        """What cells must share to have one baseline: all but where, how and with what they log."""
        of = (self.engine, self.workload, self.profile, self.threads, self.size)
        return *of, self.build, self.shards

    @property
    def nodes(self) -> int:
        """How many the store has."""
        return Shards.of(self.shards).nodes

    @property
    def baseline(self) -> Cell:
        """The cell that this one is compared with: `off`, where the engine can do without a log.

        Else the cell of the same device whose commits wait for no log: what differs between
        devices then stays out of the comparison.
        """
        engine = engines.of(self.engine)
        device = BASELINE if engine.has_off else self.device
        durability = engine.baseline
        return replace(self, device=device, durability=durability, replica="", knob="", rung="")

    @property
    def is_baseline(self) -> bool:
        return self == self.baseline

    @property
    def tap_rung(self) -> str:
        """What the tap leaves out of the device; "" where that is nothing."""
        return self.rung if self.rung in TAP_RUNGS else ""

    @property
    def twin(self) -> Cell:
        """The same cell once more, which should differ from it in nothing."""
        return replace(self, replica=TWIN)

    @property
    def is_twin(self) -> bool:
        return self.replica == TWIN

    @property
    def baseline_id(self) -> str:
        return self.baseline.id


COLUMNS = tuple(one.name for one in fields(Cell))
"""The columns of a row that say which cell it is of, as the fields of `Cell`."""


def point_name(latency_us: int) -> str:
    """The device of a latency sweep's grid whose syncs take so long."""
    return _POINT.format(latency_us)


def point_us(device: str) -> int | None:
    """The time that a device of a grid is named for: 38 of sync-38us; None of any other."""
    match = re.fullmatch(_POINT.format(r"(\d+)"), device)
    return int(match[1]) if match else None


def is_point(device: str) -> bool:
    """Whether it is a device of a latency sweep's grid."""
    return point_us(device) is not None


def plan(
    baseline: Cell,
    devices: Sequence[str],
    durability: str | None,
    knobs: Sequence[str] = (),
    beside: Sequence[str] = (),
) -> list[Cell]:
    """The cells of one comparison: each one's baseline before it, as an overhead needs it.

    `baseline` has what they all share; it comes first where its engine can do without a log. One
    cell per device; of an engine without `off`, the device's modes; then one per knob of each, and
    one per mode of `beside` without any. `durability` None means sync, or all modes. A device
    named twice becomes two with replica marks: an A/A comparison. Errors: UsageError for what the
    engine cannot do.
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
            replace(baseline, device=device, durability=mode, replica=replica, knob=knob)
            for mode in _modes(baseline.engine, device, durability)
            for knob in ("", *(knobs if mode not in ("off", "delayed") else ()))
        ]
        cells += [
            replace(baseline, device=device, durability=mode, replica=replica) for mode in beside
        ]
    return cells


def ladder(baseline: Cell, devices: Mapping[str, bool]) -> list[Cell]:
    """The rungs from no log to each device, `off` and `encode` once for all.

    `devices` says of each whether it is emulated: a real one cannot be waited for without it, so
    that `wait` is left out. On a server the mode `delayed` is a rung, whose commits reach the
    kernel later; embedded RocksDB has none, but timers of its own. Errors: as `plan`.
    """
    engine = engines.of(baseline.engine)
    _refuse_impossible(baseline, list(devices), "sync")
    off = replace(baseline, device=BASELINE, durability="off")
    buffered = "delayed" if engine.on_server else "flush"
    cells = [off, replace(off, durability=buffered, rung=ENCODE)]
    for device, emulated in devices.items():
        synced = replace(off, device=device, durability="sync")
        cells += [replace(synced, durability="delayed")] if engine.on_server else []
        cells += [replace(synced, durability="flush"), replace(synced, rung=SYNC_FREE)]
        cells += [replace(synced, rung=WAIT)] if emulated else []
        cells += [synced, *([] if engine.on_server else [replace(synced, rung=TIMED)])]
    return cells


def _modes(engine: str, device: str, durability: str | None) -> list[str]:
    """What is measured on a device, the baseline first where it is one of them."""
    if device == BASELINE:
        return ["off"]
    if engines.of(engine).has_off:
        return [durability or "sync"]
    asked = [durability] if durability else ["sync", "flush"]
    return ["delayed", *(mode for mode in asked if mode != "delayed")]


def refuse_foreign_engine(workload: str, engine: str) -> None:
    """Errors: UsageError for a workload on an engine that it does not run on."""
    record = workloads.of(workload)
    if engines.of(engine).node_engine is not None and not record.sharded:
        known = ", ".join(name for name, one in workloads.WORKLOADS.items() if one.sharded)
        raise UsageError(
            f"--workload: found {record.sized_by} with --engine {engine}, of which no node owns a "
            f"key; type --workload with one of {known}"
        )
    if record.engines is not None and engine not in record.engines:
        instead = record.engines[0]
        raise UsageError(
            f"--workload: found {record.sized_by} with --engine {engine}, but "
            f"{record.why_engines}; type --engine {instead} (with make: ENGINE={instead}), or "
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
