"""What a file system adds to a sync: a journal, flushes of the disk's cache, DAX."""

from __future__ import annotations

from dataclasses import dataclass

from .block import UNKNOWN
from .kernel import Kernel
from .mounts import Mount

REMOTE_TYPES = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "ceph", "glusterfs", "lustre", "beegfs"}
)
MEMORY_TYPES = frozenset({"tmpfs", "ramfs", "devtmpfs"})
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


def filesystem_facts(kernel: Kernel, mount: Mount, block_name: str | None) -> FilesystemFacts:
    """Return the facts of a mount; `block_name` is its block device's kernel name."""
    if mount.fs_type in MEMORY_TYPES:
        return FilesystemFacts(journal="no (memory)", barriers="no (memory)", dax="no")
    options = _ext_options(kernel, mount, block_name)
    return FilesystemFacts(
        journal=_journal(kernel, mount, block_name, options),
        barriers=_barriers(mount, options),
        dax=_dax(mount),
    )


def _ext_options(kernel: Kernel, mount: Mount, block_name: str | None) -> frozenset[str] | None:
    """Return ext4's effective options; mountinfo omits those that equal the default."""
    if mount.fs_type not in _EXT_TYPES or block_name is None:
        return None
    text = kernel.read(f"/proc/fs/ext4/{block_name}/options")
    return None if text is None else frozenset(text.split())


def _journal(
    kernel: Kernel, mount: Mount, block_name: str | None, options: frozenset[str] | None
) -> str:
    if mount.fs_type == "xfs" and (logdev := mount.option("logdev")):
        return f"yes (xfs log on another device, {logdev})"
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
