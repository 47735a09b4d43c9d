"""Whether a directory is still where it was: its file system and the disks below, as a digest.

Serial numbers and UUIDs are hashed, and never kept or printed as such.
"""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath

from .block import block_of, name_of
from .kernel import Kernel
from .mounts import Mount, find_mount, read_mounts

# File systems whose id is their UUID's or drawn for each mount; of others it is a device's number.
_HAVE_AN_ID = frozenset({"ext2", "ext3", "ext4", "btrfs", "zfs", "bcachefs", "tmpfs", "overlay"})
# Below a block device in sysfs: what makers and people told apart by.
_IDS = (
    *("wwid", "uuid", "nguid", "eui", "serial", "dm/uuid", "md/uuid"),
    *("device/wwid", "device/serial", "device/vpd_pg80"),
)
_DEEPEST = 8  # a loop device over a file on a loop device, and so on


def file_system(path: Path, kernel: Kernel | None = None) -> str:
    """16 hexadecimal digits that differ when another file system is mounted at `path`.

    Of this boot and this mount only; two system calls. Errors: OSError when it is gone.
    """
    kernel = kernel or Kernel()
    return _digest([kernel.device_number(str(path)), kernel.file_system_id(str(path))])


def identity(path: Path, kernel: Kernel | None = None) -> str:
    """16 hexadecimal digits that differ when `path` is on another file system or disk.

    The same when the same disk was mounted again, also after a reboot, as far as the file system
    or its disks can be told from others at all; else it is of this mount only. Errors: OSError
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
    found = kernel.file_system_id(path)
    return [found] if mount.fs_type in _HAVE_AN_ID and found != "0" else []


def _of_block(kernel: Kernel, name: str, depth: int) -> list[str]:
    """What identifies a block device and those below it: its name where the kernel knows no
    better.
    """
    if depth >= _DEEPEST:
        return []
    path = kernel.realpath(f"/sys/class/block/{name}")
    found = [f"{each}={value}" for each in _IDS if (value := kernel.read(f"{path}/{each}"))]
    below = [
        one
        for slave in kernel.entries(f"{path}/slaves")
        for one in _of_block(kernel, slave, depth + 1)
    ]
    partition = kernel.read(f"{path}/partition")
    if partition is not None:
        uuid = _uevent(kernel, path).get("PARTUUID", "")
        found += [f"partition={partition}", f"PARTUUID={uuid}"]
        below = _of_block(kernel, PurePosixPath(path).parent.name, depth + 1)
    backing = kernel.read(f"{path}/loop/backing_file")
    if backing is not None:
        below = _of_file(kernel, backing, depth + 1)
    return [*(found or ([] if below else [f"name={name}"])), *below]


def _of_file(kernel: Kernel, file: str, depth: int) -> list[str]:
    """What a loop device is over: another block device, or a file of some file system."""
    name = block_of(kernel, file)
    if name is not None:
        return _of_block(kernel, name, depth)
    if depth >= _DEEPEST or not kernel.exists(file):
        return [f"file={file}"]
    found = kernel.realpath(file)
    return [f"file={found}", f"inode={kernel.inode(found)}", *_of_directory(kernel, found, depth)]


def _uevent(kernel: Kernel, path: str) -> dict[str, str]:
    lines = (kernel.read(f"{path}/uevent") or "").splitlines()
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


def _digest(parts: list[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
