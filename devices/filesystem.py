"""What a file system adds to a sync: a journal, flushes of the disk's cache, DAX."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..base.kernel import Kernel
from .block import UNKNOWN
from .mounts import MEMORY_TYPES, Mount
from .stack import Layer

_EXT_TYPES = frozenset({"ext2", "ext3", "ext4"})
# File systems whose own log or tree makes a sync durable, whatever the options.
_JOURNAL_BY_TYPE = {
    "xfs": "yes (xfs log)",
    "btrfs": "yes (log tree)",
    "zfs": "yes (intent log)",
    "f2fs": "yes (log structured)",
}


@dataclass(frozen=True)
class FilesystemFacts:
    """Facts in words; each begins with yes, no or unknown."""

    journal: str = UNKNOWN
    barriers: str = UNKNOWN
    dax: str = UNKNOWN


def filesystem_of(kernel: Kernel, layer: Layer) -> FilesystemFacts:
    """Return the facts of a file system.

    An overlay has no journal of its own, so it has the facts of the file system that it writes to;
    mounted `volatile`, it drops syncs regardless.
    """
    mount = layer.mount
    if mount is None:
        return FilesystemFacts()
    if mount.fs_type in MEMORY_TYPES:
        return FilesystemFacts(journal="no (memory)", barriers="no (memory)", dax="no")
    if mount.fs_type == "overlay":
        below = filesystem_of(kernel, layer.below[0]) if layer.below else FilesystemFacts(dax="no")
        # Since Linux 6.18 the option is called fsync=volatile.
        if mount.option("volatile") is not None or mount.option("fsync") == "volatile":
            return replace(below, barriers="no (overlay mounted volatile)")
        return below
    block = layer.below[0].name if layer.below else None
    options = None  # that are in effect on ext4; mountinfo omits those that equal the default
    if mount.fs_type in _EXT_TYPES and block is not None:
        text = kernel.read(f"/proc/fs/ext4/{block}/options")
        options = None if text is None else frozenset(text.split())
    return FilesystemFacts(
        journal=_journal(kernel, mount, block, options),
        barriers=_barriers(mount, options),
        dax=_dax(mount),
    )


def _journal(
    kernel: Kernel, mount: Mount, block_name: str | None, options: frozenset[str] | None
) -> str:
    if mount.fs_type == "xfs" and mount.option("logdev"):
        return "yes (xfs log on another device)"
    if mount.fs_type not in _EXT_TYPES:
        return _JOURNAL_BY_TYPE.get(mount.fs_type, UNKNOWN)
    mode = next((o for o in options or () if o.startswith("data=")), None)
    # An entry is named by the journal's device and, if the journal is a file, its inode.
    journals = kernel.entries("/proc/fs/jbd2")
    own = any(entry.startswith(f"{block_name}-") for entry in journals)
    if mode is not None or own:
        elsewhere = ", on another device" if journals and not own else ""
        return f"yes ({mode or 'mode unknown'}{elsewhere})"
    return UNKNOWN if options is None else "no (ext4 without a journal)"


def _barriers(mount: Mount, options: frozenset[str] | None) -> str:
    off = (("nobarrier", ""), ("barrier", "0"), ("fsync_mode", "nobarrier"))  # the last is f2fs's
    if any(mount.option(name) == value for name, value in off):
        return "no (nobarrier)"
    if options is not None:
        return "no (nobarrier)" if options & {"nobarrier", "barrier=0"} else "yes"
    return "yes" if mount.fs_type in ("xfs", "btrfs", "zfs", "f2fs") else UNKNOWN


def _dax(mount: Mount) -> str:
    value = mount.option("dax")
    if value is None:
        return "no"
    return {"": "yes", "always": "yes", "never": "no"}.get(value, f"unknown (dax={value})")
