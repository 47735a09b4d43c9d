"""Check what a directory for a log sits on, by the facts and in the words of `devices/check.py`."""

from __future__ import annotations

from ...devices.block import UNKNOWN as NOT_SAID
from ...devices.check import check, describe_disk
from ...devices.facts import DirectoryFacts
from .answer import Answer, ok, unknown, warn
from .machine_view import Seen


def device(seen: Seen) -> Answer:
    facts = _facts(seen)
    kind = f"{facts.path} is on {facts.device_class}: {facts.fs_type}"
    kind += "".join(f", {describe_disk(disk)}" for disk in facts.disks[:1])
    doubts = _said(facts, "volatile: ", "the WAL passes through", "is mounted without DAX")
    if doubts:
        return warn(f"{facts.path}: {doubts}")
    return unknown(kind) if facts.device_class in (NOT_SAID, "virtual") else ok(kind)


def barriers(seen: Seen) -> Answer:
    return _fact(seen, "barriers", _said(_facts(seen), "barriers are off", "a sync does nothing"))


def journal(seen: Seen) -> Answer:
    return _fact(seen, "journal", _said(_facts(seen), "without a journal"))


def write_cache(seen: Seen) -> Answer:
    facts = _facts(seen)
    if doubts := _said(facts, "reports a write-back cache"):
        return warn(doubts)
    caches = {disk.write_cache for disk in facts.disks}
    if not caches or NOT_SAID in caches:
        return unknown("the kernel does not say")
    return ok(", ".join(f"{disk.name}: {disk.write_cache}" for disk in facts.disks))


def shared_disk(seen: Seen) -> Answer:
    """Judge whether log and data are on one disk, where writes of one delay the other."""
    facts = _facts(seen)
    if seen.data_dir is None:
        return unknown("no directory for the data is known")
    if doubts := _said(facts, "cannot tell whether"):
        return unknown(doubts)
    if doubts := _said(facts, "the WAL shares "):
        return warn(doubts)
    return ok(f"the data in {seen.data_dir} are on another")


def _facts(seen: Seen) -> DirectoryFacts:
    assert seen.directory is not None
    return check(seen.directory, seen.data_dir, seen.kernel)


def _said(facts: DirectoryFacts, *marks: str) -> str:
    """Return the directory's warnings that contain one of these words."""
    return "; ".join(text for text in facts.warnings if any(mark in text for mark in marks))


def _fact(seen: Seen, name: str, doubts: str) -> Answer:
    word = getattr(_facts(seen).filesystem, name)
    if doubts:
        return warn(doubts)
    if word.startswith("yes"):
        return ok(word)
    return warn(word) if word.startswith("no") else unknown("the kernel does not say")
