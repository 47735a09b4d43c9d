"""Java's .properties files, without their escapes, and what a benchmark's keys may be.

Format: the description of `java.util.Properties.load` in the Java SE API.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from ..base.errors import UsageError, meant
from ..base.printable import shorten
from ..workload import Parameter

_LINE = re.compile(r"([^=: \t\f]*)[ \t\f]*[=:]?[ \t\f]*(.*)")
_WHOLE = re.compile(r"[+-]?[0-9]+")


@dataclass(frozen=True)
class Property:
    """A value as written, without blanks around it, and where: "FILE:LINE"."""

    value: str
    origin: str


Properties = dict[str, Property]


def parse(text: str, name: str) -> Properties:
    """Parse a file's text; the last value of a repeated key counts.

    `name` is the file's name in origins and errors. Errors: UsageError for a backslash, which no
    configuration of a benchmark needs, and Java would take for an escape or a longer line.
    """
    properties = {}
    for number, natural in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        line, origin = natural.lstrip(" \t\f"), f"{name}:{number}"
        if not line or line.startswith(("#", "!")):
            continue
        if "\\" in line:
            raise UsageError(f"{origin}: found a backslash in {shorten(line)!r}, want none")
        key, value = _LINE.fullmatch(line).groups()  # type: ignore[union-attr]  # it always matches
        properties[key] = Property(value.strip(), origin)
    return properties


@dataclass(frozen=True)
class Kind:
    """A kind of value: `parse` raises ValueError for a text; `accepted` completes "want"."""

    accepted: str
    parse: Callable[[str], Parameter]


def values(written: Properties, kinds: Mapping[str, Kind]) -> dict[str, Parameter]:
    """Return the values of the keys in `kinds`.

    Errors: UsageError with the key, its file and line, what was found and what is accepted.
    """
    found = {}
    for name, prop in written.items():
        if name not in kinds:
            continue
        try:
            found[name] = kinds[name].parse(prop.value)
        except ValueError:
            raise UsageError(
                f"{prop.origin}: {name}: found {shorten(prop.value)!r}, want {kinds[name].accepted}"
            ) from None
    return found


def unknown(written: Properties, known: Collection[str]) -> list[str]:
    """Return a message for each key that is not `known`, with its line and what is meant."""
    return [
        f"{prop.origin}: {shorten(name)}: unknown key{meant(name, known)}"
        for name, prop in written.items()
        if name not in known
    ]


def whole(low: int, high: int) -> Kind:
    """Return the kind of whole numbers from `low` to `high`, both included."""

    def parse(text: str) -> int:
        if not _WHOLE.fullmatch(text) or not low <= int(text) <= high:
            raise ValueError(text)
        return int(text)

    return Kind(f"a whole number from {low} to {high}", parse)


def number(low: float, high: float) -> Kind:
    """Return the kind of numbers from `low` to `high`, both included."""

    def parse(text: str) -> float:
        value = float(text)
        if "_" in text or not math.isfinite(value) or not low <= value <= high:
            raise ValueError(text)
        return value

    return Kind(f"a number of at least {low:g} and at most {high:g}", parse)


def choice(*names: str, accepted: str = "") -> Kind:
    """Return the kind of a few words in upper or lower case, which are parsed to lower case."""

    def parse(text: str) -> str:
        if text.lower() not in names:
            raise ValueError(text)
        return text.lower()

    return Kind(accepted or f"one of: {', '.join(names)}", parse)


def class_name(ours: Mapping[str, str]) -> Kind:
    """Return the kind of Java classes, in any package, for which we have our own."""

    def parse(text: str) -> str:
        name = text.rpartition(".")[2]
        if name not in ours:
            raise ValueError(text)
        return ours[name]

    return Kind(f"one of the classes {', '.join(ours)}", parse)
