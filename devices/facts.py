"""What a directory really sits on, as far as the kernel says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from ..base.printable import one_line
from .block import UNKNOWN, Disk, Stack, bare_disk, block_of, merge, name_of, walk
from .filesystem import MEMORY_TYPES, REMOTE_TYPES, FilesystemFacts, filesystem_facts
from .kernel import Kernel
from .mounts import Mount, find_mount, read_mounts

# Overlay on loop on overlay happens; a deeper stack is a cycle, made by paths from another mount
# namespace.
_MAX_DEPTH = 8

_Facts = TypeVar("_Facts", Disk, FilesystemFacts)


@dataclass(frozen=True)
class DirectoryFacts:
    """A directory's file system, the layers below it from the top, and the disks at the bottom.

    A tmpfs or an NFS server counts as the disk of its stack, named by its type or its source.
    `device_class` is nvme, sata, sas, hdd, pmem, nvram, virtual, ram, remote or unknown; several
    disks of different classes make it unknown. `warnings` is filled by `check.check`.
    All texts are printable, on one line; `path` is the directory itself.
    """

    path: Path
    mount_point: str
    fs_type: str
    source: str
    filesystem: FilesystemFacts
    layers: tuple[str, ...]
    disks: tuple[Disk, ...]
    device_class: str
    warnings: tuple[str, ...] = ()


def read_facts(path: Path, kernel: Kernel | None = None) -> DirectoryFacts:
    """Return what the kernel says about the directory, an absolute path, without writing to it."""
    kernel = kernel or Kernel()
    real = kernel.realpath(str(path))
    mounts = read_mounts(kernel)
    mount = find_mount(mounts, real)
    if mount is None:
        return DirectoryFacts(
            Path(real), UNKNOWN, UNKNOWN, UNKNOWN, FilesystemFacts(), (), (), UNKNOWN
        )
    stack = _below(kernel, mounts, mount, depth=0)
    return DirectoryFacts(
        path=Path(real),
        mount_point=one_line(mount.point),
        fs_type=one_line(mount.fs_type),
        source=one_line(mount.source),
        filesystem=_printable(filesystem_of(kernel, mounts, mount)),
        layers=tuple(map(one_line, stack.layers)),
        disks=tuple(map(_printable, stack.disks)),
        device_class=_class_of(stack),
    )


def _printable(facts: _Facts) -> _Facts:
    """Return `facts` with printable text: disk names and mount options are foreign, too."""
    texts: dict[str, Any] = {
        name: one_line(text) for name, text in vars(facts).items() if isinstance(text, str)
    }
    return replace(facts, **texts)


def _below(kernel: Kernel, mounts: tuple[Mount, ...], mount: Mount, depth: int) -> Stack:
    """Return the layers and disks under a mount, following overlays, btrfs and loop devices."""
    if depth >= _MAX_DEPTH:
        return Stack()
    if mount.fs_type in MEMORY_TYPES:
        return Stack(disks=(bare_disk(mount.fs_type, "ram", "memory"),))
    if mount.fs_type in REMOTE_TYPES:
        return Stack(disks=(bare_disk(mount.source, "remote", mount.fs_type),))
    if mount.fs_type == "overlay":
        return _below_overlay(kernel, mounts, mount, depth)
    return _below_blocks(kernel, mounts, block_names(kernel, mount), depth)


def _below_blocks(kernel: Kernel, mounts: tuple[Mount, ...], names: list[str], depth: int) -> Stack:
    """Walk down block devices, and through the files below loop devices among them."""
    stack = merge(*(walk(kernel, name) for name in names))
    for file in stack.backing_files:
        if depth < _MAX_DEPTH and kernel.exists(file):
            stack = merge(stack, _below_file(kernel, mounts, file, depth + 1))
    return stack


def _below_file(kernel: Kernel, mounts: tuple[Mount, ...], file: str, depth: int) -> Stack:
    """Return the stack below a loop device's file, which may be a block device itself."""
    name = block_of(kernel, file)
    if name is not None:
        return _below_blocks(kernel, mounts, [name], depth)
    holder = find_mount(mounts, kernel.realpath(file))
    if holder is None:
        return Stack()
    layer = f"{file} on {holder.fs_type} at {holder.point}"
    return merge(_below(kernel, mounts, holder, depth), label=layer)


def _below_overlay(kernel: Kernel, mounts: tuple[Mount, ...], mount: Mount, depth: int) -> Stack:
    """Follow the layer that overlay writes to; inside a container it is often out of sight."""
    upper = mount.option("upperdir")
    holder = written_to(kernel, mounts, mount)
    if holder is None:
        return Stack(layers=(f"overlay, upper directory {upper or UNKNOWN} not visible here",))
    layer = f"overlay, written to {upper} ({holder.fs_type} at {holder.point})"
    return merge(_below(kernel, mounts, holder, depth + 1), label=layer)


def written_to(kernel: Kernel, mounts: tuple[Mount, ...], overlay: Mount) -> Mount | None:
    """Return the mount of an overlay's upper directory, None when it is not visible."""
    upper = overlay.option("upperdir")
    if upper is None or not kernel.exists(upper):
        return None
    holder = find_mount(mounts, kernel.realpath(upper))
    return None if holder == overlay else holder


def filesystem_of(
    kernel: Kernel, mounts: tuple[Mount, ...], mount: Mount, depth: int = 0
) -> FilesystemFacts:
    """Return the facts of a mount.

    An overlay has no journal of its own, so it has the facts of the file system that it writes to;
    mounted `volatile`, it drops syncs regardless.
    """
    if mount.fs_type != "overlay" or depth >= _MAX_DEPTH:
        block_name = name_of(kernel, mount.major_minor, mount.source)
        return filesystem_facts(kernel, mount, block_name)
    holder = written_to(kernel, mounts, mount)
    facts = FilesystemFacts(dax="no")
    if holder is not None:
        facts = filesystem_of(kernel, mounts, holder, depth + 1)
    # Since Linux 6.18 the option is called fsync=volatile.
    if mount.option("volatile") is not None or mount.option("fsync") == "volatile":
        return replace(facts, barriers="no (overlay mounted volatile)")
    return facts


def block_names(kernel: Kernel, mount: Mount) -> list[str]:
    """Return the block devices that a mount is on, none where it has no device of its own."""
    name = name_of(kernel, mount.major_minor, mount.source)
    if name is None:
        return []
    return _btrfs_members(kernel, name) if mount.fs_type == "btrfs" else [name]


def _btrfs_members(kernel: Kernel, name: str) -> list[str]:
    """Return every device of the btrfs that `name` belongs to: mountinfo shows only one."""
    for file_system in kernel.entries("/sys/fs/btrfs"):
        members = kernel.entries(f"/sys/fs/btrfs/{file_system}/devices")
        if name in members:
            return list(members)
    return [name]


def _class_of(stack: Stack) -> str:
    classes = {disk.device_class for disk in stack.disks}
    return classes.pop() if len(classes) == 1 else UNKNOWN
