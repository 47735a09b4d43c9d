"""Facts in words about a directory as a place for the WAL, and warnings about it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..base.errors import UsageError
from ..base.kernel import Kernel
from .block import UNKNOWN, Disk
from .facts import DirectoryFacts, read_facts

NOT_DURABLE = "not durable: "
"""Prefix of a warning that says why a sync makes nothing durable."""
CANNOT_TELL = "cannot tell whether"
"""Beginning of a warning about what the kernel does not say."""


def check(
    directory: Path, data_dir: Path | None = None, kernel: Kernel | None = None
) -> DirectoryFacts:
    """Return the directory's facts with warnings; `data_dir` holds the engine's other files.

    Raises UsageError when it does not exist or is no directory. Writes nothing.
    """
    kernel = kernel or Kernel()
    directory = directory.expanduser().absolute()
    _require_directory(f"{directory}", kernel.at(str(directory)))
    facts = read_facts(directory, kernel)
    warnings = list(_warnings(facts))
    if data_dir is not None:
        data = read_facts(data_dir.expanduser().absolute(), kernel)
        why_data = _lost(data, "the data")
        warnings += [f"{NOT_DURABLE}the data directory {data.path}: {why}" for why in why_data]
        warnings += _shared(facts, data)
    return replace(facts, warnings=tuple(warnings))


def require_writable(directory: Path, called: str = "WAL directory") -> None:
    """Raise UsageError, naming it `called`, unless files can be made in the directory."""
    _require_directory(f"{called} {directory}", directory)
    if not os.access(directory, os.W_OK | os.X_OK):
        raise UsageError(
            f"{called} {directory} is not writable for user {os.getuid()}; "
            "change its owner or mode, or mount it read-write"
        )


def _require_directory(named: str, directory: Path) -> None:
    if not os.path.exists(directory):  # noqa: PTH110, of which one that is out of reach is none
        raise UsageError(f"{named} does not exist; create it on the device to be used")
    if not os.path.isdir(directory):  # noqa: PTH112
        raise UsageError(f"{named} is not a directory; give one on the device to be used")


def mismatch(expected: str, facts: DirectoryFacts) -> str | None:
    """Return how the directory contradicts a device of class `expected`, None when it fits.

    An unknown class counts as a contradiction, too: a row may be labelled with a class only where
    the kernel reported that class.
    """
    actual = facts.device_class
    if actual == expected != UNKNOWN:
        return None
    names = ", ".join(f"{disk.name} ({disk.device_class})" for disk in facts.disks) or UNKNOWN
    if actual in (UNKNOWN, "virtual"):
        return (
            f"{facts.path} should be on {expected}, but the kernel does not say which class of "
            f"device is below it: {facts.fs_type} on {names}"
        )
    return f"{facts.path} should be on {expected}, but is on {actual}: {facts.fs_type} on {names}"


def describe(facts: DirectoryFacts) -> list[tuple[str, str]]:
    """Return the facts as (label, text) pairs, in the order of the stack."""
    lines = [
        ("directory", str(facts.path)),
        ("file system", f"{facts.fs_type} at {facts.mount_point} (source {facts.source})"),
        ("journal", facts.filesystem.journal),
        ("barriers", facts.filesystem.barriers),
        ("DAX mount", facts.filesystem.dax),
    ]
    lines += [("layer", layer) for layer in facts.layers]
    lines += [("disk", describe_disk(disk)) for disk in facts.disks] or [("disk", UNKNOWN)]
    return [*lines, ("class", facts.device_class)]


def describe_disk(disk: Disk) -> str:
    """Return one disk's facts in a line."""
    return (
        f"{disk.name}: class {disk.device_class}, bus {disk.bus}, model {disk.model}, "
        f"write cache {disk.write_cache}, FUA {_word(disk.fua)}, DAX {_word(disk.dax)}, "
        f"rotational {_word(disk.rotational)}"
    )


def _word(flag: bool | None) -> str:
    return UNKNOWN if flag is None else "yes" if flag else "no"


def _lost(facts: DirectoryFacts, what: str) -> list[str]:
    """Return why a power cut may lose what was synced there, as far as the kernel says."""
    names = [disk.name for disk in facts.disks if disk.device_class == "ram"]
    reasons = [f"volatile: {', '.join(names)} loses {what} with the power"] if names else []
    if facts.filesystem.barriers.startswith("no (nobarrier"):
        reasons.append("barriers are off: a sync does not flush the disk's cache, so it is fast")
    if facts.filesystem.barriers.startswith("no (overlay"):
        reasons.append("the overlay is mounted volatile: a sync does nothing, so it is fast")
    return reasons


def _warnings(facts: DirectoryFacts) -> Iterator[str]:
    for why in _lost(facts, "the WAL"):
        yield f"{NOT_DURABLE}{why}"
    if facts.filesystem.journal.startswith("no (ext4"):
        yield "ext4 without a journal: a sync writes less than on an ordinary ext4"
    for layer in facts.layers:
        if "overlay" in layer or "loop device" in layer:
            yield f"the WAL passes through {layer}: its syncs cost more than the disk's own"
    for disk in facts.disks:
        # Persistent memory always reports "write back", which means the CPU's caches.
        if disk.write_cache == "write back" and disk.device_class != "pmem":
            yield (
                f"{disk.name} reports a write-back cache: each sync flushes it, cheaply only if "
                "the drive has power-loss protection, which the kernel does not say"
            )
        if disk.device_class == "pmem" and not facts.filesystem.dax.startswith("yes"):
            yield (
                f"{disk.name} is mounted without DAX: writes go through the page cache and the "
                "block layer, as on a drive"
            )


def _shared(facts: DirectoryFacts, data: DirectoryFacts) -> list[str]:
    """Return warnings about disks shared with the data; partitions of a disk compete, too."""
    both = {disk.name for disk in facts.disks} & {disk.name for disk in data.disks}
    if both:
        return [
            f"the WAL shares {', '.join(sorted(both))} with the data in {data.path}: "
            "flushes and compactions slow its syncs"
        ]
    if not facts.disks or not data.disks:
        return [f"{CANNOT_TELL} the WAL shares its device with the data in {data.path}"]
    return []
