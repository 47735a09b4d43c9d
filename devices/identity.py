"""Digests of a directory's file system and disks, which show whether it is still the same place.

Serial numbers and UUIDs are hashed, and never kept or printed as such.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from ..base.kernel import Kernel
from .stack import Layer, stack_of

# File systems whose id comes from their UUID or is drawn for each mount; others use device numbers.
_HAVE_AN_ID = frozenset({"ext2", "ext3", "ext4", "btrfs", "zfs", "bcachefs", "tmpfs", "overlay"})
# Files below a block device in sysfs that identify it.
_IDS = (
    *("wwid", "uuid", "nguid", "eui", "serial", "dm/uuid", "md/uuid", "partition"),
    *("device/wwid", "device/serial", "device/vpd_pg80"),
)


def identity(path: Path, kernel: Kernel | None = None) -> str:
    """Return 16 hexadecimal digits that differ when `path` is on another file system or disk.

    They stay the same when the disk is mounted again, also after a reboot, if the file system or
    its disks can be identified at all; otherwise they hold for this mount only. Errors: OSError
    when it is gone.
    """
    kernel = kernel or Kernel()
    real = kernel.realpath(str(path))
    stack = stack_of(kernel, real)
    if stack is None or stack.mount is None:
        return _digest(_numbers(kernel, real))
    ids = [word for layer in stack.walk() for word in _ids(kernel, layer)]
    lasting = ids or [stack.mount.source, *_numbers(kernel, real)]
    return _digest([stack.mount.fs_type, *lasting])


def _numbers(kernel: Kernel, path: str) -> list[str]:
    """Return numbers that hold for this boot and mount only."""
    return [str(kernel.at(path).stat().st_dev), _id(kernel, path)]


def _id(kernel: Kernel, path: str) -> str:
    """Return the id of statfs(2), "0" where the file system has none."""
    return f"{os.statvfs(kernel.at(path)).f_fsid:x}"


def _ids(kernel: Kernel, layer: Layer) -> Iterator[str]:
    """Yield what identifies a layer for good; of a disk without any, its name."""
    if layer.mount is not None and layer.mount.fs_type in _HAVE_AN_ID:
        number = _id(kernel, layer.mount.point)
        if number != "0":
            yield number
    if layer.name:
        ids = [f"{id}={text}" for id in _IDS if (text := kernel.read(f"{layer.path}/{id}"))]
        uevent = kernel.read(f"{layer.path}/uevent") or ""
        ids += [line for line in uevent.splitlines() if line.startswith("PARTUUID=")]
        yield from ids or ([] if layer.below or layer.file else [f"name={layer.name}"])
    if layer.file:
        yield f"file={layer.file}"
        if kernel.exists(layer.file):
            yield f"inode={kernel.at(layer.file).stat().st_ino}"


def _digest(parts: list[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
