"""The errors waltax raises: each names the flag or file, what was found, what to do instead."""

from __future__ import annotations

import contextlib
import difflib
import os
import traceback
from collections.abc import Iterable, Iterator
from errno import ENOENT
from pathlib import Path

from .printable import one_line


class WaltaxError(Exception):
    """A run that failed. The command line prints it and exits with `exit_code`.

    Each argument is one line of the message, and stays one: what a message repeats of a file or of
    another program can neither reach the terminal as an escape sequence nor forge a line.
    """

    exit_code = 1

    def __init__(self, *lines: object) -> None:
        self.lines = tuple(one_line(str(line)) for line in lines)
        super().__init__("\n".join(self.lines))


class UsageError(WaltaxError):
    """Something the user typed or wrote (flag, TOML, directory) cannot be used."""

    exit_code = 2


_ROOT = f"{Path(__file__).parents[1]}/"
_NEAR = 0.82  # of two spellings; "deleteproportion" and "updateproportion" have 0.81
# Words of other programs whose meaning is known, and what has it here.
_ELSEWHERE = {
    "requestrate": "type rate",
    "target": "type rate",
    "rocksdb.sync": "type --durability sync",
    "rocksdb.disablewal": "type --durability off",
    "deleteproportion": "there are no deletes here; leave it out",
    "fillsync": "type --bench fillrandom --wal sync",
    "fillbatch": "type --bench fillrandom, with batch_size under [dbbench.run]",
    "-jvm-args": "there is no Java here; leave it out",
    "-cp": "there is no Java here; leave it out",
    "-db": "where the records are is said by --engine; leave it out",
    "-load": "load is a command: waltax ycsb load",
    "-t": "run is a command: waltax ycsb run",
}


def nearest(found: str, known: Iterable[str]) -> str:
    """Return the one of `known` that is spelt nearly as `found`, or two letters of it are swapped.

    It is empty where none is so near: another word has another meaning.
    """
    near = difflib.get_close_matches(found, list(known), n=1)
    ratio = difflib.SequenceMatcher(None, "".join(near), found).ratio()
    return near[0] if near and (ratio >= _NEAR or sorted(near[0]) == sorted(found)) else ""


def meant(found: str, known: Iterable[str]) -> str:
    """Return "; did you mean nvme?", to end an error about `found`, which is none of `known`.

    What another program means by the word wins. It is empty when nothing is near.
    """
    if instead := _ELSEWHERE.get(found.lower()):
        return f"; {instead}"
    names, parts = list(known), found.split(",")
    if len(parts) > 1 and set(parts) <= set(names):
        return f'; several are separated by blanks: "{" ".join(parts)}"'
    near = found.lower() if found.lower() in names else nearest(found, names)
    return f"; did you mean {near}?" if near else ""


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an OSError of the `with` that names no file name `path`.

    A file that cannot be opened is named by the kernel's caller; one that fills its disk is not.
    """
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def in_words(error: Exception) -> str:
    """An error in words that name the files it is about, and the folder of theirs that is missing.

    Both files of a rename or a link; of an error without any, what was being done. What is no
    OSError has its own words.
    """
    if not isinstance(error, OSError) or error.strerror is None:
        return str(error)
    named = (error.filename, error.filename2)
    files = [Path(os.fsdecode(one)) for one in named if isinstance(one, str | bytes | os.PathLike)]
    for file in files if error.errno == ENOENT else ():
        missing = [path for path in (file, *file.parents) if not os.path.lexists(path)]
        if missing and missing[-1] != file:
            return f"{missing[-1]} is missing (looked for {file.relative_to(missing[-1])} in it)"
    if files:
        return f"{' to '.join(map(str, files))}: {error.strerror}"
    said = f"{_being_done(error)}: {error.strerror}"
    if preloaded := os.environ.get("LD_PRELOAD"):
        said += f"; LD_PRELOAD={preloaded} may have answered for the kernel: unset it"
    return said


def _being_done(error: OSError) -> str:
    """The line of ours at which it came, and what that called."""
    calls = traceback.extract_tb(error.__traceback__)
    files = [one.filename.partition(_ROOT)[2] for one in calls]
    ours = [at for at, file in enumerate(files) if file and not file.startswith(".venv/")]
    if not ours:
        return "input/output"
    last = calls[ours[-1]]
    said = dict.fromkeys((last.line, calls[-1].line))
    return f"{files[ours[-1]]}:{last.lineno}: {': '.join(filter(None, said))}"
