"""Engines under test: their table. Each that we place is a record in a module of its own."""

from __future__ import annotations

from . import innodb, myrocks, rocksdb
from .engine import Engine, Server, Settings
from .shards import Shards, sharded

__all__ = [
    "DURABILITIES",
    "ELSEWHERE",
    "EMBEDDED",
    "ENGINES",
    "PLACED",
    "PROGRAM",
    "SERVED",
    "SHARDED",
    "WHOLE",
    "Engine",
    "Server",
    "Settings",
    "Shards",
    "of",
]

DURABILITIES = ("sync", "flush", "delayed", "off")
"""When a commit is acknowledged; see `cell.Cell`."""

ELSEWHERE = "endpoint"
"""The engine of cells whose server its owner runs: waltax loads and measures it, but neither places
nor configures it."""
PROGRAM = "program"
"""The engine of cells that run a command of the user, whose log is the files that patterns name."""
ENGINES: dict[str, Engine] = {
    "rocksdb": rocksdb.ENGINE,
    "myrocks": myrocks.ENGINE,
    "innodb": innodb.ENGINE,
    "myrocks-shards": sharded(myrocks.ENGINE),
    "rocksdb-shards": sharded(rocksdb.ENGINE),
    ELSEWHERE: Engine(ELSEWHERE, title="endpoints", modes=DURABILITIES, elsewhere=True),
    PROGRAM: Engine(
        PROGRAM,
        title="a log of its own",
        modes=("sync", "flush", "off"),
        why_not={"delayed": "its own command says when it syncs: see --flush and --off"},
        wal_bytes="wal_bytes",  # nobody but the tap counts its log
        is_program=True,
        reference="sync-free",  # its baseline runs the same command, and its syncs return at once
    ),
}
PLACED = tuple(name for name in ENGINES if name not in (ELSEWHERE, PROGRAM))
"""The engines of waltax's own workloads: what --engine takes."""
WHOLE = tuple(name for name in PLACED if ENGINES[name].node_engine is None)
"""Those of them that are a single store; the others are several nodes of one."""
SHARDED = tuple(name for name in PLACED if name not in WHOLE)
SERVED = tuple(name for name in WHOLE if ENGINES[name].on_server)
EMBEDDED = next(name for name, engine in ENGINES.items() if not engine.on_server)
"""The engine that is part of a driver's process, and the default everywhere."""


def of(name: str) -> Engine:
    """Return the engine of a row, which another release may have written.

    An engine that this release does not know is treated as one that can be `off`.
    """
    return ENGINES.get(name) or Engine(name, title=name, modes=("off",))
