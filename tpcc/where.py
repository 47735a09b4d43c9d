"""Where `waltax tpcc` finds its data: in a directory, or on a server by tpcc-mysql's letters."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ..driver.place import (
    ENGINES,
    SERVERS,
    AnyPlace,
    Place,
    ServerPlace,
    refuse_beside_server,
    server_place,
)
from ..errors import UsageError
from ..printable import one_line
from . import letters

_Command = TypeVar("_Command", bound=Callable[..., None])

_ROOT = Path(__file__).parent.parent
_DEFAULT_DB = "data/tpcc-cli/db"
_FOLDER = click.Path(path_type=Path, file_okay=False)


def options(command: _Command) -> _Command:
    """-d names a database in tpcc-mysql: that of a server, and a directory without one."""
    engine = click.option("--engine", type=click.Choice(ENGINES), default="rocksdb")
    named = click.option(
        *("-d", "--database", "named"),
        metavar="NAME",
        help=f"A server's database [waltax], or else a directory [{_DEFAULT_DB}].",
    )
    db = click.option("--db", type=_FOLDER, help="That directory.")
    wal = click.option("--wal-dir", type=_FOLDER, help="Where its WAL is. [beside the data]")
    return engine(letters.server_letters(named(db(wal(command)))))


def place(given: dict[str, Any]) -> AnyPlace:
    """What the command line asks for; a warning of letters that it has no use for.

    Errors: UsageError.
    """
    letters.refuse_h_alone(given)
    if given["engine"] in SERVERS:
        return _on_server(given)
    warning = letters.ignored(given)
    if warning:
        print(one_line(f"warning: {warning}"), file=sys.stderr, flush=True)
    return _embedded(given)


def _on_server(given: dict[str, Any]) -> ServerPlace:
    engine = given["engine"]
    letters.refuse_network(engine, given)
    names = {"--db": "db", "--wal-dir": "wal_dir", "--durability": "durability", "--store": "store"}
    refuse_beside_server(engine, {flag: given.get(name) for flag, name in names.items()})
    socket = given["server_socket"]
    path = None if socket is None else Path(socket)
    return server_place(engine, "-S", path, given["server_user"], given["named"])


def _embedded(given: dict[str, Any]) -> Place:
    named = None if given["named"] is None else Path(given["named"])
    if named is not None and given["db"] not in (None, named):
        raise UsageError(
            f"--db: found {str(given['db'])!r} with -d {named}, want one directory; leave one out"
        )
    chosen = given["db"] or named
    db = chosen or _ROOT / _DEFAULT_DB
    durability = given.get("durability") or "sync"
    return Place(db, given["wal_dir"] or db, durability, ours=chosen is None)
