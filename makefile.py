"""The command line that `make` asks for: each typed variable becomes its flag, by one rule.

`make run-device DEVICE=nvme PLAN=1` runs `waltax --make run-device DEVICE=nvme PLAN=1`, which is
`waltax run-device --device=nvme --plan`. A text is handed over whole, as `--flag=text`, so that it
is never taken for a flag. A variable that no goal of the command line takes is refused.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence

import click

from .base.errors import UsageError, meant, nearest
from .commands import COMMANDS, instead
from .runners.recipe.command_line import words as split

_FROM_ENVIRONMENT = (
    *("PROFILE", "ENGINE", "WORKLOAD", "THREADS", "SEED", "RESUME", "DATA_DIR", "ARGS"),
    *("WAL", "WAL_DIR", "DEVICE", "BUILDS", "SCALE", "DIR", "A", "B"),
)
"""Variables that may stand in the environment as well. A target ignores those that it does not
take, except PLAN, which make refuses."""
_ARGS = "ARGS"
"""Words of a command line that every target takes as they are."""


def command_line(cli: click.Group, words: Sequence[str]) -> list[str]:
    """Return the command line of `TARGET [OTHER GOAL...] NAME=TEXT...`.

    What only another goal takes is left out. Errors: UsageError without a goal, for a variable that
    no goal takes, which says what to type instead, and for a switch that is neither 0 nor 1.
    """
    goals = [word for word in words if "=" not in word]
    if not goals:
        raise UsageError("--make: found no target; it is for the Makefile: type make run")
    tables, target = [parameters(cli, goal) for goal in goals], goals[0]
    table = tables[0]
    typed = {name: text for name, is_set, text in (word.partition("=") for word in words) if is_set}
    for name, text in typed.items():
        if name != _ARGS and not any(name in taken for taken in tables):
            raise _refused(target, name, text, _advice(target, name, text, [*table, _ARGS]))
    heard = {name: text for name in _FROM_ENVIRONMENT if (text := os.environ.get(name, "")).strip()}
    given = heard | typed
    line, arguments = _command_words(target), list[str]()
    for name, text in given.items():
        if isinstance(option := table.get(name), click.Option):
            line += _flag(target, name, text, option)
    for name, parameter in table.items():
        text = given.get(name, "")
        if isinstance(parameter, click.Argument) and parameter.nargs == 1:
            # A required one that is missing is refused by the command.
            arguments += [text] if text or parameter.required else []
        elif isinstance(parameter, click.Argument):
            arguments += split(name, text)
    return line + split(_ARGS, given.get(_ARGS, "")) + (["--", *arguments] if arguments else [])


def hint(words: Sequence[str]) -> list[str]:
    """Return a line about flags for who came by make, if these lines of a message name any."""
    if not re.match("[A-Z_]+:", words[0]) and any(re.search("--[a-z]", line) for line in words):
        return ["With make, flags are variables: --device nvme --plan is DEVICE=nvme PLAN=1"]
    return []


def parameters(cli: click.Group, target: str) -> dict[str, click.Parameter]:
    """Return the options and arguments of a target's command by the names of their variables.

    Errors: UsageError for a target that is no command.
    """
    command = cli.get_command(click.Context(cli), " ".join(_command_words(target)))
    if command is None:
        raise UsageError(f"--make: found {target!r}, which is no target of the Makefile")
    named: dict[str, click.Parameter] = {}
    for parameter in sorted(command.params, key=lambda one: one.param_type_name != "option"):
        if isinstance(parameter, click.Option):
            names = [flag[2:].upper().replace("-", "_") for flag in parameter.opts]
        else:  # DIR|NAME has an option of the second name
            names = parameter.human_readable_name.upper().strip("[]").split("|")[:1]
        for name in names:
            named.setdefault(name, parameter)
    return named


def _command_words(target: str) -> list[str]:
    """Return the words of a target's command: `sweep latency` for `sweep-latency`."""
    words = target.replace("-", " ", 1)
    return ["report"] if target == "plot" else words.split() if words in COMMANDS else [target]


def _flag(target: str, name: str, text: str, option: click.Option) -> list[str]:
    flag = f"--{name.lower().replace('_', '-')}"
    if not option.is_flag:
        return [f"{flag}={text}"]
    if text.strip() not in ("0", "1"):
        raise _refused(target, name, text, f"it is a switch; type {name}=1, or leave it out")
    return [flag] if text.strip() == "1" else []


def _advice(target: str, name: str, text: str, known: Sequence[str]) -> str:
    flag, near = f"--{name.lower().replace('_', '-')}", nearest(name.upper(), known)
    older = instead(" ".join(_command_words(target)), flag) or meant(flag, ())
    typed = f"type {shlex.quote(f'{near}={text}')}, or " if near else ""
    return f"it takes {' '.join(sorted(known))}; {typed}leave it out{older}"


def _refused(target: str, name: str, text: str, advice: str) -> UsageError:
    return UsageError(f"make {target}: {name}={shlex.quote(text)}: {advice}")
