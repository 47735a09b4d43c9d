"""Mounts from /proc/self/mountinfo (proc(5)): which file system a path is on."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..base.kernel import Kernel

REMOTE_TYPES = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "ceph", "glusterfs", "lustre", "beegfs"}
)
MEMORY_TYPES = frozenset({"tmpfs", "ramfs", "devtmpfs"})

_ESCAPE = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True)
class Mount:
    """One line of mountinfo.

    `major_minor` is "0:NN" for file systems without one device of their own (tmpfs, overlay,
    btrfs, NFS). `options` are the mount's and the superblock's, in this order.
    """

    point: str
    fs_type: str
    source: str
    major_minor: str
    options: tuple[str, ...]

    def option(self, name: str) -> str | None:
        """Return the value of `name=value`, "" for a bare `name`, None when it is absent."""
        for option in self.options:
            key, _, value = option.partition("=")
            if key == name:
                return value
        return None

    def covers(self, path: str) -> bool:
        """Return whether the path lies at or below the mount point."""
        return path == self.point or path.startswith(self.point.rstrip("/") + "/")


def read_mounts(kernel: Kernel) -> tuple[Mount, ...]:
    """Return all mounts in the kernel's order, skipping malformed lines."""
    text = kernel.read("/proc/self/mountinfo") or ""
    mounts = (_parse(line) for line in text.splitlines())
    return tuple(mount for mount in mounts if mount is not None)


def find_mount(mounts: tuple[Mount, ...], path: str) -> Mount | None:
    """Return the mount with the longest mount point above `path`, an absolute path without links.

    Of several on the same point only the last is visible.
    """
    nearest = None
    for mount in mounts:
        if mount.covers(path) and (nearest is None or len(mount.point) >= len(nearest.point)):
            nearest = mount
    return nearest


def _parse(line: str) -> Mount | None:
    before, separator, after = line.partition(" - ")
    left, right = before.split(" "), after.split(" ")
    if not separator or len(left) < 6 or len(right) < 2:
        return None
    super_options = right[2] if len(right) > 2 else ""
    return Mount(
        point=_unescape(left[4]),
        fs_type=right[0],
        source=_unescape(right[1]),
        major_minor=left[2],
        options=tuple(_unescape(o) for o in f"{left[5]},{super_options}".split(",") if o),
    )


def _unescape(text: str) -> str:
    """Undo the kernel's octal escapes for space, tab, newline, backslash and '#'."""
    return _ESCAPE.sub(lambda match: chr(int(match.group(1), 8)), text)
