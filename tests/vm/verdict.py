"""What the guest saw against what stacks.py expects of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from placements import Run
from stack import Stack


@dataclass(frozen=True)
class Said:
    """The lines of `waltax devices check`, by their labels."""

    text: str

    def values(self, label: str) -> list[str]:
        """Everything after a label; several lines may have the same one."""
        found = [line for line in self.text.splitlines() if line.startswith(f"{label:<12} ")]
        return [line[13:] for line in found]

    def value(self, label: str) -> str:
        return next(iter(self.values(label)), "")


def stack_faults(stack: Stack, seen: dict[str, Any], disks: dict[str, str]) -> list[str]:
    """In what waltax's answer differs, a sentence each; none when it is as expected.

    `seen` is the guest's record of the stack: problem (of making it), exit, stdout, stderr.
    """
    if seen["problem"] is not None:
        return [f"the stack could not be made: {seen['problem']}"]
    if seen["exit"] != 0:
        return [f"devices check: exit code {seen['exit']}: {seen['stderr'].strip()}"]
    said = Said(seen["stdout"])
    found = []
    if said.value("class") != stack.device_class:
        found.append(f"class {said.value('class') or 'missing'}, want {stack.device_class}")
    layers = [layer.format(**disks) for layer in stack.layers]
    if said.values("layer") != layers:
        found.append(f"layers {_listed(said.values('layer'))}, want {_listed(layers)}")
    says = [text.format(**disks) for text in stack.says]
    found += [f"no line with {text!r}" for text in says if text not in said.text]
    for text in stack.never:
        found += [f"found {line!r}" for line in said.text.splitlines() if text in line]
    return found


def _listed(texts: list[str]) -> str:
    return "; ".join(texts) or "none"


def run_faults(run: Run, seen: dict[str, Any], disks: dict[str, str]) -> list[str]:
    """In what a run's end or its rows' evidence differs; none when it is as expected."""
    if run.refused:
        return _refusal_faults(run, seen)
    if seen["exit"] != 0:
        return [f"exit code {seen['exit']}: {_last(seen['stderr'])}", *_failures(seen["rows"])]
    rows = [row for row in seen["rows"] if row["device"] == run.device]
    if not rows or len(rows) == len(seen["rows"]):
        return [f"{len(rows)} rows of {run.device} of {len(seen['rows'])}, want some beside off"]
    return [fault for row in rows for fault in row_faults(run, row, disks)]


def _refusal_faults(run: Run, seen: dict[str, Any]) -> list[str]:
    found = []
    if seen["exit"] != 2:
        found.append(f"exit code {seen['exit']}, want 2")
    if run.refused not in seen["stderr"]:
        found.append(f"the message lacks {run.refused!r}: {_last(seen['stderr'])}")
    if seen["rows"]:
        found.append(f"{len(seen['rows'])} rows, want none")
    return found


def row_faults(run: Run, row: dict[str, Any], disks: dict[str, str]) -> list[str]:
    """What in one row contradicts that its WAL was on the real device."""
    wanted = {"status": "ok", "device_kind": "real", "emulated": False, "durability": "sync"}
    wanted |= {"allowed_mismatch": False, "tap_bypasses": 0}
    found = [
        f"{name} {row[name]}, want {want}" for name, want in wanted.items() if row[name] != want
    ]
    if found:
        return found
    files = row["wal_files"]
    strays = [file for file in files if not file.startswith(f"{run.wal_dir}/")]
    if strays or not files:
        found.append(f"WAL files {_listed(files)}, want some, all below {run.wal_dir}")
    if not row["tap_syncs"] or row["tap_syncs"] != row["wal_syncs"]:
        found.append(f"{row['tap_syncs']} syncs by the tap, {row['wal_syncs']} by the engine")
    if row["tap_write_bytes"] < row["wal_bytes"] or not row["wal_bytes"]:
        found.append(f"{row['tap_write_bytes']} bytes by the tap, {row['wal_bytes']} by the engine")
    writes = row["diskstats_wal_writes"]
    if not run.mapped and not writes:
        found.append(f"no writes to {run.block.format(**disks)} in /proc/diskstats")
    return found


def _failures(rows: list[dict[str, Any]]) -> list[str]:
    return [f"{row['device']}: {row['failure']}" for row in rows if row["status"] != "ok"]


def _last(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no message"
