"""Read a mix's file into its model, or report the mistakes in it with their lines."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from functools import cache
from pathlib import Path
from typing import Any

from ...base.errors import UsageError
from ...base.tomlfile import parse, validate
from . import judge
from .file import Mix, spelled_out

_MOST = 20  # mistakes that are reported: to find the line of each takes time


def read(path: Path, content: bytes) -> Mix:
    """Return what `content`, of the file `path`, describes.

    Errors: UsageError with the first mistakes as `FILE:LINE: KEY: found ..., want ...`.
    """
    try:
        mix = spelled_out(validate(path, parse(path, content), Mix))
        faults = [f"{path}: {fault}" for fault in judge.faults(mix)]
    except UsageError as error:
        faults = list(error.lines)
    if not faults:
        return mix
    lines = _Lines(content.decode(errors="replace"))
    raise UsageError(*(_placed(fault, str(path), lines) for fault in faults[:_MOST]))


def _placed(fault: str, path: str, lines: _Lines) -> str:
    """Add the line of its key, or of what contains the key, to a fault that has none."""
    said = fault.removeprefix(f"{path}: ")
    key = said.partition(": ")[0] if re.match(r"[\w-]+[.\[:]", said) else ""
    while key and not (line := lines.of(key)):
        key = key[: max(key.rfind("."), key.rfind("["), 0)]
    return f"{path}:{line}: {said}" if key else fault


class _Lines:
    """The lines of a file, and the first of them up to which it has a key."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._table = cache(self._parsed)

    def of(self, key: str) -> int:
        """Return the line of a dotted key, as `operations.read.steps[0].row`; 0: there is none."""
        parts, last = re.findall(r"[^.\[\]]+", key), len(self._lines)
        line = bisect_left(range(last + 1), True, key=lambda line: _has(self._table(line), parts))
        return line if line <= last else 0

    def _parsed(self, count: int) -> dict[str, Any]:
        """Return what the first lines hold, without those at the end that begin a value."""
        for last in range(count, 0, -1):
            for end in ("", "]", "]]"):
                try:
                    return tomllib.loads("\n".join([*self._lines[:last], end]))
                except ValueError:
                    continue
        return {}


def _has(value: Any, parts: list[str]) -> bool:
    for part in parts:
        items = {str(i): item for i, item in enumerate(value)} if isinstance(value, list) else value
        if not isinstance(items, dict) or part not in items:
            return False
        value = items[part]
    return True
