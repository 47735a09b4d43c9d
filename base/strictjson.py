"""JSON that others wrote, read so that nothing in it can break who reads it.

Python's own reader takes NaN and Infinity, makes an infinity of 1e400, and reads whole numbers that
no calculation and no message of ours could hold.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any, NoReturn

from .printable import one_line

_LARGEST = 2**64  # beyond every counter that a program of ours prints
# What a text needs to hold before a value in it can be unprintable: most have none of it, and are
# not gone through value by value.
_SUSPECT = re.compile(rb"[^\t-\r -\[\]-~]")


def loads(text: str | bytes, *, printable: bool = True) -> Any:
    """Return what `text` holds. Errors: ValueError, in a clause, for all that is not plain JSON.

    Texts and names in it are made printable (printable.one_line) unless the very text is wanted.
    """
    try:
        value = json.loads(text, parse_constant=_no_number, parse_float=_finite, parse_int=_counted)
        raw = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
        return _printed(value) if printable and _SUSPECT.search(raw) else value
    except RecursionError:
        raise ValueError("arrays or objects too deep in each other") from None


def read(path: Path) -> Any:
    """Return what a file holds; None where it cannot be read, or holds no plain JSON."""
    try:
        return loads(path.read_bytes())
    except (OSError, ValueError):
        return None


def read_object(path: Path) -> dict[str, Any]:
    """Return the object that a file holds; an empty one where it holds none."""
    found = read(path)
    return found if isinstance(found, dict) else {}


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("a number is larger than any that can be held")
    return value


def _counted(text: str) -> int:
    value = int(text)
    if abs(value) >= _LARGEST:
        raise ValueError("a whole number is beyond 64 bits")
    return value


def _printed(value: Any) -> Any:
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, dict):
        return {one_line(name): _printed(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_printed(each) for each in value]
    return value
