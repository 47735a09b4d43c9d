"""Lines of JSON that a command keeps where it keeps no campaign's rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .. import strictjson
from ..errors import UsageError


def read(path: Path, wanted: Mapping[str, type], command: str) -> list[dict[str, Any]]:
    """Those of a file that `command` writes, each with all that is `wanted`: float, bool or str.

    Errors: UsageError when there is none, and for a line that is none, by its number.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; `waltax {command}` writes it") from error
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            rows.append(_row(line, wanted))
        except ValueError as error:
            raise UsageError(
                f"{path}:{number}: no line of {command} ({error}); remove it"
            ) from error
    if not rows:
        raise UsageError(f"{path}: found no line of {command}")
    return rows


def _row(line: bytes, wanted: Mapping[str, type]) -> dict[str, Any]:
    """Errors: ValueError."""
    one = strictjson.loads(line)
    if not isinstance(one, dict):
        raise ValueError("no object")
    for name, kind in wanted.items():
        found = one.get(name)
        is_number = isinstance(found, int | float) and not isinstance(found, bool)
        if not (is_number if kind is float else isinstance(found, kind)):
            raise ValueError(f"{name}: found {found!r}")
    return one
