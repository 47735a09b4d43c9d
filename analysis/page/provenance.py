"""Where and with what it was measured, and the command that measures it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from ...row import Row
from ..results import CellResult, words
from .subject import Subject

Fact = tuple[str, str]

# What a study's command takes from what its campaign kept, by key.
_KEYS = (
    *("engine", "profile", "seed", "durability", "workloads", "devices", "threads"),
    *("wal_dir", "allow_mismatch", "builds", "binlog"),
)
_EVERY = ("before", "after")
_OF_COMMAND = ("data", "prepare", "run", "metric", "rounds", "sessions", "timeout_s")
# The flags whose name differs from their key.
_FLAGS = {
    "durability": "wal",
    "workloads": "workload",
    "devices": "device",
    "builds": "build",
    "timeout_s": "timeout",
}
_TAKES: dict[str, frozenset[str]] = {
    "run": frozenset(_KEYS),
    "run-device": frozenset(_KEYS),
    "why": frozenset(_KEYS) - {"durability", "binlog"},
    "paper": frozenset({"profile", "seed"}),
    "sweep-latency": frozenset({"engine", "profile", "seed", "workloads", "threads"}),
    "sweep-threads": frozenset({"engine", "profile", "seed", "workloads"}),
    "sweep-sizes": frozenset({"profile", "seed", "wal_dir"}),
    "sweep-knobs": frozenset({"profile", "seed", "workloads"}),
    "serve": frozenset(_KEYS) - {"workloads", "threads"},
}


def machine(of: Subject) -> list[Fact]:
    """Return facts about the machine from the accepted rows; each value once."""
    rows = [row for row in of.rows if row["status"] == "ok"]
    facts = [
        ("CPU", _each(rows, "cpu_model")),
        ("CPUs", _each(rows, "cores")),
        ("memory", _each(rows, "memory_gib", " GiB")),
        ("kernel", _each(rows, "kernel")),
        ("measured on", ", ".join(of.source.origin.measured_on)),
    ]
    return [(name, text or "not recorded") for name, text in facts]


def build(of: Subject) -> list[Fact]:
    """Return versions and digests, which must also be equal for equal results."""
    origin, rows = of.source.origin, of.rows
    served = any(one.proof.served for one in of.results)
    digested = ("profile", "tap", "driver", *(["server"] if served else []))
    versions = [f"{name} {', '.join(each)}" for name, each in origin.versions.items()]
    facts = [
        ("versions", "; ".join(versions)),
        ("commit of waltax", ", ".join(origin.git_commits)),
        ("seed", ", ".join(map(str, origin.seeds))),
        ("profile", ", ".join(origin.profiles)),
        *((f"digest of the {what}", _each(rows, f"{what}_digest")) for what in digested),
    ]
    return [(name, text or "not recorded") for name, text in facts]


def devices(of: Subject) -> list[tuple[str, str, str]]:
    """Return name, kind of figures, and source of each device, as the rows state them."""
    found: dict[str, tuple[str, str, str]] = {}
    for one in of.results:
        if one.device not in found and one.writes_wal:
            found[one.device] = (one.device, one.device_kind, _source(one))
    return list(found.values())


def _source(one: CellResult) -> str:
    told = [text for text in one.proof.warnings if text.startswith("emulated:")]
    if told:
        return told[0]
    if one.emulated:
        return "emulated; the rows do not say after what"
    return "real: " + (", ".join(one.proof.wal_dirs) or "the directory was not recorded")


def command(of: Subject) -> str:
    """Return the command that measures it again, if the campaign's folder says; else empty."""
    kept, of_command = of.kept, of.kept.get("command")
    kind = str(kept.get("kind") or "run")
    takes = _TAKES.get(kind)
    if not kept or takes is None:
        return ""
    axes, asked = kept.get("axes"), [(key, kept.get(key)) for key in _KEYS if key in takes]
    asked += [(key, kept.get(key)) for key in _EVERY]
    asked += axes.items() if isinstance(axes, Mapping) else ()
    if isinstance(of_command, Mapping):
        asked += [(key, of_command.get(key)) for key in _OF_COMMAND]
    return shlex.join(["waltax", kind, *(word for each in asked for word in _flags(*each))])


def _flags(key: str, value: Any) -> list[str]:
    """Return a flag for each value; a switch stands alone."""
    flag = f"--{_FLAGS.get(key, key).replace('_', '-')}"
    if isinstance(value, bool):
        return [flag] if value else []
    typed = []
    for one in value if isinstance(value, list) else [value]:
        if one not in (None, ""):
            # A build is kept as a name and a path, and typed as NAME=PATH.
            is_build = isinstance(one, dict)
            typed += [flag, f"{one.get('name')}={one.get('path')}" if is_build else str(one)]
    return typed


def _each(rows: Sequence[Row], column: str, unit: str = "") -> str:
    values = dict.fromkeys(row[column] for row in rows if row.get(column) is not None)
    said = (words.number(one) if isinstance(one, float) else str(one) for one in values)
    return ", ".join(f"{one}{unit}" for one in said)


# docs/method.md, "Modes": what an acknowledged commit survives.
LOSES: dict[str, tuple[str, str, str]] = {
    "sync": ("after the log reached the device", "nothing", "nothing"),
    "flush": (
        "after the log reached the kernel",
        "nothing",
        "what was not synced: a server syncs about once a second, embedded RocksDB when a "
        "memtable is flushed",
    ),
    "delayed": (
        "at once; a thread writes and syncs the log about once a second",
        "about the last second",
        "about the last second",
    ),
    "off": (
        "at once; there is no log",
        "all since the last memtable flush",
        "all since the last memtable flush",
    ),
}
"""When a commit is acknowledged, and what crashes of the program and of the machine lose."""


def modes(of: Subject) -> list[tuple[str, str, str, str]]:
    """Return the cells' modes in the order of the table."""
    used = {one.durability for one in of.results}
    return [(mode, *said) for mode, said in LOSES.items() if mode in used]
