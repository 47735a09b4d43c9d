"""Comparing the value that a profile sets with the value that its engine shows.

The two may spell one value differently: on and 1, 64M and 67108864, 0.2 and 0.200000. Values are
not compared if an engine chooses them itself, for 0 or less, or shows another kind of value, such
as the name of a number, a list or a struct. Sizes may be rounded to whole blocks.
"""

from __future__ import annotations

import math
import re

from ..workload import Parameter

_SWITCHES = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
_SIZE = re.compile(r"(-?[0-9]+)([kmgtpe]?)")
_WORD = re.compile(r"[\w.-]*")
_BY_DEFAULT = (1 << 63) - 1  # from this number on, RocksDB chooses itself
_ROUNDED = 0.05  # of a whole number; engines silently round to blocks by less than this


def holds(wanted: Parameter, shown: str, step: int = 0, *, exactly: bool = False) -> bool:
    """Return whether `shown` is the value `wanted`, or cannot be compared with it.

    The engine may round this size by less than `step`, and lengthen a word. If `exactly`, it may do
    neither, and 0 is a number like any other.
    """
    want, have = parse(str(wanted)), parse(shown)
    if exactly or want == have:
        return want == have
    if isinstance(want, str) and isinstance(have, str):
        words = all(map(_WORD.fullmatch, (want, have)))
        return not words or (want != "" and have.startswith(want))
    if isinstance(want, str) or isinstance(have, str):
        return True
    if isinstance(want, bool) or isinstance(have, bool):
        return not {want, have} <= {0, 1}
    if not isinstance(want, int):
        return math.isclose(want, have, abs_tol=1e-6)
    near = abs(have - want) < max(step, _ROUNDED * want)
    return want <= 0 or want >= _BY_DEFAULT or near


def parse(text: str) -> str | float:
    """Parse a switch or a number; normalise words for comparison."""
    text = text.strip().lower()
    if text in _SWITCHES:
        return _SWITCHES[text]
    if size := _SIZE.fullmatch(text):
        return int(size[1]) << 10 * " kmgtpe".index(size[2] or " ")
    try:
        return float(text)
    except ValueError:
        return text
