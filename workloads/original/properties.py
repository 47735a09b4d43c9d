"""Java's .properties files, without their escapes.

Format: the description of `java.util.Properties.load` in the Java SE API.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import UsageError
from ...base.printable import shorten

_LINE = re.compile(r"([^=: \t\f]*)[ \t\f]*[=:]?[ \t\f]*(.*)")


@dataclass(frozen=True)
class Property:
    """A value as written, and where: "FILE:LINE", or the flag of a command line."""

    value: str
    origin: str


Properties = dict[str, Property]


def read(path: Path) -> Properties:
    """Read one file, in ISO-8859-1 as Java does. Errors: UsageError."""
    try:
        text = path.read_bytes().decode("latin-1")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    return parse(text, str(path))


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
        properties[key] = Property(value, origin)
    return properties


def override(flag: str, word: str) -> tuple[str, Property]:
    """Read KEY=VALUE, which follows a flag, as a property. Errors: UsageError."""
    key, equals, value = word.partition("=")
    if not key or not equals:
        raise UsageError(f"{flag}: found {word!r}, want KEY=VALUE")
    return key, Property(value, flag)
