"""tpcc-mysql's letters that name a server, those there are not, and what numbers may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from ..errors import UsageError

_Command = TypeVar("_Command", bound=Callable[..., None])

_SERVER = {
    "h": "host",
    "P": "port",
    "u": "user",
    "p": "password",
    "S": "socket",
    "D": "database",
}
# Those that a server is reached by here, with the name they have in the other commands.
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
    """An option that takes a whole number from `low` to `high`, both included."""

    def parse(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
        del ctx
        if value is None:
            return None
        if value.isascii() and value.isdigit() and low <= int(value) <= high:
            return int(value)
        raise UsageError(
            f"{param.opts[0]}: found {value!r}, want a whole number from {low} to {high}"
        )

    shown = None if default is None else str(default)
    return click.option(
        *names, type=str, callback=parse, default=shown, show_default=True, metavar="N", help=text
    )


def server_letters(command: _Command) -> _Command:
    """Accept what names a server; see `ignored` and `refuse_network`."""
    for letter, what in _SERVER.items():
        # -h alone asks for help elsewhere, and no host is called so.
        alone: dict[str, Any] = {"is_flag": False, "flag_value": "-h"} if letter == "h" else {}
        name, text = _SHOWN.get(letter, ("", ""))
        names = (f"-{letter}", *filter(None, [name]), f"server_{what}")
        command = click.option(*names, hidden=not name, help=text, **alone)(command)
    return command


def refuse_h_alone(options: Mapping[str, Any]) -> None:
    """Errors: UsageError."""
    if options["server_host"] == "-h":
        raise UsageError("-h: found no host, which it takes as in tpcc-mysql; for help type --help")


def refuse_network(engine: str, options: Mapping[str, Any]) -> None:
    """Refuse what a socket has no use for; an empty password is none. Errors: UsageError."""
    for letter, reason in _REFUSED.items():
        value = options[f"server_{_SERVER[letter]}"]
        if value is not None and not (letter == "p" and value == ""):
            found = "a password" if letter == "p" else repr(value)
            why = reason.format(value=value)
            raise UsageError(f"-{letter}: found {found} with --engine {engine}: {why}")


def ignored(options: Mapping[str, Any]) -> str:
    """A sentence on the letters given to an embedded database, or nothing."""
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
    """Refuse letters that ask for what there is not: {"m": "why, and what to type"}."""

    def add(command: _Command) -> _Command:
        for letter, reason in reasons.items():
            command = click.option(
                f"-{letter}",
                f"refused_{letter}",
                hidden=True,
                expose_value=False,
                callback=_refusal(letter, reason),
            )(command)
        return command

    return add


def _refusal(letter: str, reason: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def refuse(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
        del ctx, param
        if value is not None:
            raise UsageError(f"-{letter}: found {value!r}: {reason}")

    return refuse
