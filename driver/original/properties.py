"""Java's .properties files.

Format: the description of `java.util.Properties.load` in the Java SE API.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import UsageError
from ...base.printable import shorten

_BLANK = " \t\f"
_KEY = re.compile(r"(?:[^\\=: \t\f]|\\.)*", re.DOTALL)
_SEPARATOR = re.compile(r"[ \t\f]*[=:]?[ \t\f]*")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROL = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


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

    `name` is the file's name in origins and errors. Errors: UsageError for a backslash-u
    without four hexadecimal digits.
    """
    properties = {}
    for number, line in _logical_lines(text):
        origin = f"{name}:{number}"
        key = _KEY.match(line)
        assert key is not None  # it matches the empty key too
        separator = _SEPARATOR.match(line, key.end())
        assert separator is not None
        value = _unescape(line[separator.end() :], origin)
        properties[_unescape(key.group(), origin)] = Property(value, origin)
    return properties


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield logical lines with their first line's number, without comments and blank lines."""
    lines = iter(enumerate(re.split(r"\r\n|\r|\n", text), start=1))
    for number, natural in lines:
        line = natural.lstrip(_BLANK)
        if line.startswith(("#", "!")):
            continue
        while _continues(line):
            line = line[:-1] + next(lines, (0, ""))[1].lstrip(_BLANK)
        if line:
            yield number, line


def _continues(line: str) -> bool:
    """Return whether a line ends with a backslash that is not itself escaped."""
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _unescape(text: str, origin: str) -> str:
    def character(escape: re.Match[str]) -> str:
        word = escape.group(1)
        if len(word) == 5:
            return chr(int(word[1:], 16))
        if word == "u":
            found = f"found {shorten(text)!r}"
            raise UsageError(f"{origin}: {found}, want four hexadecimal digits after \\u")
        return _CONTROL.get(word, word)

    return _ESCAPE.sub(character, text)


def override(flag: str, word: str) -> tuple[str, Property]:
    """Read KEY=VALUE, which follows a flag, as a property. Errors: UsageError."""
    key, equals, value = word.partition("=")
    if not key or not equals:
        raise UsageError(f"{flag}: found {word!r}, want KEY=VALUE")
    return key, Property(value, flag)
