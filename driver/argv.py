"""Command lines of the driver programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

Scalar = str | int | float | bool

Command = Literal["load", "run", "check"]
Parameters = Mapping[str, Scalar]
"""Flags of a driver without dashes, with `_` for `-`: {"maxid1": 100001}."""


def command_line(binary: Path, command: Command, *flags: Mapping[str, Scalar | Path]) -> list[str]:
    """Return the command line of a driver, with `flags` in their order.

    Those that name a place, `db` and `wal_dir` or `socket`, are given once for each node of shards;
    a check has no `seed`, and otherwise takes those of the load.
    """
    return [
        str(binary),
        command,
        *(_flag(name.replace("_", "-"), value) for each in flags for name, value in each.items()),
    ]


def _flag(name: str, value: Scalar | Path) -> str:
    """Return a flag in one word, so that a value with a dash is not read as a flag."""
    return f"--{name}" if value is True else f"--{name}={value}"
