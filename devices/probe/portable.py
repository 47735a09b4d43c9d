"""What may be passed on of a machine's facts: kinds of things, and no names that somebody gave.

A device file is committed and mailed. Servers, users, addresses, volumes and directories are of
this machine only, so that what is let through is listed here, and nothing else is.
"""

from __future__ import annotations

import re

from ..block import Disk
from ..facts import DirectoryFacts
from ..filesystem import REMOTE_TYPES

# Mount options whose value affects how durable or how fast a sync is: ext4's, XFS's, those of
# btrfs and f2fs, then of remote file systems. Of all others only bare words are kept.
_OPTIONS = frozenset(
    {
        *("data", "commit", "barrier", "dax", "discard", "stripe", "journal_ioprio", "errors"),
        *("logbsize", "logbufs", "allocsize", "sunit", "swidth"),
        *("compress", "compress-force", "compress_algorithm", "fsync_mode", "space_cache"),
        *("vers", "proto", "rsize", "wsize", "nconnect", "cache", "msize"),
    }
)
_OPTION = re.compile(r"([a-z0-9_-]+)(=[a-z0-9_.:+-]+)?", re.IGNORECASE)
# The kernel's name of a block device, and how it maps onto others; a volume's name comes after.
_LAYER = re.compile(
    r"([\w!-]+) \((partition of [\w!-]+|md \w+|loop device|(?:LVM|CRYPT|DMRAID|mpath|part\d+)\b)?"
)


def mount_options(options: tuple[str, ...]) -> tuple[str, ...]:
    """Return those that may be passed on, each once."""
    found = ((option, _OPTION.fullmatch(option)) for option in dict.fromkeys(options))
    return tuple(
        option for option, match in found if match and (not match[2] or match[1] in _OPTIONS)
    )


def layer(text: str) -> str:
    """Return one of `DirectoryFacts.layers` without paths and volumes' names."""
    if text.startswith("overlay"):
        return "overlay"
    if text.startswith("/"):
        holder = re.search(r" on ([\w.]+) at /", text)
        return f"a file on {holder[1]}" if holder else "a file"
    match = _LAYER.match(text)
    return f"{match[1]} ({match[2] or 'device mapper'})" if match else "unknown"


def disk_name(disk: Disk) -> str:
    """Return the kernel's name; that of a server would be its address."""
    return disk.bus if disk.bus in REMOTE_TYPES else printable(disk.name)


def journal(text: str) -> str:
    """Return `FilesystemFacts.journal` without the path of a device."""
    before, path, _ = text.partition(", /")
    return f"{before})" if path else text


def warnings(facts: DirectoryFacts) -> list[str]:
    """Return the directory's, which name layers."""
    found = []
    for text in facts.warnings:
        for one in facts.layers:
            text = text.replace(one, layer(one))
        found.append(printable(text))
    return found


def printable(text: str) -> str:
    """Return the text without control characters."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
