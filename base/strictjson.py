"""Strict reading of JSON that others wrote, so that no value in it can break its reader.

Python's own reader accepts NaN and Infinity, turns 1e400 into infinity, and reads whole numbers too
large for our calculations and messages.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any, NoReturn

from .printable import one_line

_LARGEST = 2**64  # beyond every counter that a program of ours prints
# Without any of these bytes no value in a text can be unprintable. Most texts have none, and are
# not searched value by value.
_SUSPECT = re.compile(rb"[^\t-\r -\[\]-~]")


def loads(text: str | bytes, *, printable: bool = True) -> Any:
    """Return the value in `text`. Errors: ValueError, with a clause, for anything but plain JSON.

    Strings and names in it are made printable (printable.one_line) unless `printable` is false.
    """
    try:
        value = json.loads(text, parse_constant=_no_number, parse_float=_finite, parse_int=_counted)
        raw = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
        return _printed(value) if printable and _SUSPECT.search(raw) else value
    except RecursionError:
        raise ValueError("arrays or objects too deep in each other") from None


def read(path: Path) -> Any:
    """Return the value in a file; None when it cannot be read or is not plain JSON."""
    try:
        return loads(path.read_bytes())
    except (OSError, ValueError):
        return None


def read_object(path: Path) -> dict[str, Any]:
    """Return the object in a file; an empty one when it holds none."""
    content = read(path)
    return content if isinstance(content, dict) else {}


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
        return {one_line(name): _printed(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_printed(item) for item in value]
    return value
