"""JSON that others wrote, read so that nothing in it can break who reads it.

Python's own reader takes NaN and Infinity, makes an infinity of 1e400, and reads whole numbers that
no calculation and no message of ours could hold.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from .printable import one_line

_LARGEST = 2**64  # beyond every counter that a program of ours prints
# What a text needs to hold before a value in it can be too large or unprintable: most have none of
# it, and are not gone through value by value.
_SUSPECT = re.compile(rb"[^ -~\s]|\\|\d{19}|[eE]\+?\d{3}")


def loads(text: str | bytes, *, printable: bool = True) -> Any:
    """Return what `text` holds. Errors: ValueError, in a clause, for all that is not plain JSON.

    Texts and names in it are made printable (printable.one_line) unless the very text is wanted.
    """
    try:
        value = json.loads(text, parse_constant=_no_number)
        raw = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
        return _checked(value, printable) if _SUSPECT.search(raw) else value
    except RecursionError:
        raise ValueError("arrays or objects too deep in each other") from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")


def _checked(value: Any, printable: bool) -> Any:
    if isinstance(value, str):
        return one_line(value) if printable else value
    if isinstance(value, dict):
        return {
            _checked(name, printable): _checked(each, printable) for name, each in value.items()
        }
    if isinstance(value, list):
        return [_checked(each, printable) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("a number is larger than any that can be held")
    if isinstance(value, int) and abs(value) >= _LARGEST:
        raise ValueError("a whole number is beyond 64 bits")
    return value
