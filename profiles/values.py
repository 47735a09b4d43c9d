"""Comparing the value that a profile sets with the value that its engine shows.

The two may spell one value differently: on and 1, 64M and 67108864, 0.2 and 0.200000. Values are
not compared if an engine chooses them itself, for 0 or less, or shows another kind of value, such
as the name of a number. Sizes may be rounded to whole blocks; of a struct, `{a=1;b=2}`, only the
fields that the profile sets are compared.
"""

from __future__ import annotations

import math
import re

from ..workload import Parameter

_SWITCHES = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
_SIZE = re.compile(r"(-?[0-9]+)([kmgtpe]?)")
_BY_DEFAULT = (1 << 63) - 1  # from this number on, RocksDB chooses itself
_ROUNDED = 0.05  # of a whole number; engines silently round to blocks by less than this
_SETS = ("default", "all")  # which a server expands


def holds(wanted: Parameter, shown: str, step: int = 0, *, exactly: bool = False) -> bool:
    """Return whether `shown` is the value `wanted`, or cannot be compared with it.

    The engine may round this size by less than `step`. If `exactly`, 0 is a number like any other,
    and the beginning of a word does not stand for the word.
    """
    want, have = parse(str(wanted)), parse(shown)
    if isinstance(want, str) and want.startswith("{"):
        return not isinstance(have, str) or _has_fields(want, have)
    if isinstance(want, str) and isinstance(have, str) and not exactly:
        return have.startswith("{") or _has_words(want, have)
    if exactly or want == have:
        return want == have
    if isinstance(want, str) or isinstance(have, str):
        return True
    if isinstance(want, bool) or isinstance(have, bool):
        return not {want, have} <= {0, 1}
    if not isinstance(want, int):
        return math.isclose(want, have, abs_tol=1e-6)
    near = abs(have - want) < max(step, _ROUNDED * want)
    return want <= 0 or want >= _BY_DEFAULT or near


def _has_fields(want: str, have: str) -> bool:
    """Compare the fields of a struct; True if it is shown as something else."""
    shown = _fields(have)
    return not shown or all(
        name in shown and holds(value, shown[name]) for name, value in _fields(want).items()
    )


def _fields(text: str) -> dict[str, str]:
    pairs = (field.partition("=") for field in text.strip("{}").split(";") if "=" in field)
    return {name: value for name, _, value in pairs} if text.startswith("{") else {}


def _has_words(want: str, have: str) -> bool:
    """Return whether each word, or its beginning, is shown; for a pair, the end of the value."""
    if not want:
        return not have
    words = have.split(",")
    return all(
        part.rpartition("=")[2] in _SETS or any(_is_word(part, word) for word in words)
        for part in want.split(",")
    )


def _is_word(part: str, word: str) -> bool:
    (name, equals, value), (shown, _, its) = part.partition("="), word.partition("=")
    return name == shown and its.endswith(value) if equals else word.startswith(part)


def parse(text: str) -> str | float:
    """Parse a switch or a number; normalise words for comparison."""
    text = re.sub("utf8(?!mb)", "utf8mb3", text.strip().lower().replace(" ", ""))
    if text in _SWITCHES:
        return _SWITCHES[text]
    if size := _SIZE.fullmatch(text):
        return int(size[1]) << 10 * " kmgtpe".index(size[2] or " ")
    try:
        return float(text)
    except ValueError:
        return text
