"""tpcc-mysql's letters that mean nothing on an embedded store, and what numbers may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
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
    """Accept what names a server, so that scripts go on working; see `ignored`."""
    for letter, what in _SERVER.items():
        # -h alone asks for help elsewhere, and no host is called so.
        alone: dict[str, Any] = {"is_flag": False, "flag_value": "-h"} if letter == "h" else {}
        command = click.option(f"-{letter}", f"server_{what}", hidden=True, **alone)(command)
    return command


def ignored(options: MutableMapping[str, Any]) -> str:
    """Takes the server's letters out of `options`; a sentence on those given, or nothing.

    Errors: UsageError for -h alone.
    """
    if options["server_host"] == "-h":
        raise UsageError("-h: found no host, which it takes as in tpcc-mysql; for help type --help")
    given = [
        f"-{letter} ({what})"
        for letter, what in _SERVER.items()
        if options.pop(f"server_{what}") is not None
    ]
    if not given:
        return ""
    return f"{', '.join(given)}: ignored, since the database is embedded and has no server"


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
