"""The command line of a program that `waltax try` runs, with the words of a preset."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Sequence
from pathlib import Path

import click

from ..base.errors import UsageError
from ..runners.recipe.parts import Command
from .request import Request

_PRESETS = Path(__file__).with_name("presets")
PRESETS = tuple(sorted(path.stem for path in _PRESETS.glob("*.toml")))


def preset(context: click.Context, _option: click.Parameter, name: str | None) -> str | None:
    """Take what a preset says as the defaults of the other options, and return its command.

    {words} in its texts stands for the words after `--`.
    """
    if name is None:
        return None
    from ..base.tomlfile import read_toml

    said = read_toml(_PRESETS / f"{name}.toml")
    command = str(said.pop("command"))
    named = {flag: option.name for option in context.command.params for flag in option.opts}
    defaults = {named[f"--{key}"] or key: value for key, value in said.items()}
    context.default_map = {**(context.default_map or {}), **defaults}
    return command


def command(request: Request) -> Command:
    """Return what was typed of the program.

    Errors: UsageError for none, an invalid log, and standard input that is a pipe.
    """
    from ..runners.cells.program import run

    own, words = request.own, shlex.join(request.own["command"])
    if not any(own["command"]) and not own["preset"]:
        raise UsageError(
            "--: found no command; type it last, as in: waltax try -- sqlite3 t.db <script.sql"
        )

    def filled(text: str) -> str:
        return text.replace("{words}", words) if own["preset"] else text

    text = {name: filled(own[name]) for name in ("flush", "off", "load_command", "ready", "check")}
    return Command(
        run=filled(own["preset"] or _line(own["command"])),
        metric=own["metric"],
        data=own["data"] and str(Path(own["data"]).expanduser().absolute()),
        timeout_s=own["timeout_s"],
        rounds=own["rounds"],
        sessions=own["sessions"],
        log=tuple(map(run.pattern, own["log"])),
        modes={mode: text[mode] for mode in ("flush", "off") if text[mode]},
        serves=bool(own["serve"] or text["load_command"] or text["ready"]),
        load=text["load_command"],
        ready=text["ready"],
        check=text["check"],
        stdin=_stdin(),
        here=str(Path.cwd()),
    )


def _line(words: Sequence[str]) -> str:
    """Return the command as the shell's line: one word with blanks or a variable is one already.

    A program that is named by a relative path stays itself in the folder where it runs, as does one
    that a line begins with, if it is here.
    """
    first, *others = words
    if not others and (first.split() != [first] or "$" in first):
        is_here = first.startswith("./") and Path(first.split()[0]).exists()
        return f'"$WALTAX_HERE"{first[1:]}' if is_here else first
    return shlex.join([str(Path(first).absolute()) if "/" in first else first, *others])


def _stdin() -> str:
    """Return the file that standard input is; "" for none. Errors: UsageError for a pipe."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return ""
    if stat.S_ISFIFO(mode):
        raise UsageError(
            "standard input: found a pipe, which can be read only once, and the command runs many "
            "times; write it to a file and type <FILE, or </dev/null"
        )
    return str(Path("/proc/self/fd/0").readlink()) if stat.S_ISREG(mode) else ""
