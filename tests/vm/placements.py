"""Two placements that must work in the guest, and some that must be refused."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """One `waltax run` in the guest.

    `block` is the device under its WAL directory. Of files that are `mapped` into memory only
    the file system's own writes show in /proc/diskstats. `refused` are the words of a run that
    must end with exit code 2.
    """

    name: str
    what: str
    device: str
    wal_dir: str
    block: str = ""
    mapped: bool = False
    refused: str = ""


RUNS = (
    Run("nvme", "the WAL on the NVMe drive", "nvme", "/mnt/nvme/wal", block="{nvme}"),
    Run(
        "pmem-dax",
        "the WAL on the NVDIMM with DAX",
        "pmem-dax",
        "/mnt/pmem/wal",
        block="pmem0",
        mapped=True,
    ),
    Run(
        "nvme-on-sata",
        "a SATA disk under the name nvme",
        "nvme",
        "/mnt/sata/wal",
        refused="should be on nvme, but is on sata",
    ),
    Run(
        "nvme-on-tcp",
        "a remote NVMe drive under the name nvme",
        "nvme",
        "/mnt/nvme-tcp/wal",
        refused="should be on nvme, but is on remote",
    ),
    Run(
        "pmem-on-nvme",
        "an NVMe drive under the name pmem-dax",
        "pmem-dax",
        "/mnt/nvme/wal",
        refused="should be on pmem, but is on nvme",
    ),
)
