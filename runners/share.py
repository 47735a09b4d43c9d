"""One workload's part of the disk and of the memory."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Share:
    """In MiB; upper bounds except `written_mib`, an estimate of a whole campaign."""

    disk_mib: float
    written_mib: float
    emulated_mib: float  # WALs in the memory file system
    processes_mib: float
