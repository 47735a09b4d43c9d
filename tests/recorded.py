"""Recorded machines: trees of /proc and /sys as the kernel lays them out, for stacks not here."""

from __future__ import annotations

from collections.abc import Callable

from recorded_machine import Recorded as Recorded

_NVME = "pci0000:00/0000:01:00.0/nvme/nvme0"


def _nvme_disk(machine: Recorded, **attributes: str) -> None:
    given = {
        "device__model": "INTEL SSDPEDMD800G4",
        "device__transport": "pcie",
        "device__device__vendor": "0x8086",
        "device__device__device": "0x0953",
        "queue__write_cache": "write through",
        "queue__rotational": "0",
        "queue__fua": "0",
    }
    machine.block("nvme0n1", "259:0", _NVME, **{**given, **attributes})
    machine.partition("nvme0n1", "nvme0n1p1", "259:1", _NVME)


def nvme(machine: Recorded) -> None:
    _nvme_disk(machine)
    machine.mount("/wal", "xfs", "/dev/nvme0n1p1", "259:1")


def nvme_multipath(machine: Recorded) -> None:
    controller = "/sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0"
    machine.file(f"{controller}/transport", "pcie")
    subsystem = "virtual/nvme-subsystem/nvme-subsys0"
    machine.link(f"/sys/devices/{subsystem}/nvme0", controller)
    machine.block("nvme0n1", "259:0", subsystem)
    machine.mount("/wal", "xfs", "/dev/nvme0n1", "259:0")


def nvme_over_tcp(machine: Recorded) -> None:
    _nvme_disk(machine, device__transport="tcp")
    machine.mount("/wal", "xfs", "/dev/nvme0n1p1", "259:1")


def ebs(machine: Recorded) -> None:
    _nvme_disk(machine, device__model="Amazon Elastic Block Store")
    machine.mount("/wal", "xfs", "/dev/nvme0n1p1", "259:1")


def nvram_card(machine: Recorded) -> None:
    _nvme_disk(machine, device__device__vendor="0x11f8", device__device__device="0xf117")
    machine.mount("/wal", "xfs", "/dev/nvme0n1p1", "259:1")


def pmem(machine: Recorded) -> None:
    at = "LNXSYSTM:00/LNXSYBUS:00/ACPI0012:00/ndbus0/region0/namespace0.0/block"
    machine.block("pmem0", "259:4", at, queue__dax="1", queue__write_cache="write back")
    machine.mount("/wal", "ext4", "/dev/pmem0", "259:4", "rw,dax=always")
    machine.file("/proc/fs/ext4/pmem0/options", "rw\nbarrier\ndata=ordered\ndax=always")


def pmem_without_dax(machine: Recorded) -> None:
    at = "LNXSYSTM:00/LNXSYBUS:00/ACPI0012:00/ndbus0/region1/btt1.0/block"
    machine.block("pmem1s", "259:5", at, queue__dax="0", queue__write_cache="write through")
    machine.mount("/wal", "ext4", "/dev/pmem1s", "259:5")


_ATA = "pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block"


def sata(machine: Recorded) -> None:
    machine.block(
        "sda",
        "8:0",
        _ATA,
        device__model="Crucial_CT250MX200SSD1",
        queue__rotational="0",
        queue__write_cache="write back",
    )
    machine.partition("sda", "sda1", "8:1", _ATA)
    machine.partition("sda", "sda2", "8:2", _ATA)
    machine.mount("/wal", "ext4", "/dev/sda1", "8:1", "rw,errors=remount-ro")
    machine.mount("/data", "ext4", "/dev/sda2", "8:2")
    machine.file("/proc/fs/ext4/sda1/options", "rw\nnobarrier\ndata=ordered")
    machine.directory("/proc/fs/jbd2/sda1-8")


def hard_disk(machine: Recorded) -> None:
    machine.block("sda", "8:0", _ATA, queue__rotational="1")
    machine.mount("/wal", "xfs", "/dev/sda", "8:0")


