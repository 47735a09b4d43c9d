"""Kinds of configuration values: each parses values and says what it accepts."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...driver.argv import Scalar

_LARGEST = 2**63 - 1  # Java's long
_WHOLE = re.compile(r"[+-]?[0-9]+")


@dataclass(frozen=True)
class Kind:
    """A kind of value: `parse` raises ValueError for a text; `accepted` completes "want"."""

    accepted: str
    parse: Callable[[str], Scalar]


def whole(low: int = -_LARGEST - 1, high: int = _LARGEST) -> Kind:
    """Return the kind of whole numbers from `low` to `high`, both included."""

    def parse(text: str) -> int:
        if not _WHOLE.fullmatch(text) or not low <= int(text) <= high:
            raise ValueError(text)
        return int(text)

    if high < _LARGEST:
        return Kind(f"a whole number from {low} to {high}", parse)
    if low > -_LARGEST:
        return Kind(f"a whole number of at least {low}", parse)
    return Kind("a whole number", parse)


def number(low: float, high: float) -> Kind:
    """Return the kind of numbers from `low` to `high`, both included."""

    def parse(text: str) -> float:
        value = float(text)
        if "_" in text or not math.isfinite(value) or not low <= value <= high:
            raise ValueError(text)
        return value

    return Kind(f"a number of at least {low:g} and at most {high:g}", parse)


def choice(*names: str) -> Kind:
    """Return the kind of a few words in upper or lower case, which are parsed to lower case."""

    def parse(text: str) -> str:
        if text.lower() not in names:
            raise ValueError(text)
        return text.lower()

    return Kind(f"one of: {', '.join(names)}", parse)


def class_name(ours: Mapping[str, str]) -> Kind:
    """Return the kind of Java classes, in any package, for which we have our own."""

    def parse(text: str) -> str:
        name = text.rpartition(".")[2]
        if name not in ours:
            raise ValueError(text)
        return ours[name]

    return Kind(f"one of the classes {', '.join(ours)}", parse)


def boolean() -> Kind:
    """Return the kind of true and false, in upper or lower case."""
    word = choice("true", "false")
    return Kind("true or false", lambda text: word.parse(text) == "true")
