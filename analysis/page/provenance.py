"""Where and with what it was measured, and the command that measures it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from ...row import Row
from ..results import words
from .subject import Subject

Fact = tuple[str, str]


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
    """Return the command that measures it again, if the campaign kept what was typed; else empty.

    It has the campaign's seed.
    """
    typed = kept.get("typed")
    if not isinstance(typed, list) or not typed:
        return ""
    called, *words = map(str, typed)
    at = words.index("--") if "--" in words else len(words)
    seed = ["--seed", str(kept.get("seed"))]
    return shlex.join(["waltax", *called.split(), *words[:at], *seed, *words[at:]])


def _each(rows: Sequence[Row], column: str, unit: str = "") -> str:
    values = dict.fromkeys(row[column] for row in rows if row.get(column) is not None)
    said = (words.number(value) if isinstance(value, float) else str(value) for value in values)
    return ", ".join(f"{text}{unit}" for text in said)
