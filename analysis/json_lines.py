"""Lines of JSON from commands that keep no campaign's rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Any

from ..base import strictjson
from ..base.errors import UsageError

Kind = type | UnionType
NUMBER: Kind = int | float


def read(path: Path, wanted: Mapping[str, Kind], command: str) -> list[dict[str, Any]]:
    """Read the lines that `command` wrote to a file, each with all `wanted` keys and types.

    Errors: UsageError if there are none, and for a bad line, naming its number.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; `waltax {command}` writes it") from error
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            row = strictjson.loads(line)
            if not isinstance(row, dict):
                raise ValueError("no object")
            for name, kind in wanted.items():
                value = row.get(name)
                # To Python a truth value is a number as well.
                if not isinstance(value, kind) or isinstance(value, bool) != (kind is bool):
                    raise ValueError(f"{name}: found {value!r}")
        except ValueError as error:
            raise UsageError(
                f"{path}:{number}: no line of {command} ({error}); remove it"
            ) from error
        rows.append(row)
    if not rows:
        raise UsageError(f"{path}: found no line of {command}")
    return rows
