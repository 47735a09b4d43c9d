"""A cell: one point of the matrix that a campaign compares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .errors import UsageError

BASELINE = "off"
DURABILITIES = ("sync", "flush", "delayed", "off")
# What each engine can promise of a commit.
ENGINES = {
    "rocksdb": ("sync", "flush", "off"),
    "myrocks": ("sync", "flush", "delayed", "off"),
    "innodb": ("sync", "flush", "delayed"),
}
WORKLOADS = ("linkbench", "tpcc")
# Of db_bench, by its own names; each is a workload of its own, called `dbbench-<name>`.
BENCHES = (
    *("fillseq", "fillrandom", "overwrite", "readrandom", "readseq"),
    *("readwhilewriting", "mixgraph"),
)
_DBBENCH = "dbbench-"
# The devices of the study; the baseline is always beside them.
STUDY = ("ssd", "nvme", "nvram")
# Those of the grid of a latency sweep are named for the time of a sync: sync-38us.
_POINT = "sync-{}us"


@dataclass(frozen=True)
class Cell:
    """What to run. `durability` says when a commit is acknowledged:

    sync     after the log reached the device
    flush    after it reached the kernel
    delayed  at once; the log is written and synced about once a second
    off      at once; no log is written

    `size` names the keys and values where a campaign has several (k16-v100); only cells of one
    size are compared. `knob` is the one setting that differs from the profile's; it is compared
    with the same baseline. `replica` tells apart cells that are equal otherwise (A/A).
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

    @property
    def id(self) -> str:
        """A stable, file-safe name, e.g. rocksdb-linkbench-quick-nvme-sync-t4."""
        parts = (self.engine, self.workload, self.profile, self.device, self.durability)
        varied = filter(None, [self.size, self.knob, self.replica])
        return "-".join((*parts, f"t{self.threads}", *varied))

    @property
    def is_baseline(self) -> bool:
        return self.id == self.baseline_id

    @property
    def baseline_id(self) -> str:
        """The cell that this one is compared with: `off`, where the engine can do without a log.

        Else the cell of the same device whose commits wait for no log.
        """
        plain = replace(self, replica="", knob="")
        if can_be_off(self.engine):
            return replace(plain, device=BASELINE, durability="off").id
        return replace(plain, durability="delayed").id


def can_be_off(engine: str) -> bool:
    """Whether the engine can run without a log, which is the baseline then."""
    return "off" in ENGINES[engine]


def workload_of(bench: str) -> str:
    """The workload's name of one of `BENCHES`."""
    return f"{_DBBENCH}{bench}"


def bench_of(workload: str) -> str | None:
    """The benchmark of db_bench that a workload is; None of any other workload."""
    return workload.removeprefix(_DBBENCH) if workload.startswith(_DBBENCH) else None


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
    baseline: Cell, devices: Sequence[str], durability: str | None, knobs: Sequence[str] = ()
) -> list[Cell]:
    """The cells of one comparison: each one's baseline before it, as an overhead needs it.

    `baseline` has what they all share; it comes first where its engine can do without a log. One
    cell per device; of an engine without `off`, the device's modes; then one per knob of each.
    `durability` None means sync, or all modes. A device named twice becomes two with
    replica marks: an A/A comparison. Errors: UsageError for what the engine cannot do.
    """
    _refuse_impossible(baseline, devices, durability)
    baseline = replace(baseline, device=BASELINE, durability="off")
    cells = [baseline] if can_be_off(baseline.engine) else []
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
    return cells


def _modes(engine: str, device: str, durability: str | None) -> list[str]:
    """What is measured on a device, the baseline first where it is one of them."""
    if device == BASELINE:
        return ["off"]
    if can_be_off(engine):
        return [durability or "sync"]
    asked = [durability] if durability else ["sync", "flush"]
    return ["delayed", *(mode for mode in asked if mode != "delayed")]


def refuse_foreign_bench(workload: str, engine: str) -> None:
    """Errors: UsageError for db_bench on another engine than its own."""
    if bench_of(workload) is not None and engine != "rocksdb":
        raise UsageError(
            f"--workload: found dbbench with --engine {engine}, but db_bench has RocksDB inside; "
            "type --engine rocksdb (with make: ENGINE=rocksdb)"
        )


def _refuse_impossible(like: Cell, devices: Sequence[str], durability: str | None) -> None:
    engine = like.engine
    modes = ENGINES[engine]
    refuse_foreign_bench(like.workload, engine)
    if durability is not None and durability not in modes:
        why = {
            "off": f"{engine} always writes its log: delayed comes nearest, "
            "and is the baseline of every campaign of it",
            "delayed": f"{engine} has no thread that writes the log for it: flush comes nearest",
        }[durability]
        raise UsageError(
            f"--wal: found {durability} with --engine {engine}; {why}; type one of "
            f"{', '.join(f'--wal {mode}' for mode in modes)}"
        )
    if BASELINE in devices and not can_be_off(engine):
        raise UsageError(
            f"--device: found off with --engine {engine}, which always writes its log; leave it "
            "out: each device's mode `delayed` is measured beside the others, as their baseline"
        )
