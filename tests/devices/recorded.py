"""Recorded machines: trees of /proc and /sys as the kernel lays them out, for stacks not here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from waltax.devices.kernel import Kernel


class Recorded:
    """A machine under construction below `root`."""

    def __init__(self, root: Path) -> None:
        self.kernel = Kernel(root)
        self._root = root
        self._mounts: list[str] = []
        self.mount("/", "ext4", "/dev/root", "253:0")

    def file(self, path: str, text: str = "") -> None:
        below = self._root / path.lstrip("/")
        below.parent.mkdir(parents=True, exist_ok=True)
        below.write_text(text + "\n", encoding="utf-8")

    def directory(self, path: str) -> Path:
        (self._root / path.lstrip("/")).mkdir(parents=True, exist_ok=True)
        return Path(path)

    def link(self, path: str, target: str) -> None:
        """Make a relative link, as sysfs has them."""
        below = self._root / path.lstrip("/")
        below.parent.mkdir(parents=True, exist_ok=True)
        ups = len(Path(path.lstrip("/")).parts) - 1
        below.symlink_to("../" * ups + target.lstrip("/"))

    def mount(
        self, point: str, fs_type: str, source: str, number: str = "0:50", options: str = "rw"
    ) -> None:
        """Add a line of mountinfo and the directory, both as the kernel names them."""
        self._mounts.append(f"30 1 {number} / {point} rw shared:1 - {fs_type} {source} {options}")
        self.file("/proc/self/mountinfo", "\n".join(self._mounts))
        self.directory(point.replace("\\040", " "))

    def block(self, name: str, number: str, at: str, **attributes: str) -> str:
        """Add a block device below /sys/devices/`at`; "queue__fua" is the file queue/fua."""
        path = f"/sys/devices/{at}/{name}"
        self.directory(path)
        for attribute, text in attributes.items():
            self.file(f"{path}/{attribute.replace('__', '/')}", text)
        self.link(f"/sys/class/block/{name}", path)
        self.link(f"/sys/dev/block/{number}", path)
        return path

    def partition(self, disk: str, name: str, number: str, at: str) -> None:
        self.block(name, number, f"{at}/{disk}", partition="1")

    def stacked(self, name: str, number: str, over: list[str], **attributes: str) -> None:
        """Add a dm or md device over other block devices."""
        path = self.block(name, number, "virtual/block", **attributes)
        for slave in over:
            self.file(f"{path}/slaves/{slave}")


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
    machine.block("pmem0", "259:4", at, queue__dax="1", queue__write_cache="write through")
    machine.mount("/wal", "ext4", "/dev/pmem0", "259:4", "rw,dax=always")
    machine.file("/proc/fs/ext4/pmem0/options", "rw\nbarrier\ndata=ordered\ndax=always")


_ATA = "pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block"


def sata(machine: Recorded) -> None:
    machine.block(
        "sda",
        "8:0",
        _ATA,
        device__model="Crucial_CT250MX200SSD1",
        queue__rotational="0",
        queue__write_cache="write back",
        queue__scheduler="none [mq-deadline] kyber",
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
    (sata, "/wal", "sata"),
    (hard_disk, "/wal", "hdd"),
    (sas, "/wal", "sas"),
    (virtio, "/wal", "virtual"),
    (iscsi, "/wal", "remote"),
    (usb, "/wal", "unknown"),
    (null_blk, "/wal", "ram"),
    (dm_crypt_on_nvme, "/wal", "nvme"),
    (md_over_nvme_and_sata, "/wal", "unknown"),
    (btrfs_on_two, "/wal", "unknown"),
    (loop_on_sata, "/loop", "sata"),
    (loop_on_tmpfs, "/wal", "ram"),
    (overlay_on_nvme, "/merged", "nvme"),
    (overlay_in_container, "/etc", "unknown"),
    (tmpfs, "/wal", "ram"),
    (nfs, "/wal", "remote"),
]
