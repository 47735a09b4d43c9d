"""One workload's part of the disk and of the memory."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Share:
    """In MiB; upper bounds except `written_mib`, an estimate of a whole campaign.

    `whole_runs` is at least how many slices do a number of operations, however long it takes.
    """

    disk_mib: float
    written_mib: float
    emulated_mib: float  # WALs in the memory file system
    processes_mib: float
    whole_runs: int = 0
