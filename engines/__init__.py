"""Engines: what is under test. Each is one record in a module of its own; this is their table."""

from __future__ import annotations

from . import innodb, myrocks, rocksdb
from .engine import Engine, Server, Settings

__all__ = ["DURABILITIES", "EMBEDDED", "ENGINES", "SERVED", "Engine", "Server", "Settings", "of"]

DURABILITIES = ("sync", "flush", "delayed", "off")
"""When a commit is acknowledged; see `cell.Cell`."""

ENGINES: dict[str, Engine] = {
    "rocksdb": rocksdb.ENGINE,
    "myrocks": myrocks.ENGINE,
    "innodb": innodb.ENGINE,
}
SERVED = tuple(name for name, engine in ENGINES.items() if engine.on_server)
EMBEDDED = next(name for name, engine in ENGINES.items() if not engine.on_server)
"""The engine that is part of a driver's process, and the default everywhere."""


def of(name: str) -> Engine:
    """The engine of a row, which another release may have written.

    An engine that this release does not know is taken for one that can be `off`.
    """
    return ENGINES.get(name) or Engine.unknown(name)
