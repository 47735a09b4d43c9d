"""Digests of a directory's file system and disks, which show whether it is still the same place.

Serial numbers and UUIDs are hashed, and never kept or printed as such.
"""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath

from .block import block_of, name_of
from .kernel import Kernel
from .mounts import Mount, find_mount, read_mounts

# File systems whose id comes from their UUID or is drawn for each mount; others use device numbers.
_HAVE_AN_ID = frozenset({"ext2", "ext3", "ext4", "btrfs", "zfs", "bcachefs", "tmpfs", "overlay"})
# Files below a block device in sysfs that identify it.
_IDS = (
    *("wwid", "uuid", "nguid", "eui", "serial", "dm/uuid", "md/uuid"),
    *("device/wwid", "device/serial", "device/vpd_pg80"),
)
_DEEPEST = 8  # a loop device over a file on a loop device, and so on


def file_system(path: Path, kernel: Kernel | None = None) -> str:
    """Return 16 hexadecimal digits that differ when another file system is mounted at `path`.

    They hold for this boot and mount only; two system calls. Errors: OSError when it is gone.
    """
    kernel = kernel or Kernel()
    return _digest([kernel.device_number(str(path)), kernel.file_system_id(str(path))])


def identity(path: Path, kernel: Kernel | None = None) -> str:
    """Return 16 hexadecimal digits that differ when `path` is on another file system or disk.

    They stay the same when the disk is mounted again, also after a reboot, if the file system or
    its disks can be identified at all; otherwise they hold for this mount only. Errors: OSError
    when it is gone.
    """
    kernel = kernel or Kernel()
    return _digest(_of_directory(kernel, kernel.realpath(str(path)), 0))


def _of_directory(kernel: Kernel, path: str, depth: int) -> list[str]:
    mount = find_mount(read_mounts(kernel), path)
    this_mount = [kernel.device_number(path), kernel.file_system_id(path)]
    if mount is None:
        return this_mount
    name = name_of(kernel, mount.major_minor, mount.source)
    disks = [] if name is None else _of_block(kernel, name, depth)
    lasting = [*_of_file_system(kernel, mount, path), *disks]
    return [mount.fs_type, *(lasting or [mount.source, *this_mount])]


def _of_file_system(kernel: Kernel, mount: Mount, path: str) -> list[str]:
    number = kernel.file_system_id(path)
    return [number] if mount.fs_type in _HAVE_AN_ID and number != "0" else []


def _of_block(kernel: Kernel, name: str, depth: int) -> list[str]:
    """Return what identifies a block device and those below it; at worst its name."""
    if depth >= _DEEPEST:
        return []
    path = kernel.realpath(f"/sys/class/block/{name}")
    ids = [f"{file}={value}" for file in _IDS if (value := kernel.read(f"{path}/{file}"))]
    slaves = kernel.entries(f"{path}/slaves")
    below = [word for slave in slaves for word in _of_block(kernel, slave, depth + 1)]
    partition = kernel.read(f"{path}/partition")
    if partition is not None:
        uuid = _uevent(kernel, path).get("PARTUUID", "")
        ids += [f"partition={partition}", f"PARTUUID={uuid}"]
        below = _of_block(kernel, PurePosixPath(path).parent.name, depth + 1)
    backing = kernel.read(f"{path}/loop/backing_file")
    if backing is not None:
        below = _of_file(kernel, backing, depth + 1)
    return [*(ids or ([] if below else [f"name={name}"])), *below]


def _of_file(kernel: Kernel, file: str, depth: int) -> list[str]:
    """Return what identifies a loop device's file, which may be a block device itself."""
    name = block_of(kernel, file)
    if name is not None:
        return _of_block(kernel, name, depth)
    if depth >= _DEEPEST or not kernel.exists(file):
        return [f"file={file}"]
    real = kernel.realpath(file)
    return [
        f"file={real}",
        f"inode={kernel.inode(real)}",
        *_of_directory(kernel, real, depth),
    ]


def _uevent(kernel: Kernel, path: str) -> dict[str, str]:
    lines = (kernel.read(f"{path}/uevent") or "").splitlines()
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


def _digest(parts: list[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
