"""Data sets: made once per workload and scale, cloned for every cell of every session."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...base.folders import atomic_file, folder, places

_KIND = "data set"
_NODE = "node{}"  # the folder of each node in a data set of shards, with a `DATADIR` of its own
PARTIAL = "partial-"
"""How the name of a folder begins while a data set is being loaded into it."""
LAYOUT = 2
"""The layout of a data set's folder; data sets of other layouts are ignored."""
DATADIR = "data"
"""In a data set's folder: the database, or the data directory of a server."""
RECORD = "dataset.json"
"""The file beside it: what the load said of itself."""
LOAD_SEED = 1
"""The seed of every load: every campaign of a profile measures the same data."""


def is_complete(path: Path) -> bool:
    """Return whether a data set was loaded and checked, and nothing was taken away since."""
    return (path / RECORD).exists() and (path / DATADIR).is_dir()


@contextmanager
def being_made(path: Path) -> Iterator[Path]:
    """Yield a new folder that becomes the data set at `path` on success, and vanishes otherwise.

    Files beside it vanish in any case. If another campaign made the same data set meanwhile, that
    one stays. Errors: UsageError when something is there that waltax did not make.
    """
    places.discard(path, _KIND, "--data-dir")
    with places.borrowed(path.parent, PARTIAL, "load", flag="--data-dir") as beside:
        # The name is short, since the path of a server's socket is bounded.
        made = folder.make(beside / "new", _KIND)
        try:
            yield made.path
            made.move(path)
        finally:
            made.release()


def keep(partial: Path, said: object) -> None:
    """Keep what its load said in the data set being made in `partial`, synced: a record that a
    crash empties would vouch for a data set of which nothing is known. Errors: OSError.
    """
    atomic_file.write(partial / RECORD, json.dumps(said) + "\n")


def of_nodes(data_set: Path, nodes: int) -> list[Path]:
    """Return the databases or data directories of the shards whose data set is at `data_set`."""
    return [data_set / _NODE.format(number) / DATADIR for number in range(nodes)]


def homes(partial: Path, nodes: int) -> list[Path]:
    """Return each node's folder in a data set that is being made; a single store has it all."""
    if nodes == 1:
        return [partial]
    return [partial / DATADIR / _NODE.format(number) for number in range(nodes)]
