"""Check what a directory for a log sits on, by the facts and in the words of `devices/check.py`."""

from __future__ import annotations

from ...devices.block import UNKNOWN as NOT_SAID
from ...devices.check import CANNOT_TELL, check, describe_disk
from .answer import Answer, ok, unknown, warn
from .machine_view import Seen


def device(seen: Seen) -> Answer:
    assert seen.directory is not None
    facts = check(seen.directory, seen.data_dir, seen.kernel)
    doubts = [text for text in facts.warnings if not text.startswith(CANNOT_TELL)]
    if doubts:
        return warn(f"{facts.path}: {'; '.join(doubts)}")
    kind = f"{facts.path} is on {facts.device_class}: {facts.fs_type}"
    kind += "".join(f", {describe_disk(disk)}" for disk in facts.disks[:1])
    is_known = facts.device_class not in (NOT_SAID, "virtual") and not facts.warnings
    return ok(kind) if is_known else unknown("; ".join([kind, *facts.warnings]))