def sas(machine: Recorded) -> None:
    at = "pci0000:00/0000:02:00.0/host1/port-1:0/end_device-1:0/target1:0:0/1:0:0:0/block"
    machine.block("sda", "8:0", at, queue__rotational="0")
    machine.mount("/wal", "xfs", "/dev/sda", "8:0")


def parallel_scsi(machine: Recorded) -> None:
    at = "pci0000:00/0000:00:05.0/host7/target7:0:0/7:0:0:0/block"
    machine.block("sdc", "8:32", at, queue__rotational="1")
    machine.mount("/wal", "xfs", "/dev/sdc", "8:32")


def journal_on_another_disk(machine: Recorded) -> None:
    hard_disk(machine)
    machine.block("sdb", "8:16", "pseudo_0/adapter0/host10/target10:0:0/10:0:0:0/block")
    machine.mount("/split", "ext4", "/dev/sda", "8:0")
    machine.file("/proc/fs/ext4/sda/options", "rw\nbarrier\ndata=ordered")
    machine.directory("/proc/fs/jbd2/sdb-8")


def virtio(machine: Recorded) -> None:
    at = "pci0000:00/0000:00:02.0/virtio1/block"
    machine.block("vda", "254:0", at, queue__rotational="1", queue__write_cache="write back")
    machine.mount("/wal", "ext4", "/dev/vda", "254:0")
    machine.file("/proc/fs/ext4/vda/options", "rw\nbarrier\ncommit=5")


def iscsi(machine: Recorded) -> None:
    at = "platform/host3/session1/target3:0:0/3:0:0:0/block"
    machine.block("sdb", "8:16", at, queue__rotational="0")
    machine.mount("/wal", "xfs", "/dev/sdb", "8:16")


def usb(machine: Recorded) -> None:
    at = "pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block"
    machine.block("sdc", "8:32", at, queue__rotational="1")
    machine.mount("/wal", "xfs", "/dev/sdc", "8:32")


def null_blk(machine: Recorded) -> None:
    machine.block("nullb0", "252:0", "virtual/block", queue__write_cache="write through")
    machine.mount("/wal", "ext4", "/dev/nullb0", "252:0")


def dm_crypt_on_nvme(machine: Recorded) -> None:
    _nvme_disk(machine)
    uuid = "CRYPT-LUKS2-0123-luks"
    machine.stacked("dm-0", "253:5", ["nvme0n1p1"], dm__name="luks", dm__uuid=uuid)
    machine.mount("/wal", "xfs", "/dev/mapper/luks", "253:5")


def md_over_nvme_and_sata(machine: Recorded) -> None:
    _nvme_disk(machine)
    machine.block("sda", "8:0", _ATA, queue__rotational="0")
    machine.stacked("md0", "9:0", ["nvme0n1", "sda"], md__level="raid1")
    machine.mount("/wal", "ext4", "/dev/md0", "9:0")


def btrfs_on_two(machine: Recorded) -> None:
    _nvme_disk(machine)
    machine.block("sda", "8:0", _ATA, queue__rotational="0")
    machine.link("/dev/nvme0n1", "/dev/disk/nvme0n1")
    for member in ("nvme0n1", "sda"):
        machine.file(f"/sys/fs/btrfs/12-34/devices/{member}")
    machine.mount("/wal", "btrfs", "/dev/nvme0n1", "0:45")


def loop_on_sata(machine: Recorded) -> None:
    sata(machine)
    machine.file("/data/disk.img")
    machine.block("loop0", "7:0", "virtual/block", loop__backing_file="/data/disk.img")
    machine.mount("/loop", "ext4", "/dev/loop0", "7:0")


def loop_on_tmpfs(machine: Recorded) -> None:
    machine.mount("/ram", "tmpfs", "tmpfs")
    machine.file("/ram/disk.img")
    machine.block("loop0", "7:0", "virtual/block", loop__backing_file="/ram/disk.img")
    machine.mount("/wal", "ext4", "/dev/loop0", "7:0")


