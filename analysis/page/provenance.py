"""Where and with what it was measured, and the command that measures it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from ...commands import words_of
from ...engines import PROGRAM
from ...row import Row
from ..results import words
from .subject import Subject

Fact = tuple[str, str]

# What a study's command takes from what its campaign kept, by key.
_KEYS = (
    *("engine", "profile", "seed", "durability", "workloads", "devices", "threads"),
    *("wal_dir", "allow_mismatch", "builds", "binlog", "endpoints"),
)
_EVERY = ("before", "after")
_OF_COMMAND = (
    *("data", "run", "metric", "rounds", "sessions", "timeout_s"),
    *("log", "serves", "load", "ready", "check"),
)
# The flags whose name differs from their key.
_FLAGS = {
    "durability": "wal",
    "workloads": "workload",
    "devices": "device",
    "builds": "build",
    "endpoints": "endpoint",
    "timeout_s": "timeout",
    "serves": "serve",
}
_TAKES: dict[str, frozenset[str]] = {
    "run": frozenset(_KEYS),
    "run-device": frozenset(_KEYS),
    "why": frozenset(_KEYS) - {"durability"},
    "paper": frozenset({"seed"}),
    "sweep-latency": frozenset({"engine", "profile", "seed", "workloads", "threads"}),
    "sweep-threads": frozenset({"engine", "profile", "seed", "workloads"}),
    "sweep load": frozenset({"engine", "profile", "seed", "workloads", "threads"}),
    "sweep-sizes": frozenset({"profile", "seed", "wal_dir"}),
    "sweep-knobs": frozenset({"profile", "seed", "workloads"}),
    "try": frozenset(_KEYS) - {"engine", "durability", "workloads", "threads"},
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
    served = any(result.proof.served for result in of.results)
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


def command(kept: Mapping[str, Any]) -> str:
    """Return the command that measures it again, if what the campaign kept says; else empty."""
    of_command = kept.get("command")
    kind = str(kept.get("kind") or "run")
    takes = _TAKES.get(kind)
    if not kept or takes is None or kept.get("resized"):
        return ""
    if kind == "try" and kept.get("engine") != PROGRAM:
        return ""
    if kept.get("endpoints"):
        takes -= {"engine", "durability"}  # no engine that a person can name
    axes, options = kept.get("axes"), [(key, kept.get(key)) for key in _KEYS if key in takes]
    options += [(key, kept.get(key)) for key in _EVERY]
    options += axes.items() if isinstance(axes, Mapping) else ()
    behind: list[str] = []
    if isinstance(of_command, Mapping):
        own = {key: of_command.get(key) for key in _OF_COMMAND}
        if kind == "try":
            modes = of_command.get("modes")
            own |= modes if isinstance(modes, Mapping) else {}
            behind = ["--", str(own.pop("run"))]
        options += own.items()
    typed = [word for each in options for word in _flags(*each)]
    return shlex.join(["waltax", *words_of(kind).split(), *typed, *behind])


def _flags(key: str, value: Any) -> list[str]:
    """Return a flag for each value; a switch stands alone."""
    flag = f"--{_FLAGS.get(key, key).replace('_', '-')}"
    if isinstance(value, bool):
        return [flag] if value else []
    typed = []
    for item in value if isinstance(value, list) else [value]:
        if item not in (None, ""):
            typed += [flag, _named(item) if isinstance(item, dict) else str(item)]
    return typed


def _named(kept: Mapping[str, Any]) -> str:
    """Return a build as it is typed, NAME=PATH, or a server that its owner runs."""
    if "url" not in kept:
        return f"{kept.get('name')}={kept.get('path')}"
    device, mode = (str(kept.get(name, "")) for name in ("device", "durability"))
    return f"{mode if device == mode else f'{device}/{mode}'}={kept['url']}"


def _each(rows: Sequence[Row], column: str, unit: str = "") -> str:
    values = dict.fromkeys(row[column] for row in rows if row.get(column) is not None)
    said = (words.number(value) if isinstance(value, float) else str(value) for value in values)
    return ", ".join(f"{text}{unit}" for text in said)
