"""Command lines of waltax run as recorded, and what they print and write, to be compared.

A transcript is a text: a line `$ waltax ...`, then what that printed; lines of stderr begin with
`! `, and an exit code that is not 0 stands at the end. `$ ls FOLDER` lists the files in a folder.
Figures are made but not drawn, which would take most of the time: a figure's file holds its words.
A new device, workload, engine, profile or knob changes no transcript: the catalog is that of the
recording, and `...` stands for a refusal's list of names.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from unittest import mock
from unittest.mock import Mock

import waltax
from matplotlib.figure import Figure
from matplotlib.text import Text
from waltax import devices
from waltax.__main__ import main

_CHECKOUT = str(Path(waltax.__file__).absolute().parent)
_NUMBER = re.compile(r"(-?\b\d+(?:\.\d+)?(?:e[-+]?\d+)?\b)")
# What a choice is of, and five names or more: of tables that grow.
_LIST = re.compile(r"(?<=is not one of )'.*'|(?:'?[a-z][\w-]*'?, ?(?!as )){4,}'?[a-z][\w-]*'?")
_CATALOG = (
    *("ebs-gp3", "ebs-io2", "hdd-7200", "nvme", "nvme-consumer", "nvram", "off"),
    *("optane-p4800x", "pmem-dax", "ssd", "ssd-consumer", "ssd-plp"),
)
# A pipe as everybody has it, wherever the tests run.
_PIPE = {"COLUMNS": "80", "LINES": "25", "TZ": "UTC", "TERM": "xterm"}
_NO_PIPE = ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")


def commands(transcript: str) -> list[str]:
    """The command lines of a transcript, without their `$ `."""
    return [line[2:] for line in transcript.splitlines() if line.startswith("$ ")]


def run(lines: list[str], place: Path) -> str:
    """The transcript of these command lines, run one after the other in the folder `place`."""
    undrawn = mock.patch.multiple(Figure, savefig=_save_words, draw_without_rendering=Mock())
    recorded = mock.patch.object(devices, "names", return_value=_CATALOG)
    with _piped(), contextlib.chdir(place), undrawn, recorded:
        parts = [f"$ {line}\n{neutral(_printed(line), place)}" for line in lines]
    return "\n".join(parts)


def neutral(text: str, place: Path) -> str:
    """The text without the paths of this machine: of the folder `place`, and of the checkout."""
    return text.replace(str(place), "PLACE").replace(_CHECKOUT, "CHECKOUT")


def with_numbers_of(expected: str, found: str) -> str:
    """`found`, with each number that equals the expected one but for its last digits replaced.

    Processors round sums of floats differently, and a search for a root makes more of that: a
    millionth is allowed, which no figure shows.
    """
    ours, theirs = _NUMBER.split(found), _NUMBER.split(expected)
    if len(ours) != len(theirs):
        return found
    return "".join(map(_unless_close, ours, theirs))


def _unless_close(found: str, expected: str) -> str:
    if not (_NUMBER.fullmatch(found) and _NUMBER.fullmatch(expected)):
        return found
    is_close = math.isclose(float(found), float(expected), rel_tol=1e-6, abs_tol=1e-9)
    return expected if is_close else found


def _save_words(figure: Figure, file: Path | io.StringIO, **_: object) -> None:
    """What a figure says: titles, labels and notes, a line each. Only drawing makes the numbers."""
    texts = [text.get_text().replace("\n", " ") for text in figure.findobj(Text)]
    words = "".join(f"{text}\n" for text in texts if text)
    if isinstance(file, Path):
        file.write_text(words)
    else:
        file.write(words)


@contextlib.contextmanager
def _piped() -> Iterator[None]:
    kept = {name: value for name, value in os.environ.items() if name not in _NO_PIPE}
    with mock.patch.dict(os.environ, {**kept, **_PIPE}, clear=True):
        time.tzset()
        yield
    time.tzset()


def _printed(line: str) -> str:
    words = shlex.split(line)
    if words[0] == "ls":
        return "".join(f"{path.name}\n" for path in sorted(Path(words[1]).iterdir()))
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.object(sys, "argv", words),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else int(left.code is not None)
    refused = "".join(f"! {line}\n" for line in err.getvalue().splitlines())
    printed = out.getvalue() + _LIST.sub("...", refused)
    return printed + (f"exit {code}\n" if code else "")
