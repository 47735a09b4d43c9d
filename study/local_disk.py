"""A device file for a directory of this machine, of the class that the kernel says it has."""

from __future__ import annotations

from pathlib import Path

from ..devices.block import UNKNOWN
from ..devices.check import check, require_writable
from ..devices.facts import DirectoryFacts
from ..devices.kernel import Kernel
from . import files


def write(directory: Path, folder: Path, kernel: Kernel | None = None) -> Path | None:
    """The TOML of a real device whose WAL goes below `directory`, in `folder`; None: no class.

    Errors: UsageError when the directory is missing or cannot be written to.
    """
    require_writable(directory)
    facts = check(directory, kernel=kernel)
    if facts.device_class == UNKNOWN:
        return None
    return files.keep(_name(facts), toml(facts), folder)


def _name(facts: DirectoryFacts) -> str:
    return f"local-{facts.device_class}"


def toml(facts: DirectoryFacts) -> str:
    disks = ", ".join(disk.name for disk in facts.disks)
    values: files.Table = {
        "name": _name(facts),
        "title": f"{facts.fs_type} on {disks}",
        "stands_for": "a directory of this machine",
        "class": facts.device_class,
        "kind": "none",
        "power_loss_protection": "unknown",
        "notes": f"journal: {facts.filesystem.journal}; barriers: {facts.filesystem.barriers}",
        "path": str(facts.path),
    }
    return f"# Written by waltax from the kernel's facts.\n{files.toml(values)}"
