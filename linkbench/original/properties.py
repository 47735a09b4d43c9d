"""Java's .properties files, and which of two files and a command line wins.

Format: the description of `java.util.Properties.load` in the Java SE API.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import UsageError
from ...printable import shorten

HOME_VARIABLE = "LINKBENCH_HOME"
_LONGEST = 1000  # letters of paths in a message
_BLANK = " \t\f"
_KEY = re.compile(r"(?:[^\\=: \t\f]|\\.)*", re.DOTALL)
_SEPARATOR = re.compile(r"[ \t\f]*[=:]?[ \t\f]*")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROL = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


@dataclass(frozen=True)
class Property:
    """A value as written, and where: "FILE:LINE", or "-D" for the command line."""

    value: str
    origin: str


Properties = dict[str, Property]


@dataclass(frozen=True)
class Config:
    """What two files and the command line say, and where relative paths may start."""

    path: Path
    workload_path: Path | None
    properties: Properties
    roots: tuple[Path, ...]

    def find(self, relative: str) -> Path | None:
        """Return the file that a path in the configuration means; None if there is no such file."""
        return next(filter(_is_file, self.tried(relative)), None)

    def tried(self, relative: str) -> list[Path]:
        """Return where `find` looks, in this order. An absolute path stands for itself."""
        return _candidates(self.roots, relative)


def read_config(path: Path, overrides: Sequence[str] = ()) -> Config:
    """Read `path`, the words of -D, and the file that `workload_file` names.

    -D wins over `path`; `workload_file` only adds keys that both leave out. Its relative
    path starts at $LINKBENCH_HOME or, if that is no directory, at the folder above the
    one of `path` (the stock files say config/... and are in config/), then at that of
    `path` itself. Errors: UsageError.
    """
    properties = read(path)
    properties |= dict(_override(word) for word in overrides)
    roots = _roots(path)
    workload = properties.get("workload_file")
    if workload is None:
        return Config(path, None, properties, roots)
    tried = _candidates(roots, workload.value.strip())
    workload_path = next(filter(_is_file, tried), None)
    if workload_path is None:
        where = shorten(" and no ".join(map(str, tried)), _LONGEST)
        raise UsageError(
            f"{workload.origin}: workload_file: found {shorten(workload.value)!r}, but there is no "
            f"{where}; set {HOME_VARIABLE} or write an absolute path"
        )
    return Config(path, workload_path, read(workload_path) | properties, roots)


def read(path: Path) -> Properties:
    """Read one file, in ISO-8859-1 as Java does. Errors: UsageError."""
    try:
        text = path.read_bytes().decode("latin-1")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    return parse(text, str(path))


def parse(text: str, name: str) -> Properties:
    """Parse a file's text; of a key that is there twice, the last one counts.

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
    """Yield lines but comments and blank ones, continued ones joined, with the first's number."""
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
    """Say whether the last backslash is not itself escaped."""
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


def _override(word: str) -> tuple[str, Property]:
    key, equals, value = word.partition("=")
    if not key or not equals:
        raise UsageError(f"-D: found {word!r}, want KEY=VALUE")
    return key, Property(value, "-D")


def _roots(config: Path) -> tuple[Path, ...]:
    home = os.environ.get(HOME_VARIABLE)
    if home and Path(home).is_dir():
        return (Path(home),)
    folder = config.resolve().parent
    return (folder.parent, folder)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long, say
        return False


def _candidates(roots: Sequence[Path], relative: str) -> list[Path]:
    """Return the paths from each root; an absolute path is the same from every one."""
    return list(dict.fromkeys(root / relative for root in roots))
