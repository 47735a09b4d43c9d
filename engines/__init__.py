"""Engines under test. Each is a record in a module of its own; this is their table."""

from __future__ import annotations

from . import endpoint, innodb, myrocks, program, rocksdb
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

ENGINES: dict[str, Engine] = {
    "rocksdb": rocksdb.ENGINE,
    "myrocks": myrocks.ENGINE,
    "innodb": innodb.ENGINE,
    "myrocks-shards": sharded(myrocks.ENGINE),
    "rocksdb-shards": sharded(rocksdb.ENGINE),
    "endpoint": endpoint.ENGINE,
    "program": program.ENGINE,
}
ELSEWHERE = endpoint.ENGINE.name
"""The engine of cells whose server belongs to its owner."""
PROGRAM = program.ENGINE.name
"""The engine of cells that run a command of the user."""
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
