"""Counters of the block devices below a directory: a witness below the file system.

In a stack of devices, those are read that count requests as they are carried out: each disk of a
RAID or a volume, each path of a multipath device, a loop device, and what is below its file.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..base.kernel import Kernel
from .filesystem import FilesystemFacts, filesystem_of
from .mounts import MEMORY_TYPES, REMOTE_TYPES, Mount
from .stack import Layer, stack_of

COUNTED, UNCOUNTED, MEMORY = "counted", "uncounted", "memory"
"""Prefixes of `Witness.below`: whether a sync waits for a device, and whether that one counts."""

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
    stack = stack_of(kernel, str(directory))
    if stack is None:
        return Witness(f"{UNCOUNTED}: the kernel names no mount", (), kernel)
    try:
        devices = dict.fromkeys(_watched(kernel, stack, 0, flushed=True))
    except _Unseen as unseen:
        return Witness(str(unseen), (), kernel)
    names = ", ".join(dict.fromkeys(device.name for device in devices))
    return Witness(f"{COUNTED}: {names}", tuple(devices), kernel)


class _Unseen(Exception):
    """Why nothing below the file system counts what reaches it."""


def _watched(
    kernel: Kernel, layer: Layer, level: int, *, flushed: bool, path_of: str = ""
) -> Iterator[Watched]:
    """Yield the counting devices of a layer, which is one path of `path_of` if that is set."""
    below = layer.below
    if layer.mount is not None:
        facts = filesystem_of(kernel, layer)
        _require_devices(layer.mount, layer, facts)
        flushed = not facts.barriers.startswith("no")
    elif layer.name:
        if (kernel.read(f"{layer.path}/dm/uuid") or "").startswith("mpath-"):
            path_of = layer.name
        if paths := _nvme_paths(kernel, layer.name):
            path_of, below = layer.name, paths
        if layer.file or not below:
            yield from _counting(kernel, layer, level, flushed, path_of)
            return
    for each in below:
        yield from _watched(kernel, each, level, flushed=flushed, path_of=path_of)


def _require_devices(mount: Mount, layer: Layer, facts: FilesystemFacts) -> None:
    """Raise _Unseen for a file system whose syncs reach no block device that is known."""
    if mount.fs_type in MEMORY_TYPES:
        raise _Unseen(f"{MEMORY}: {mount.fs_type}")
    if facts.barriers.startswith("no (overlay"):
        raise _Unseen(f"{MEMORY}: an overlay mounted volatile, of which syncs do nothing")
    if facts.dax.startswith("yes"):
        raise _Unseen(f"{MEMORY}: {mount.source} is mounted with DAX, past its block device")
    if mount.fs_type in REMOTE_TYPES:
        raise _Unseen(f"{UNCOUNTED}: {mount.fs_type}, another machine's or the host's")
    if not layer.below and mount.fs_type == "overlay":
        raise _Unseen(f"{UNCOUNTED}: an overlay whose upper directory is out of sight")
    if not layer.below:
        raise _Unseen(f"{UNCOUNTED}: {mount.fs_type} names no block device")


def _counting(
    kernel: Kernel, layer: Layer, level: int, flushed: bool, path_of: str
) -> Iterator[Watched]:
    """Yield a device that has no other below it, and those below a loop device's file."""
    if not _counts(kernel, layer.path):
        raise _Unseen(f"{UNCOUNTED}: {layer.name} counts no requests")
    flushed = flushed and _is_flushed(kernel, layer.path)
    yield Watched(layer.name, level, path_of or layer.name, flushed)
    if flushed:  # otherwise nothing makes the file system below a loop device sync its file
        with contextlib.suppress(_Unseen):  # the loop device must do
            for each in layer.below:
                yield from list(_watched(kernel, each, level + 1, flushed=True))


def _nvme_paths(kernel: Kernel, name: str) -> tuple[Layer, ...]:
    """Return the hidden disks behind an NVMe disk with native multipath, which do the counting."""
    head = re.fullmatch(r"nvme(\d+)n(\d+)", name)
    if head is None:
        return ()
    hidden = re.compile(rf"nvme{head[1]}c\d+n{head[2]}")
    disks = filter(hidden.fullmatch, kernel.entries("/sys/class/block"))
    return tuple(Layer(name=d, path=kernel.realpath(f"/sys/class/block/{d}")) for d in disks)


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
