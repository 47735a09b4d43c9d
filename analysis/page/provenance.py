"""Where and with what it was measured, and the command that measures it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from ...commands import COMMANDS
from ...row import Row
from ..results import Source, words

Fact = tuple[str, str]


def machine(of: Source) -> list[Fact]:
    """Return facts about the machine from the accepted rows; each value once."""
    rows = [row for row in of.rows if row["status"] == "ok"]
    facts = [
        ("CPU", _each(rows, "cpu_model")),
        ("CPUs", _each(rows, "cores")),
        ("memory", _each(rows, "memory_gib", " GiB")),
        ("kernel", _each(rows, "kernel")),
        ("measured on", ", ".join(of.origin.measured_on)),
    ]
    return [(name, text or "not recorded") for name, text in facts]


def build(of: Source, *, is_served: bool) -> list[Fact]:
    """Return versions and digests, which must also be equal for equal results."""
    origin, rows = of.origin, of.rows
    digested = ("profile", "tap", "driver", *(["server"] if is_served else []))
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
    """Return what was typed, with the seed that was drawn; empty if the campaign does not say."""
    typed = shlex.split(str(kept.get("typed") or ""))
    if not typed:
        return ""
    behind = 2 if " ".join(typed[:2]) in COMMANDS else 1  # of the command's own words
    is_typed = any(word.partition("=")[0] == "--seed" for word in typed)
    drawn = [] if is_typed else ["--seed", str(kept.get("seed"))]
    return shlex.join(["waltax", *typed[:behind], *drawn, *typed[behind:]])


def _each(rows: Sequence[Row], column: str, unit: str = "") -> str:
    values = dict.fromkeys(row[column] for row in rows if row.get(column) is not None)
    said = (words.number(value) if isinstance(value, float) else str(value) for value in values)
    return ", ".join(f"{text}{unit}" for text in said)
