"""tpcc-mysql's letters: those for the data's place, and those that have no effect here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from ... import engines
from ...base.errors import UsageError
from ...driver.original.phase import say
from ...driver.original.place import Command, Place, chosen

_Command = TypeVar("_Command", bound=Callable[..., None])

_FOLDER = click.Path(path_type=Path, file_okay=False)
_SOCKETS_ONLY = (
    "a server is reached by its Unix socket (-S) only, and by an account without a password"
)
# Letters of a server that a socket has no use for, with why they are refused.
_REFUSED = {
    "host": ("-h", f"{_SOCKETS_ONLY}; leave it out (for help type --help)"),
    "port": ("-P", f"{_SOCKETS_ONLY}; leave it out"),
    "password": ("-p", f"{_SOCKETS_ONLY}; leave it out"),
    "other": ("-D", "the database is -d, as in tpcc-mysql"),
}


def options(command: _Command) -> _Command:
    """Add the options that say where the data is.

    -d names a database in tpcc-mysql: here that of a server, and a directory without one.
    """
    for option in (
        click.option("--wal-dir", type=_FOLDER, help="Where its WAL is. [beside the data]"),
        click.option("--db", type=_FOLDER, help="That directory."),
        click.option(
            *("-d", "--database", "named"),
            metavar="NAME",
            help="A server's database [waltax], or else the directory of the data.",
        ),
        # Elsewhere -h alone asks for help, and no host has that name.
        click.option("-h", "host", hidden=True, is_flag=False, flag_value="-h"),
        *(click.option(_REFUSED[name][0], name, hidden=True) for name in ("port", "password")),
        click.option("-D", "other", hidden=True),
        click.option("-S", "--socket", help="Unix socket of --engine myrocks or innodb's server."),
        click.option("-u", "--user", help="Account on it, without a password. [your name]"),
        click.option("--engine", type=click.Choice(engines.WHOLE), default=engines.EMBEDDED),
    ):
        command = option(command)
    return command


def place(given: Mapping[str, Any], command: Command) -> Place:
    """Return the place that the options name, and warn of letters that have no use there.

    Errors: UsageError.
    """
    served = given["engine"] in engines.SERVED
    for name, (letter, why) in _REFUSED.items():
        # An empty password is none, and -h alone asks for help.
        if given[name] and (served or given[name] == "-h"):
            what = "a password" if name == "password" else repr(given[name])
            raise UsageError(f"{letter}: found {what}: {why}")
    named = given["named"]
    if served:
        return chosen({**given, "database": named}, "", command)
    letters = {**{name: letter for name, (letter, _) in _REFUSED.items()}, "user": "-u"}
    ignored = [
        f"{letter} ({name})"
        for name, letter in {**letters, "socket": "-S"}.items()
        if given[name] is not None
    ]
    if ignored:
        say(
            f"warning: {', '.join(ignored)}: ignored, since the database is embedded and has no "
            "server; for one type --engine myrocks or --engine innodb"
        )
    if named is not None and given["db"] not in (None, Path(named)):
        raise UsageError(
            f"--db: found {str(given['db'])!r} with -d {named}, want one directory; leave one out"
        )
    db = given["db"] or (None if named is None else Path(named))
    no_server = dict.fromkeys(("socket", "user", "database"))
    return chosen({**given, **no_server, "db": db}, given.get("durability") or "sync", command)


def unheeded(reasons: Mapping[str, str]) -> Callable[[_Command], _Command]:
    """Accept options that have no effect here, and say why: {"-i": "why"}."""
    return _hidden(reasons, lambda name: say(f"{name}: no effect: {reasons[name]}"))


def moved(lines: Mapping[str, str]) -> Callable[[_Command], _Command]:
    """Answer options that are no more with what to type: {"--rate": "give ..."}."""

    def refuse(name: str) -> None:
        raise UsageError(f"{name}: is no option any more; {lines[name]}")

    return _hidden(lines, refuse)


def _hidden(names: Iterable[str], given: Callable[[str], None]) -> Callable[[_Command], _Command]:
    def callback(_: click.Context, param: click.Parameter, value: str | None) -> None:
        if value is not None:
            given(param.opts[0])

    def add(command: _Command) -> _Command:
        for name in names:
            hidden = f"hidden_{name.strip('-').replace('-', '_')}"
            command = click.option(
                *(name, hidden), hidden=True, expose_value=False, callback=callback
            )(command)
        return command

    return add
