"""Options that the originals' command lines share, and letters that do no more what they did."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from ... import engines
from ...base.errors import UsageError
from .phase import say

_Command = TypeVar("_Command", bound=Callable[..., Any])

_FOLDER = click.Path(path_type=Path, file_okay=False)
_PLACE: dict[str, dict[str, Any]] = {
    "--engine": {"type": click.Choice(engines.WHOLE), "default": engines.EMBEDDED},
    "--socket": {"help": "Unix socket of --engine myrocks or innodb's server."},
    "--user": {"help": "Account on it, without a password. [your name]"},
    "--database": {"help": "Database on it. [waltax]"},
    "--db": {"type": _FOLDER, "help": "Directory of the data."},
    "--wal-dir": {"type": _FOLDER, "help": "Where its WAL is. [beside the data]"},
}


def of_place(letters: Mapping[str, str]) -> Callable[[_Command], _Command]:
    """Add the options that say where the data is, as `place.chosen` takes them.

    `letters` are other names of some: {"--socket": "-S"}.
    """

    def add(command: _Command) -> _Command:
        for name, how in reversed(_PLACE.items()):
            names = [name, letters[name]] if name in letters else [name]
            command = click.option(*names, show_default="default" in how, **how)(command)
        return command

    return add


def durability(usual: str) -> Callable[[_Command], _Command]:
    """Return the option --durability, which is `usual` where it is left out."""
    return click.option(
        "--durability",
        type=click.Choice(["sync", "flush", "off"]),
        help=f"When a commit is acknowledged. [{usual}]",
    )


def unheeded(reasons: Mapping[str, str]) -> Callable[[_Command], _Command]:
    """Accept options that have no effect here, and say why: {"-i": "why"}."""
    return _hidden(reasons, lambda name: say(f"{name}: no effect: {reasons[name]}"))


def moved(lines: Mapping[str, str]) -> Callable[[_Command], _Command]:
    """Answer options that are no more with what to type: {"--rate": "give ..."}."""

    def refuse(name: str) -> None:
        raise UsageError(f"{name}: is no option any more; {lines[name]}")

    return _hidden(lines, refuse, is_flag=False, flag_value="")  # some had no value


def _hidden(
    names: Mapping[str, str], given: Callable[[str], None], **how: Any
) -> Callable[[_Command], _Command]:
    def callback(_: click.Context, param: click.Parameter, value: str | None) -> None:
        if value is not None:
            given(param.opts[0])

    def add(command: _Command) -> _Command:
        for name in names:
            hidden = f"hidden_{name.strip('-').replace('-', '_')}"
            command = click.option(
                *(name, hidden), hidden=True, expose_value=False, callback=callback, **how
            )(command)
        return command

    return add
