"""A disk with a volatile write cache, whose every command QEMU logs.

Two file systems are on it. The first holds the database. The second takes acknowledgements alone,
so that these stand in the one log too, and have their place among the database's writes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from blocks.replay import Region
from waltax.base import proc

_MIB = 1 << 20
DATA = Region(1 * _MIB, 512 * _MIB)
ACKS = Region(DATA.offset + DATA.length, 8 * _MIB)
_DISK_BYTES = ACKS.offset + ACKS.length
# Nothing is left for the guest's kernel to write by itself.
_MKFS = ("mkfs.ext4", "-q", "-F", "-b", "4096", "-E", "lazy_itable_init=0,lazy_journal_init=0")


@dataclass(frozen=True)
class Bases:
    """What is on the disk before anything is written: the file systems, and the whole."""

    data: Path
    acks: Path
    disk: Path


def make(tree: Path, room: Path) -> Bases:
    """Make the file systems, the first with what is in `tree`. Errors: WaltaxError."""
    bases = Bases(room / "data.img", room / "acks.img", room / "disk.img")
    proc.run([*_MKFS, "-d", tree, bases.data, f"{DATA.length // _MIB}M"])
    # Without a journal, an appended acknowledgement is as few writes as can be.
    proc.run([*_MKFS, "-O", "^has_journal", bases.acks, f"{ACKS.length // _MIB}M"])
    with bases.disk.open("wb") as disk:
        disk.truncate(_DISK_BYTES)
    for source, region in ((bases.data, DATA), (bases.acks, ACKS)):
        where = [f"if={source}", f"of={bases.disk}", "bs=1M", f"seek={region.offset // _MIB}"]
        proc.run(["dd", *where, "conv=sparse,notrunc", "status=none"])
    return bases


def make_empty(image: Path) -> None:
    """Make the smallest file system as the database's is. Errors: WaltaxError."""
    proc.run([*_MKFS, image, "8M"])


@dataclass(frozen=True)
class Logged:
    """One disk of the guest, called `name` there; `log` is what it was told."""

    name: str
    image: Path
    log: Path


def logged(name: str, bases: Bases, room: Path) -> Logged:
    one = Logged(name, room / f"{name}.img", room / f"{name}.blocks")
    proc.run(["cp", "--sparse=always", bases.disk, one.image])
    one.log.touch()
    return one


def hardware(disks: list[Logged]) -> list[str]:
    """QEMU's arguments for these disks.

    The host need not flush: the log and the image are read by this host, which does not fail. The
    guest's flushes reach the log all the same, since the driver that writes it stands above.
    """
    argv = []
    for port, one in enumerate(disks):
        for node, path in ((f"{one.name}-image", one.image), (f"{one.name}-log", one.log)):
            file = {"driver": "file", "node-name": node, "filename": str(path)}
            argv += ["-blockdev", json.dumps(file | {"cache": {"no-flush": True}})]
        log = {"driver": "blklogwrites", "node-name": one.name, "log-super-update-interval": 1}
        below = {"file": f"{one.name}-image", "log": f"{one.name}-log"}
        argv += ["-blockdev", json.dumps(log | below)]
        disk = f"ide-hd,drive={one.name},bus=ide.{port},model=WALTAX-{one.name},write-cache=on"
        argv += ["-device", disk]
    return argv
