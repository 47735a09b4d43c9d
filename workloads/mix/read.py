"""Read a mix's file into its model, or report every mistake in it with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ...base.errors import UsageError
from ...base.tomlfile import parse, validate
from . import judge
from .file import Mix, spelled_out

# What a line of TOML is made of, as far as brackets and names are concerned.
_TOKEN = re.compile(r'"""|\'\'\'|"(?:[^"\\]|\\.)*"|\'[^\']*\'|#.*|[\[\]{}=,]|[^\s"\'#\[\]{}=,]+')
_NAME = re.compile(r"""["']?([^"']*)["']?""")


def read(path: Path, content: bytes) -> Mix:
    """Return what `content`, of the file `path`, describes.

    Errors: UsageError with each mistake as `FILE:LINE: KEY: found ..., want ...`.
    """
    try:
        mix = spelled_out(validate(path, parse(path, content), Mix))
        faults = [f"{path}: {fault}" for fault in judge.faults(mix)]
    except UsageError as error:
        faults = list(error.lines)
    if not faults:
        return mix
    lines = dict(_lines(content.decode(errors="replace")))
    raise UsageError(*(_placed(fault, str(path), lines) for fault in faults))


def _placed(fault: str, path: str, lines: dict[str, int]) -> str:
    """Add the line of its key, or of what contains the key, to a fault that has none."""
    said = fault.removeprefix(f"{path}: ")
    key = said.partition(": ")[0]
    while key and key not in lines:
        key = key[: max(key.rfind("."), key.rfind("["), 0)]
    return f"{path}:{lines[key]}: {said}" if key else fault


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Yield the dotted keys of a file with their lines: `operations.read.steps[0].row`."""
    section, places = "", [""]  # of what is open: a table's key, or an array's
    counts = [-1]  # the item that an open array is at; -1 of a table
    words: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if len(places) == 1 and line.lstrip().startswith("["):
            section = line.strip().split("#")[0].strip(" []")
            yield section, number
            continue
        for token in _TOKEN.findall(line):
            if token == "=":
                key = _joined(places[-1] if len(places) > 1 else section, words)
                yield key, number
                words = [key]
            elif token in "[{":
                place = _item(places[-1], counts[-1]) if counts[-1] >= 0 else words[-1]
                if counts[-1] >= 0:
                    yield place, number
                places.append(place)
                counts.append(0 if token == "[" else -1)
                words = []
            elif token in "]}":
                places, counts, words = places[:-1] or [""], counts[:-1] or [-1], []
            elif token == ",":
                counts[-1] += counts[-1] >= 0
                words = []
            elif not token.startswith("#"):
                words.append(token)
        if len(places) == 1:
            words = []


def _item(array: str, at: int) -> str:
    return f"{array}[{at}]"


def _joined(of: str, words: list[str]) -> str:
    match = _NAME.fullmatch("".join(words))
    name = match[1] if match else "".join(words)
    return f"{of}.{name}" if of else name
