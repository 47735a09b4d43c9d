"""Counters of the block devices below a directory: a witness below the file system.

In a stack of devices, those are read that count requests as they are carried out: each disk of a
RAID or a volume, each path of a multipath device, a loop device, and what is below its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from .block import block_of
from .facts import block_names, filesystem_of, written_to
from .filesystem import MEMORY_TYPES, REMOTE_TYPES
from .kernel import Kernel
from .mounts import Mount, find_mount, read_mounts

COUNTED, UNCOUNTED, MEMORY = "counted", "uncounted", "memory"
"""Prefixes of `Witness.below`: whether a sync waits for a device, and whether that one counts."""

_DEEPEST = 8
_SECTOR = 512  # the unit of sysfs, whatever the device's own
# Positions in /sys/block/NAME/stat (Documentation/block/stat.rst), from 0.
_WORDS = {"writes": 4, "write_ms": 7, "flushes": 15, "flush_ms": 16}
_SECTORS_WRITTEN = 6


@dataclass(frozen=True)
class Watched:
    """A block device that counts.

    `level` is 0 under the directory's own file system, 1 under the file system of a loop device's
    file, and so on; a sync passes through every level. `path_of` is the multipath device of which
    it is a path, or itself. It is `flushed` if a sync must flush it: it has a volatile cache, and
    the file system flushes caches.
    """

    name: str
    level: int
    path_of: str
    flushed: bool


@dataclass(frozen=True)
class Witness:
    """The devices below a directory, with a description that begins with `COUNTED` or the like."""

    below: str
    devices: tuple[Watched, ...] = ()
    kernel: Kernel = field(default_factory=Kernel)

    def counters(self) -> dict[str, dict[str, float]]:
        """Return all that each device has counted so far, by its name.

        These are writes and flushes in requests, write_bytes, and the times of both in ms.
        """
        return {device.name: _counted(self.kernel, device.name) for device in self.devices}


def witness(directory: Path, kernel: Kernel | None = None) -> Witness:
    """Return the devices below a directory that count what reaches them. Writes nothing."""
    kernel = kernel or Kernel()
    mounts = read_mounts(kernel)
    mount = find_mount(mounts, kernel.realpath(str(directory)))
    if mount is None:
        return Witness(f"{UNCOUNTED}: the kernel names no mount", (), kernel)
    try:
        devices = dict.fromkeys(_under_mount(kernel, mounts, mount, 0))
    except _Unseen as unseen:
        return Witness(str(unseen), (), kernel)
    names = ", ".join(dict.fromkeys(device.name for device in devices))
    return Witness(f"{COUNTED}: {names}", tuple(devices), kernel)


class _Unseen(Exception):
    """Why nothing below the file system counts what reaches it."""


def _under_mount(
    kernel: Kernel, mounts: tuple[Mount, ...], mount: Mount, level: int
) -> Iterator[Watched]:
    facts = filesystem_of(kernel, mounts, mount)
    if mount.fs_type in MEMORY_TYPES:
        raise _Unseen(f"{MEMORY}: {mount.fs_type}")
    if facts.barriers.startswith("no (overlay"):
        raise _Unseen(f"{MEMORY}: an overlay mounted volatile, of which syncs do nothing")
    if facts.dax.startswith("yes"):
        raise _Unseen(f"{MEMORY}: {mount.source} is mounted with DAX, past its block device")
    if mount.fs_type in REMOTE_TYPES:
        raise _Unseen(f"{UNCOUNTED}: {mount.fs_type}, another machine's or the host's")
    if mount.fs_type == "overlay":
        holder = written_to(kernel, mounts, mount)
        if holder is None or level >= _DEEPEST:
            raise _Unseen(f"{UNCOUNTED}: an overlay whose upper directory is out of sight")
        yield from _under_mount(kernel, mounts, holder, level)
        return
    names = block_names(kernel, mount)
    if not names:
        raise _Unseen(f"{UNCOUNTED}: {mount.fs_type} names no block device")
    for name in names:
        yield from _under(kernel, mounts, name, level, not facts.barriers.startswith("no"))


def _under(
    kernel: Kernel,
    mounts: tuple[Mount, ...],
    name: str,
    level: int,
    flushed: bool,
    path_of: str = "",
) -> Iterator[Watched]:
    """Yield the counting devices below `name`, which is one path of `path_of` if that is set."""
    path = kernel.realpath(f"/sys/class/block/{name}")
    if level >= _DEEPEST:
        return
    if kernel.exists(f"{path}/partition"):
        yield from _under(kernel, mounts, PurePosixPath(path).parent.name, level, flushed, path_of)
        return
    if (kernel.read(f"{path}/dm/uuid") or "").startswith("mpath-"):
        path_of = name
    members = kernel.entries(f"{path}/slaves")
    if paths := _nvme_paths(kernel, name):
        path_of, members = name, paths
    for member in members:
        yield from _under(kernel, mounts, member, level, flushed, path_of)
    if members:
        return
    if not _counts(kernel, path):
        raise _Unseen(f"{UNCOUNTED}: {name} counts no requests")
    flushed = flushed and _is_flushed(kernel, path)
    yield Watched(name, level, path_of or name, flushed)
    file = kernel.read(f"{path}/loop/backing_file")
    if file is not None and flushed:  # otherwise nothing makes the file system below sync the file
        yield from _under_file(kernel, mounts, file, level + 1)


def _under_file(
    kernel: Kernel, mounts: tuple[Mount, ...], file: str, level: int
) -> Iterator[Watched]:
    """Yield the devices below a loop device's file; none where the loop device must do."""
    name = block_of(kernel, file)
    holder = find_mount(mounts, kernel.realpath(file)) if kernel.exists(file) else None
    try:
        if name is not None:
            yield from list(_under(kernel, mounts, name, level, flushed=True))
        elif holder is not None and level < _DEEPEST:
            yield from list(_under_mount(kernel, mounts, holder, level))
    except _Unseen:
        return


