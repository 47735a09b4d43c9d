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
_BENCHES = ("fillseq", "fillrandom", "overwrite", "readrandom", "readseq")
# Words of other programs and of older releases, and what to type here instead.
_ELSEWHERE = {
    "requestrate": "type rate",
    "target": "type rate",
    "rocksdb.sync": "type --wal sync",
    "rocksdb.disablewal": "leave it out: off is measured beside each log",
    "deleteproportion": "there are no deletes here; leave it out",
    **dict.fromkeys(
        ("dbbench", "--bench", *(f"dbbench-{name}" for name in _BENCHES)),
        "kv-fillrandom writes as db_bench does, and db_bench itself is run by: waltax try --preset "
        "db_bench -- --benchmarks=fillrandom --num=1000000",
    ),
    "--keys": "type --profile sweep-sizes-full",
    **dict.fromkeys(("--max-bytes", "--prealloc", "--thorough", "--wait"), "leave it out"),
    "binlog_group_commit_sync_delay": "type binlog_commit_wait_usec",
    "binlog_group_commit_sync_no_delay_count": "type binlog_commit_wait_count",
    "--fio": "put the folder of that fio first in PATH",
    "zipf": "a mix whose draw has no ycsb = true is exact (docs/workloads.md)",
    **dict.fromkeys(
        ("sqlite", "tables", "parquet"),
        "DuckDB makes it, in the campaign's folder: duckdb my.db \"CREATE TABLE rows AS FROM "
        "'rows.jsonl'\"",
    ),
    "blind": "a mix that puts writes without reading (docs/workloads.md)",
}


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the name in `known` that is spelt almost like `found`, or has two letters swapped.

    Return "" when none is that close, because another word has another meaning.
    """
    near = difflib.get_close_matches(word, list(known), n=1)
    ratio = difflib.SequenceMatcher(None, "".join(near), word).ratio()
    return near[0] if near and (ratio >= _NEAR or sorted(near[0]) == sorted(word)) else ""


def meant(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean nvme?", to end an error about `found`, which is not in `known`.

    The meaning of the word in another program comes first. Return "" when nothing is close.
    """
    if instead := _ELSEWHERE.get(word.lower()):
        return f"; {instead}"
    names, parts = list(known), word.split(",")
    if len(parts) > 1 and set(parts) <= set(names):
        return f'; several are separated by blanks: "{" ".join(parts)}"'
    near = word.lower() if word.lower() in names else nearest(word, names)
    return f"; did you mean {near}?" if near else ""


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add `path` to an OSError raised inside the `with` that names no file.

    Python names a file that cannot be opened, but not one that fills its disk.
    """
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def in_words(error: Exception) -> str:
    """Describe an error, with the files it is about and the parent folder that is missing.

    A rename or a link names both files. An error without a file names the line that failed. Any
    error other than an OSError is described by its own message.
    """
    if not isinstance(error, OSError) or error.strerror is None:
        return str(error)
    names = (error.filename, error.filename2)
    files = [Path(os.fsdecode(n)) for n in names if isinstance(n, str | bytes | os.PathLike)]
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
    """Return the last line of our code in the traceback, and the line that it called."""
    frames = traceback.extract_tb(error.__traceback__)
    files = [frame.filename.partition(_ROOT)[2] for frame in frames]
    ours = [at for at, file in enumerate(files) if file and not file.startswith(".venv/")]
    if not ours:
        return "input/output"
    last = frames[ours[-1]]
    said = dict.fromkeys((last.line, frames[-1].line))
    return f"{files[ours[-1]]}:{last.lineno}: {': '.join(filter(None, said))}"
