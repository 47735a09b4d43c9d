"""The layers below a directory: file systems, block devices, and the files of loop devices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from ..base.kernel import Kernel
from .block import UNKNOWN
from .mounts import MEMORY_TYPES, REMOTE_TYPES, Mount, find_mount, read_mounts

# Overlay on loop on overlay happens; a deeper stack is a cycle, made by paths from another mount
# namespace.
_DEEPEST = 8


@dataclass(frozen=True)
class Layer:
    """A file system or a block device, and the layers that it is on.

    A file system has its `mount`. A block device has the kernel's `name` ("nvme0n1p2") and its
    `path` in sysfs, a loop device also its `file`. `label` describes all but disks and file systems
    that are on disks.
    """

    label: str = ""
    mount: Mount | None = None
    name: str = ""
    path: str = ""
    file: str = ""
    below: tuple[Layer, ...] = ()

    def walk(self) -> Iterator[Layer]:
        """Yield this layer and all below it, from the top."""
        yield self
        for layer in self.below:
            yield from layer.walk()


def stack_of(kernel: Kernel, directory: str) -> Layer | None:
    """Return the file system of an absolute path, None when the kernel names none."""
    mounts = read_mounts(kernel)
    mount = find_mount(mounts, kernel.realpath(directory))
    return None if mount is None else _file_system(kernel, mounts, mount, 0)


def block_name(kernel: Kernel, mount: Mount) -> str | None:
    """Return the name of a mount's block device, from its number or else its /dev path.

    The path is for btrfs, whose number is anonymous.
    """
    number = f"/sys/dev/block/{mount.major_minor}"
    if kernel.exists(number):
        return PurePosixPath(kernel.realpath(number)).name
    return _device_file(kernel, mount.source)


def _device_file(kernel: Kernel, file: str) -> str | None:
    """Return the name of a block device's file below /dev, None for any other file."""
    if not file.startswith("/dev/"):
        return None
    name = PurePosixPath(kernel.realpath(file)).name
    return name if kernel.exists(f"/sys/class/block/{name}") else None


def _file_system(kernel: Kernel, mounts: tuple[Mount, ...], mount: Mount, depth: int) -> Layer:
    if depth >= _DEEPEST or mount.fs_type in MEMORY_TYPES | REMOTE_TYPES:
        return Layer(mount=mount)
    if mount.fs_type == "overlay":
        return _overlay(kernel, mounts, mount, depth)
    name = block_name(kernel, mount)
    names = [] if name is None else [name]
    if name is not None and mount.fs_type == "btrfs":
        names = _btrfs_members(kernel, name)
    below = tuple(_block(kernel, mounts, name, depth) for name in names)
    return Layer(mount=mount, below=below)


def _overlay(kernel: Kernel, mounts: tuple[Mount, ...], mount: Mount, depth: int) -> Layer:
    """Follow the layer that overlay writes to; inside a container it is often out of sight."""
    upper = mount.option("upperdir")
    holder = None
    if upper is not None and kernel.exists(upper):
        holder = find_mount(mounts, kernel.realpath(upper))
    if holder is None or holder == mount:
        label = f"overlay, upper directory {upper or UNKNOWN} not visible here"
        return Layer(label, mount)
    label = f"overlay, written to {upper} ({holder.fs_type} at {holder.point})"
    return Layer(label, mount, below=(_file_system(kernel, mounts, holder, depth + 1),))


def _btrfs_members(kernel: Kernel, name: str) -> list[str]:
    """Return every device of the btrfs that `name` belongs to: mountinfo shows only one."""
    for file_system in kernel.entries("/sys/fs/btrfs"):
        members = kernel.entries(f"/sys/fs/btrfs/{file_system}/devices")
        if name in members:
            return list(members)
    return [name]


def _block(kernel: Kernel, mounts: tuple[Mount, ...], name: str, depth: int) -> Layer:
    path = kernel.realpath(f"/sys/class/block/{name}")
    file, label = "", _mapped_label(kernel, path, name)
    below: list[Layer] = []
    if kernel.exists(f"{path}/partition"):
        parent = PurePosixPath(path).parent.name
        label = f"{name} (partition of {parent})"
        below = [_block(kernel, mounts, parent, depth)]
    elif backing := kernel.read(f"{path}/loop/backing_file"):
        file = backing.removesuffix(" (deleted)")
        label = f"{name} (loop device over {file})"
        if depth < _DEEPEST and kernel.exists(file):
            below = list(_below_file(kernel, mounts, file, depth + 1))
    elif label:
        slaves = kernel.entries(f"{path}/slaves")
        below = [_block(kernel, mounts, slave, depth) for slave in slaves]
    return Layer(label, None, name, path, file, tuple(below))


def _mapped_label(kernel: Kernel, path: str, name: str) -> str:
    """Return a label for a device that maps onto others, "" for any other."""
    dm_name = kernel.read(f"{path}/dm/name")
    if dm_name is not None:
        target = (kernel.read(f"{path}/dm/uuid") or "").partition("-")[0] or "device mapper"
        return f"{name} ({target} {dm_name})"
    level = kernel.read(f"{path}/md/level")
    return "" if level is None else f"{name} (md {level})"


def _below_file(
    kernel: Kernel, mounts: tuple[Mount, ...], file: str, depth: int
) -> Iterator[Layer]:
    """Yield what is below a loop device's file, which may be a block device itself."""
    name = _device_file(kernel, file)
    holder = find_mount(mounts, kernel.realpath(file))
    if name is not None:
        yield _block(kernel, mounts, name, depth)
    elif holder is not None:
        label = f"{file} on {holder.fs_type} at {holder.point}"
        yield Layer(label, below=(_file_system(kernel, mounts, holder, depth),))
