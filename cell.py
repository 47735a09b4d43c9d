"""A cell: one point of the matrix that a campaign compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BASELINE = "off"
DURABILITIES = ("sync", "flush", "off")
WORKLOADS = ("linkbench", "tpcc")


@dataclass(frozen=True)
class Cell:
    """What to run. `durability` says when a commit is acknowledged:

    sync    after the WAL reached the device
    flush   after it reached the kernel
    off     at once; no WAL is written

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
        return self.device == BASELINE and not self.replica


def plan(
    engine: str,
    workload: str,
    profile: str,
    devices: Sequence[str],
    durability: str,
    threads: int,
) -> list[Cell]:
    """One cell per device, and the baseline `off` first, because an overhead needs it.

    A device named twice becomes two cells with replica marks: an A/A comparison.
    """
    cells = [Cell(engine, workload, profile, BASELINE, "off", threads)]
    seen: dict[str, int] = {BASELINE: 0}
    for device in devices:
        count = seen[device] = seen.get(device, 0) + 1
        if device == BASELINE and count == 1:
            continue  # the baseline itself
        replica = "" if count == 1 else f"r{count}"
        mode = "off" if device == BASELINE else durability
        cells.append(Cell(engine, workload, profile, device, mode, threads, replica))
    return cells
