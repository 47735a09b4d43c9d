"""tpcc-mysql's letters: those for the data's place, refused ones, and ranges of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from ... import engines
from ...base.errors import UsageError
from ...base.printable import shorten
from ...driver.original.phase import say
from ...driver.original.place import AnyPlace, Place, ServerPlace, embedded, on_server

_Command = TypeVar("_Command", bound=Callable[..., None])

_DEFAULT_DB = "data/tpcc-cli/db"
_MOST_DIGITS = 100  # of a number; Python reads no more than thousands
_FOLDER = click.Path(path_type=Path, file_okay=False)
_SERVER = {
    "h": "host",
    "P": "port",
    "u": "user",
    "p": "password",
    "S": "socket",
    "D": "database",
}
# Letters that locate a server here, with their names in the other commands.
_SHOWN = {
    "S": ("--socket", "Unix socket of the server of --engine myrocks or innodb."),
    "u": ("--user", "Account on it, without a password. [your name]"),
}
_SOCKETS_ONLY = "a server is reached by its Unix socket (-S) only, over no network and {}"
_REFUSED = {
    "h": _SOCKETS_ONLY.format("without a host; leave it out"),
    "P": _SOCKETS_ONLY.format("without a port; leave it out"),
    "p": _SOCKETS_ONLY.format("without a password; leave it out, and name an account without one"),
    "D": "the database is -d, as in tpcc-mysql; type -d {value}",
}


def number(
    *names: str, low: int, high: int, text: str, default: int | None = None
) -> Callable[[_Command], _Command]:
    """Return an option that takes a whole number from `low` to `high`, both included."""

    def parse(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
        del ctx
        if value is None:
            return None
        digits = value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS
        if digits and low <= int(value) <= high:
            return int(value)
        raise UsageError(
            f"{param.opts[0]}: found {shorten(value)!r}, want a whole number from {low} to {high}"
        )

    shown = None if default is None else str(default)
    return click.option(
        *names, type=str, callback=parse, default=shown, show_default=True, metavar="N", help=text
    )


def options(command: _Command) -> _Command:
    """Add the options that say where the data is.

    -d names a database in tpcc-mysql: here that of a server, and a directory without one.
    """
    engine = click.option("--engine", type=click.Choice(engines.PLACED), default=engines.EMBEDDED)
    named = click.option(
        *("-d", "--database", "named"),
        metavar="NAME",
        help=f"A server's database [waltax], or else a directory [{_DEFAULT_DB}].",
    )
    db = click.option("--db", type=_FOLDER, help="That directory.")
    wal = click.option("--wal-dir", type=_FOLDER, help="Where its WAL is. [beside the data]")
    return engine(_server_letters(named(db(wal(command)))))


def place(given: dict[str, Any]) -> AnyPlace:
    """Return the place that the options name, and warn of letters that have no use there.

    Errors: UsageError.
    """
    _refuse_h_alone(given)
    if given["engine"] in engines.SERVED:
        return _on_server(given)
    warning = _ignored(given)
    if warning:
        say(f"warning: {warning}")
    return _embedded(given)


def _on_server(given: dict[str, Any]) -> ServerPlace:
    engine = given["engine"]
    _refuse_network(engine, given)
    names = {"--db": "db", "--wal-dir": "wal_dir", "--durability": "durability"}
    beside = {flag: given.get(name) for flag, name in names.items()}
    socket = None if given["server_socket"] is None else Path(given["server_socket"])
    return on_server(engine, "-S", socket, given["server_user"], given["named"], beside)


def _embedded(given: dict[str, Any]) -> Place:
    named = None if given["named"] is None else Path(given["named"])
    if named is not None and given["db"] not in (None, named):
        raise UsageError(
            f"--db: found {str(given['db'])!r} with -d {named}, want one directory; leave one out"
        )
    durability = given.get("durability") or "sync"
    return embedded(_DEFAULT_DB, given["db"] or named, given["wal_dir"], durability)


def _server_letters(command: _Command) -> _Command:
    """Accept what names a server; see `_ignored` and `_refuse_network`."""
    for letter, what in _SERVER.items():
        # Elsewhere -h alone asks for help, and no host has that name.
        alone: dict[str, Any] = {"is_flag": False, "flag_value": "-h"} if letter == "h" else {}
        name, text = _SHOWN.get(letter, ("", ""))
        names = (f"-{letter}", *filter(None, [name]), f"server_{what}")
        command = click.option(*names, hidden=not name, help=text, **alone)(command)
    return command


def _refuse_h_alone(options: Mapping[str, Any]) -> None:
    """Refuse a -h that asks for help. Errors: UsageError."""
    if options["server_host"] == "-h":
        raise UsageError("-h: found no host, which it takes as in tpcc-mysql; for help type --help")


def _refuse_network(engine: str, options: Mapping[str, Any]) -> None:
    """Refuse letters that a socket has no use for, but no empty password. Errors: UsageError."""
    for letter, reason in _REFUSED.items():
        value = options[f"server_{_SERVER[letter]}"]
        if value is not None and not (letter == "p" and value == ""):
            what = "a password" if letter == "p" else repr(value)
            why = reason.format(value=value)
            raise UsageError(f"-{letter}: found {what} with --engine {engine}: {why}")


def _ignored(options: Mapping[str, Any]) -> str:
    """Return a sentence on the letters given to an embedded database, or nothing."""
    given = [
        f"-{letter} ({what})"
        for letter, what in _SERVER.items()
        if options[f"server_{what}"] is not None
    ]
    if not given:
        return ""
    return (
        f"{', '.join(given)}: ignored, since the database is embedded and has no server; "
        "for one type --engine myrocks or --engine innodb"
    )


def refused_letters(reasons: Mapping[str, str]) -> Callable[[_Command], _Command]:
    """Refuse letters that we do not support: {"m": "why, and what to type"}."""

    def refuse(letter: str, value: str) -> None:
        raise UsageError(f"-{letter}: found {value!r}: {reasons[letter]}")

    return _hidden(reasons, refuse)


def unheeded_letters(reasons: Mapping[str, str]) -> Callable[[_Command], _Command]:
    """Accept letters that have no effect here, and say why: {"i": "why"}."""
    return _hidden(reasons, lambda letter, _: say(f"-{letter}: no effect: {reasons[letter]}"))


def _hidden(
    letters: Iterable[str], given: Callable[[str, str], None]
) -> Callable[[_Command], _Command]:
    def callback(_: click.Context, param: click.Parameter, value: str | None) -> None:
        if value is not None:
            given(param.opts[0].removeprefix("-"), value)

    def add(command: _Command) -> _Command:
        for letter in letters:
            names, hidden = (f"-{letter}", f"hidden_{letter}"), True
            command = click.option(*names, hidden=hidden, expose_value=False, callback=callback)(
                command
            )
        return command

    return add
