"""Data sets: made once per workload and scale, cloned for every cell of every session."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...base.errors import WaltaxError, in_words
from ...base.folders import folder, places, whole
from ...engines.server import access, datadir

# Of the process that loaded: its lock, its info log, and its empty WAL.
_LEFT_BEHIND = ("LOCK", "LOG")
_KIND = "data set"
PARTIAL = "partial-"
"""How the name of a folder begins in which a data set is being loaded."""
LAYOUT = 2
"""The layout of a data set's folder; data sets of another layout are not looked at."""
DATADIR = "data"
"""In a data set's folder: the database, or the data directory of a server."""
RECORD = "dataset.json"
"""Beside it: what the load said of itself."""
NODE = "node{}"
"""In a data set of shards, the folder of each node, which has a `DATADIR` of its own."""
LOAD_SEED = 1
"""The seed of every load: every campaign of a profile measures the same data."""


def is_complete(path: Path) -> bool:
    """Whether a data set was loaded and checked; what a person took away from it is missed."""
    return (path / RECORD).exists() and (path / DATADIR).is_dir()


@contextmanager
def being_made(path: Path) -> Iterator[Path]:
    """A new folder that becomes the data set at `path` when all went well, and is gone else.

    Files beside it go in any case. When another campaign made the same data set meanwhile, that
    one stays. Errors: UsageError when something stands there that waltax did not make.
    """
    places.discard(path, _KIND, "--data-dir")
    mode = access.folder_mode()
    with places.borrowed(path.parent, PARTIAL, "load", flag="--data-dir", mode=mode) as beside:
        # Short, since the path of a server's socket is bounded.
        made = folder.make(beside / "new", _KIND, mode)
        try:
            yield made.path
            made.move(path)
        finally:
            made.release()


def keep(partial: Path, said: object) -> None:
    """Keep in the data set being made in `partial` what its load said, synced: a record that a
    crash empties would vouch for a data set that nobody can tell anything of. Errors: OSError.
    """
    whole.write(partial / RECORD, json.dumps(said) + "\n")


def of_nodes(data_set: Path, nodes: int) -> list[Path]:
    """The databases or data directories of shards, whose data set is at `data_set`."""
    return [data_set / NODE.format(number) / DATADIR for number in range(nodes)]


def clone(data_set: Path, target: Path, *, links: bool = True) -> None:
    """A copy at `target` of an embedded engine's data set, that may be opened and changed.

    Immutable files become hard links, so that a clone of gigabytes takes less than a
    second; without `links` they are copied, so that its pages in memory are its own. Errors:
    WaltaxError when the file system is full.
    """
    try:
        target.mkdir(parents=True)
        for file in data_set.iterdir():
            if file.name.startswith(_LEFT_BEHIND) or file.suffix == ".log":
                continue
            if links and file.suffix in datadir.IMMUTABLE:
                os.link(file, target / file.name)
            else:
                shutil.copyfile(file, target / file.name)
    except OSError as error:
        raise WaltaxError(f"{target}: cannot clone {data_set.name}: {in_words(error)}") from error
