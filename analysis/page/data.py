"""Data for a browser, and the file that has the rest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...base.printable import one_line
from ..results.source import ROWS
from .subject import Subject

_MEBIBYTE = 1 << 20


def json_block(value: object) -> str:
    """Return JSON for a script element, which no markup can end, without control characters."""
    text = json.dumps(_plain(value), allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, Mapping):
        return {one_line(str(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


@dataclass(frozen=True)
class RowsFile:
    """The whole rows, which stay in the campaign's folder."""

    mebibytes: str
    sha256: str


def rows_file(of: Subject) -> RowsFile | None:
    """Return the file of the report's rows; None if they do not come from a single file."""
    path = of.folder / ROWS if of.folder else None
    if path is None or not path.is_file():
        return None
    content = path.read_bytes()
    return RowsFile(f"{len(content) / _MEBIBYTE:.1f}", hashlib.sha256(content).hexdigest())