def loop_on_disk(machine: Recorded) -> None:
    hard_disk(machine)
    machine.mount("/dev", "devtmpfs", "devtmpfs", "0:6")
    machine.file("/dev/sda")
    machine.block("loop0", "7:0", "virtual/block", loop__backing_file="/dev/sda")
    machine.mount("/loop", "ext4", "/dev/loop0", "7:0")


def loop_on_loop(machine: Recorded) -> None:
    loop_on_sata(machine)
    machine.mount("/dev", "devtmpfs", "devtmpfs", "0:6")
    machine.file("/dev/loop0")
    machine.block("loop1", "7:1", "virtual/block", loop__backing_file="/dev/loop0")
    machine.mount("/deeper", "ext4", "/dev/loop1", "7:1")


def loop_on_lost_file(machine: Recorded) -> None:
    backing = "/gone.img (deleted)"
    machine.block("loop0", "7:0", "virtual/block", loop__backing_file=backing)
    machine.mount("/wal", "ext4", "/dev/loop0", "7:0")


def overlay_on_sata(machine: Recorded, options: str = "") -> None:
    sata(machine)
    machine.directory("/data/upper")
    machine.file("/proc/fs/ext4/sda2/options", "rw\nbarrier\ndata=ordered")
    machine.directory("/proc/fs/jbd2/sda2-8")
    upper = f"rw,lowerdir=/l,upperdir=/data/upper{options}"
    machine.mount("/merged", "overlay", "overlay", "0:60", upper)


def volatile_overlay(machine: Recorded) -> None:
    overlay_on_sata(machine, ",volatile")


def volatile_overlay_of_today(machine: Recorded) -> None:
    overlay_on_sata(machine, ",fsync=volatile")


def overlay_without_barriers(machine: Recorded) -> None:
    sata(machine)
    machine.directory("/wal/upper")
    machine.mount("/merged", "overlay", "overlay", "0:60", "rw,lowerdir=/l,upperdir=/wal/upper")


def overlay_on_nvme(machine: Recorded) -> None:
    nvme(machine)
    machine.directory("/wal/upper")
    machine.mount("/merged", "overlay", "overlay", "0:60", "rw,lowerdir=/l,upperdir=/wal/upper")


def overlay_in_container(machine: Recorded) -> None:
    nvme(machine)
    machine.mount("/", "overlay", "overlay", "0:60", "rw,upperdir=/var/lib/upper")


def tmpfs(machine: Recorded) -> None:
    machine.mount("/wal", "tmpfs", "tmpfs")


def nfs(machine: Recorded) -> None:
    machine.mount("/wal", "nfs4", "server:/export")


# Each stack, the directory to ask about, and the class that it is.
STACKS: list[tuple[Callable[[Recorded], None], str, str]] = [
    (nvme, "/wal", "nvme"),
    (nvme_multipath, "/wal", "nvme"),
    (nvme_over_tcp, "/wal", "remote"),
    (ebs, "/wal", "remote"),
    (nvram_card, "/wal", "nvram"),
    (pmem, "/wal", "pmem"),
    (pmem_without_dax, "/wal", "pmem"),
    (sata, "/wal", "sata"),
    (hard_disk, "/wal", "hdd"),
    (sas, "/wal", "sas"),
    (parallel_scsi, "/wal", "unknown"),
    (virtio, "/wal", "virtual"),
    (iscsi, "/wal", "remote"),
    (usb, "/wal", "unknown"),
    (null_blk, "/wal", "ram"),
    (dm_crypt_on_nvme, "/wal", "nvme"),
    (md_over_nvme_and_sata, "/wal", "unknown"),
    (btrfs_on_two, "/wal", "unknown"),
    (loop_on_sata, "/loop", "sata"),
    (loop_on_tmpfs, "/wal", "ram"),
    (loop_on_disk, "/loop", "hdd"),
    (loop_on_loop, "/deeper", "sata"),
    (loop_on_lost_file, "/wal", "unknown"),
    (overlay_on_nvme, "/merged", "nvme"),
    (overlay_in_container, "/etc", "unknown"),
    (tmpfs, "/wal", "ram"),
    (nfs, "/wal", "remote"),
]