def _nvme_paths(kernel: Kernel, name: str) -> tuple[str, ...]:
    """Return the hidden disks behind an NVMe disk with native multipath, which do the counting."""
    head = re.fullmatch(r"nvme(\d+)n(\d+)", name)
    if head is None:
        return ()
    hidden = re.compile(rf"nvme{head[1]}c\d+n{head[2]}")
    return tuple(disk for disk in kernel.entries("/sys/class/block") if hidden.fullmatch(disk))


def _counts(kernel: Kernel, path: str) -> bool:
    """Return whether the device counts at all: mounting it must have written something."""
    words = (kernel.read(f"{path}/stat") or "").split()
    switched_off = kernel.read(f"{path}/queue/iostats") == "0"
    return len(words) > _WORDS["write_ms"] and not switched_off and int(words[4]) > 0


def _is_flushed(kernel: Kernel, path: str) -> bool:
    """Return whether it has a cache that a sync must flush, and counts flushes.

    Flushes are counted where the kernel queues requests (blk-mq), since Linux 5.5. Persistent
    memory reports "write back" and means the CPU's caches.
    """
    words = (kernel.read(f"{path}/stat") or "").split()
    cached = kernel.read(f"{path}/queue/write_cache") == "write back"
    return cached and kernel.exists(f"{path}/mq") and len(words) > _WORDS["flush_ms"]


def _counted(kernel: Kernel, name: str) -> dict[str, float]:
    words = [float(word) for word in (kernel.read(f"/sys/class/block/{name}/stat") or "").split()]
    counted = {what: words[at] for what, at in _WORDS.items() if at < len(words)}
    if len(words) > _SECTORS_WRITTEN:
        counted["write_bytes"] = words[_SECTORS_WRITTEN] * _SECTOR
    return counted
