"""The places of the guest: how each is made there, and what waltax must say of it.

In expectations `{nvme}` stands for the name that the kernel gave to that disk.
"""

from __future__ import annotations

from stack import LOOP, Stack, ext4

_VOLATILE = "warning: not durable: volatile:"
_WRITE_BACK = "reports a write-back cache"


STACKS = (
    Stack(
        "virtio",
        "disk of a hypervisor, virtio-blk",
        ext4("/dev/$virtio", "virtio"),
        "virtual",
        says=("bus virtio", "rotational unknown", "warning: the WAL shares {virtio}"),
    ),
    Stack(
        "nvme",
        "NVMe drive, ext4",
        ext4("/dev/$nvme", "nvme"),
        "nvme",
        says=("bus nvme pcie", "rotational no", "write cache write back", _WRITE_BACK),
        never=(_VOLATILE, "warning: the WAL shares"),
    ),
    Stack(
        "nvme-paths",
        "NVMe name space behind two controllers (native multipath)",
        ext4("/dev/$paths", "nvme-paths"),
        "nvme",
        says=("bus nvme pcie",),
    ),
    Stack(
        "nvme-tcp",
        "NVMe over TCP",
        ext4("/dev/$tcp", "nvme-tcp"),
        "remote",
        before="target",
        says=("bus nvme tcp",),
    ),
    Stack(
        "pmem-plain",
        "NVDIMM, fsdax, mounted without DAX",
        "ndctl create-namespace -f -e namespace0.0 -m fsdax --align=4k >/dev/null && "
        + ext4("/dev/pmem0", "pmem-plain"),
        "pmem",
        says=("DAX mount    no", "DAX yes", "mounted without DAX"),
    ),
    Stack(
        "pmem",
        "NVDIMM, fsdax, mounted with DAX",
        "umount /mnt/pmem-plain && "
        + ext4("/dev/pmem0", "pmem", "dax=always")
        + " && mapped /mnt/pmem",
        "pmem",
        says=("DAX mount    yes", "bus pmem", "DAX yes"),
        never=("warning:",),
    ),
    Stack(
        "pmem-sector",
        "NVDIMM as a block device with atomic sectors (BTT)",
        "ndctl create-namespace -f -e namespace1.0 -m sector >/dev/null && "
        + ext4("/dev/pmem1s", "pmem-sector"),
        "pmem",
        says=("DAX mount    no", "DAX no", "mounted without DAX"),
    ),
    Stack(
        "sata",
        "SATA SSD, first partition",
        "addpart /dev/$sata 1 2048 204800 && addpart /dev/$sata 2 206848 204800 && "
        "addpart /dev/$sata 3 411648 204800 && " + ext4("/dev/${sata}1", "sata"),
        "sata",
        layers=("{sata}1 (partition of {sata})",),
        says=("bus sata", "model WALTAX-SATA", "rotational no"),
    ),
    Stack(
        "hdd",
        "rotating SCSI disk (SAS)",
        ext4("/dev/$hdd", "hdd"),
        "hdd",
        says=("bus sas", "model WALTAX-HDD", "rotational yes"),
    ),
    Stack(
        "hdd-sata",
        "rotating SATA disk",
        ext4("/dev/$spin", "hdd-sata"),
        "hdd",
        says=("bus sata", "model WALTAX-SPIN", "rotational yes"),
    ),
    Stack(
        "sas",
        "SAS SSD without a volatile cache",
        ext4("/dev/$sas", "sas"),
        "sas",
        says=("bus sas", "rotational no", "write cache write through"),
        never=(_WRITE_BACK,),
    ),
    Stack(
        "scsi",
        "rotating disk behind a SCSI controller that says no more, XFS",
        "mkfs.xfs -q -f /dev/$scsi && mkdir /mnt/scsi && mount -t xfs /dev/$scsi /mnt/scsi",
        "unknown",
        says=("model WALTAX-SCSI", "rotational unknown", "journal      yes (xfs log)"),
    ),
    Stack(
        "virtio-scsi",
        "disk of a hypervisor, virtio-scsi, which calls itself rotating",
        ext4("/dev/$vscsi", "virtio-scsi"),
        "virtual",
        says=("bus virtio", "rotational unknown"),
    ),
    Stack(
        "usb",
        "USB drive",
        ext4("/dev/$usb", "usb"),
        "unknown",
        says=("bus usb", "rotational unknown"),
    ),
    Stack(
        "null-blk",
        "null_blk",
        ext4("/dev/nullb0", "null-blk"),
        "ram",
        says=("bus nullb", f"{_VOLATILE} nullb0"),
    ),
    Stack(
        "ram-disk", "ram disk", ext4("/dev/ram0", "ram-disk"), "ram", says=(f"{_VOLATILE} ram0",)
    ),
    Stack(
        "zram",
        "compressed memory",
        "echo 64M >/sys/block/zram0/disksize && " + ext4("/dev/zram0", "zram"),
        "ram",
        says=(f"{_VOLATILE} zram0",),
    ),
    Stack(
        "scsi-debug",
        "scsi_debug",
        ext4("/dev/$debug", "scsi-debug"),
        "virtual",
        says=("bus scsi_debug",),
    ),
    Stack(
        "dm-delay",
        "dm-delay over a partition of the SATA SSD",
        'dmsetup create delayed --table "0 204800 delay /dev/${sata}2 0 1" && '
        + ext4("/dev/mapper/delayed", "dm-delay"),
        "sata",
        layers=("dm-0 (device mapper delayed)", "{sata}2 (partition of {sata})"),
    ),
    Stack(
        "lvm",
        "logical volume over the SATA SSD and a ram disk",
        "printf '0 204800 linear /dev/%s 0\\n204800 131072 linear /dev/ram2 0\\n' ${sata}3 | "
        "dmsetup create vg-wal --uuid LVM-vgwal && " + ext4("/dev/mapper/vg-wal", "lvm"),
        "unknown",
        layers=("dm-1 (LVM vg-wal)", "{sata}3 (partition of {sata})"),
        says=("{sata}: class sata", "ram2: class ram", f"{_VOLATILE} ram2"),
    ),
    Stack(
        "loop",
        "loop device over a file on the NVMe drive",
        f"disk=$({LOOP.format(file='/mnt/nvme/loop.img')}) && " + ext4("$disk", "loop"),
        "nvme",
        layers=(
            "loop0 (loop device over /mnt/nvme/loop.img)",
            "/mnt/nvme/loop.img on ext4 at /mnt/nvme",
        ),
        says=("warning: the WAL passes through loop0",),
    ),
    Stack(
        "loop-ram",
        "loop device over a file in memory",
        f"disk=$({LOOP.format(file='/tmp/loop.img')}) && " + ext4("$disk", "loop-ram"),
        "ram",
        layers=("loop1 (loop device over /tmp/loop.img)", "/tmp/loop.img on tmpfs at /tmp"),
        says=(f"{_VOLATILE} tmpfs",),
    ),
    Stack(
        "loop-disk",
        "loop device over a whole disk (SATA)",
        "umount /mnt/hdd-sata && disk=$(losetup -f --show /dev/$spin) && "
        + ext4("$disk", "loop-disk"),
        "hdd",
        layers=("loop2 (loop device over /dev/{spin})",),
        says=("{spin}: class hdd",),
        never=(_VOLATILE,),
    ),
    Stack(
        "loop-gone",
        "loop device over a file that was deleted",
        f"disk=$({LOOP.format(file='/mnt/nvme/gone.img')}) && rm /mnt/nvme/gone.img && "
        + ext4("$disk", "loop-gone"),
        "unknown",
        layers=("loop3 (loop device over /mnt/nvme/gone.img)",),
        says=("disk         unknown",),
    ),
    Stack(
        "overlay",
        "overlay, written to the NVMe drive",
        "overlay /mnt/nvme/upper overlay",
        "nvme",
        layers=("overlay, written to /mnt/nvme/upper/top (ext4 at /mnt/nvme)",),
        says=("journal      yes (data=ordered)", "barriers     yes", "passes through overlay"),
    ),
    Stack(
        "overlay-volatile",
        "the same with `volatile`: syncs do nothing",
        "overlay /mnt/nvme/volatile overlay-volatile volatile",
        "nvme",
        layers=("overlay, written to /mnt/nvme/volatile/top (ext4 at /mnt/nvme)",),
        says=(
            "barriers     no (overlay mounted volatile)",
            "warning: not durable: the overlay is mounted volatile",
        ),
    ),
    Stack(
        "overlay-ram",
        "overlay, written to memory",
        "overlay /tmp/upper overlay-ram",
        "ram",
        layers=("overlay, written to /tmp/upper/top (tmpfs at /tmp)",),
        says=(_VOLATILE,),
    ),
    Stack(
        "overlay-loop",
        "overlay on a loop device on the NVMe drive",
        "overlay /mnt/loop/upper overlay-loop",
        "nvme",
        layers=(
            "overlay, written to /mnt/loop/upper/top (ext4 at /mnt/loop)",
            "loop0 (loop device over /mnt/nvme/loop.img)",
            "/mnt/nvme/loop.img on ext4 at /mnt/nvme",
        ),
    ),
    Stack(
        "container",
        "overlay whose upper directory is out of sight, as in a container",
        ":",
        "unknown",
        layers=("overlay, upper directory /top/upper not visible here",),
        directory="/opt",
    ),
    Stack(
        "bind",
        "bind mount of a directory of the NVMe drive",
        "mkdir -p /mnt/nvme/deep /mnt/bind && mount --bind /mnt/nvme/deep /mnt/bind",
        "nvme",
        says=("{nvme}: class nvme",),
    ),
    Stack("tmpfs", "memory", ":", "ram", says=(f"{_VOLATILE} tmpfs",), directory="/dev/shm"),
    Stack("9p", "directory of the host", ":", "remote", directory="/run/out"),
    Stack(
        "no-barrier",
        "ext4 without barriers",
        "umount /mnt/virtio-scsi && " + ext4("/dev/$vscsi", "no-barrier", "nobarrier"),
        "virtual",
        says=("barriers     no (nobarrier)", "warning: not durable: barriers are off"),
    ),
    Stack(
        "no-journal",
        "ext4 without a journal",
        "umount /mnt/null-blk && " + ext4("/dev/nullb0", "no-journal", "", "-O ^has_journal"),
        "ram",
        says=("journal      no (ext4 without a journal)", "warning: ext4 without a journal"),
    ),
    Stack(
        "journal-elsewhere",
        "ext4 with its journal on another disk",
        "umount /mnt/scsi-debug /mnt/usb && mkfs.ext4 -q -F -b 4096 -O journal_dev /dev/$debug && "
        + ext4("/dev/$usb", "journal-elsewhere", "", "-J device=/dev/$debug"),
        "unknown",
        says=("journal      yes (data=ordered, on another device",),
    ),
)
