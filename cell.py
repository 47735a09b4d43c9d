"""A cell: one point of the matrix that a campaign compares."""

from __future__ import annotations

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
# The devices of the study; the baseline is always beside them.
STUDY = ("ssd", "nvme", "nvram")


@dataclass(frozen=True)
class Cell:
    """What to run. `durability` says when a commit is acknowledged:

    sync     after the log reached the device
    flush    after it reached the kernel
    delayed  at once; the log is written and synced about once a second
    off      at once; no log is written

    `replica` tells apart cells that are equal otherwise (an A/A comparison).
    """

    engine: str
    workload: str
    profile: str
    device: str
    durability: str
    threads: int
    replica: str = ""

    @property
    def id(self) -> str:
        """A stable, file-safe name, e.g. rocksdb-linkbench-quick-nvme-sync-t4."""
        parts = (self.engine, self.workload, self.profile, self.device, self.durability)
        return "-".join((*parts, f"t{self.threads}", *filter(None, [self.replica])))

    @property
    def is_baseline(self) -> bool:
        return self.id == self.baseline_id

    @property
    def baseline_id(self) -> str:
        """The cell that this one is compared with: `off`, where the engine can do without a log.

        Else the cell of the same device whose commits wait for no log.
        """
        if can_be_off(self.engine):
            return replace(self, device=BASELINE, durability="off", replica="").id
        return replace(self, durability="delayed", replica="").id


def can_be_off(engine: str) -> bool:
    """Whether the engine can run without a log, which is the baseline then."""
    return "off" in ENGINES[engine]


def plan(
    engine: str,
    workload: str,
    profile: str,
    devices: Sequence[str],
    durability: str | None,
    threads: int,
) -> list[Cell]:
    """The cells of a campaign: each one's baseline before it, because an overhead needs that.

    One cell per device, after the baseline `off`; of an engine without `off`, the device's
    modes. `durability` None means sync, or all modes. A device named twice becomes two with
    replica marks: an A/A comparison. Errors: UsageError for what the engine cannot do.
    """
    _refuse_impossible(engine, devices, durability)
    without_log = can_be_off(engine)
    cells = [Cell(engine, workload, profile, BASELINE, "off", threads)] if without_log else []
    seen: dict[str, int] = dict.fromkeys([cell.device for cell in cells], 0)
    for device in devices:
        count = seen[device] = seen.get(device, 0) + 1
        if device == BASELINE and count == 1:
            continue  # the baseline itself
        replica = "" if count == 1 else f"r{count}"
        cells += [
            Cell(engine, workload, profile, device, mode, threads, replica)
            for mode in _modes(engine, device, durability)
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


def _refuse_impossible(engine: str, devices: Sequence[str], durability: str | None) -> None:
    modes = ENGINES[engine]
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
