"""The command line that `make` asks for: each typed variable becomes its flag, by one rule.

`make run-device DEVICE=nvme PLAN=1` runs `waltax --make run-device DEVICE=nvme PLAN=1`, which is
`waltax run-device --device=nvme --plan`. A text is handed over whole, as `--flag=text`, so that it
is never taken for a flag. A variable that no goal of the command line takes is refused.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence

import click

from .base.errors import UsageError, meant, nearest
from .commands import COMMANDS, instead
from .runners.recipe import command_line as typed

_FROM_ENVIRONMENT = (
    *("PROFILE", "ENGINE", "WORKLOAD", "THREADS", "SEED", "RESUME", "DATA_DIR", "ARGS"),
    *("WAL", "WAL_DIR", "DEVICE", "BUILDS", "SCALE", "DIR", "A", "B"),
)
"""Variables that may stand in the environment as well. A target ignores those that it does not
take, except PLAN, which make refuses."""
_ARGS = "ARGS"
"""Words of a command line that every target takes as they are."""


class RefusedError(UsageError):
    """A variable that cannot be taken; the message begins with the make that was typed."""


def require_known(cli: click.Group, words: Sequence[str]) -> None:
    """Check in `GOAL... NAME=TEXT...` that a goal takes each variable, and that a switch is 0 or 1.

    Errors: RefusedError that says what to type instead.
    """
    goals, variables = _parted(words)
    tables = {goal: _parameters(cli, goal) for goal in goals}
    for name, text in variables.items():
        takers = [goal for goal in goals if name in tables[goal]]
        if not takers:
            raise _refused(goals[0], name, text, _advice(goals[0], name, text, tables[goals[0]]))
        for goal in takers:
            _flag(goal, name, text, tables[goal][name])


def command_line(cli: click.Group, words: Sequence[str]) -> list[str]:
    """Return the command line of `TARGET [OTHER GOAL...] NAME=TEXT...`.

    What only another goal takes is left out. Errors: as `require_known`.
    """
    require_known(cli, words)
    (target, *_), variables = _parted(words)
    parameters = _parameters(cli, target)
    heard = {name: text for name in _FROM_ENVIRONMENT if (text := os.environ.get(name, "")).strip()}
    taken = {name: text for name, text in (heard | variables).items() if name in parameters}
    flags = [
        flag for name, text in taken.items() for flag in _flag(target, name, text, parameters[name])
    ]
    args = typed.words(_ARGS, taken.get(_ARGS, ""))
    arguments = [
        word
        for name, parameter in parameters.items()
        if isinstance(parameter, click.Argument) and name != _ARGS
        for word in _argument(name, taken.get(name, ""), parameter)
    ]
    return [*_command_words(target), *flags, *args, *(["--", *arguments] if arguments else [])]


def hint(words: Sequence[str]) -> list[str]:
    """Return a line about flags for who came by make, if these lines of a message name any."""
    if not re.match("[A-Z_]+:", words[0]) and any(re.search("--[a-z]", line) for line in words):
        return ["With make, flags are variables: --device nvme --plan is DEVICE=nvme PLAN=1"]
    return []


def variables(cli: click.Group, target: str) -> list[str]:
    """Return the names of the variables that a target takes, sorted. Errors: UsageError."""
    return sorted(_parameters(cli, target))


def _flag(target: str, name: str, text: str, parameter: click.Parameter) -> list[str]:
    """Return the flag of a variable. Errors: RefusedError for a switch that is neither 0 nor 1."""
    if not isinstance(parameter, click.Option):
        return []
    flag = f"--{name.lower().replace('_', '-')}"
    if not parameter.is_flag:
        return [f"{flag}={text}"]
    if text.strip() not in ("0", "1"):
        raise _refused(target, name, text, f"it is a switch; type {name}=1, or leave it out")
    return [flag] if text.strip() == "1" else []


def _argument(name: str, text: str, argument: click.Argument) -> list[str]:
    """Return the words of an argument; "" for a required one that is missing, and refused later."""
    if argument.nargs == 1:
        return [text] if text or argument.required else []
    return typed.words(name, text)


def _parted(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the goals, and the text of each variable. Errors: UsageError without a goal."""
    goals = [word for word in words if "=" not in word]
    if not goals:
        raise UsageError("--make: found no target; it is for the Makefile: type make run")
    pairs = (word.partition("=") for word in words if "=" in word)
    return goals, {name: text for name, _, text in pairs}


def _command_words(target: str) -> list[str]:
    """Return the words of a target's command: `sweep latency` for `sweep-latency`."""
    words = target.replace("-", " ", 1)
    return ["report"] if target == "plot" else words.split() if words in COMMANDS else [target]


def _parameters(cli: click.Group, target: str) -> dict[str, click.Parameter]:
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
    return {**named, _ARGS: click.Argument(["args"], nargs=-1)}


def _advice(target: str, name: str, text: str, parameters: Mapping[str, click.Parameter]) -> str:
    known, flag = sorted(parameters), f"--{name.lower().replace('_', '-')}"
    older = instead(" ".join(_command_words(target)), flag) or meant(flag, ())
    near = nearest(name.upper(), known)
    typed = f"type {shlex.quote(f'{near}={text}')}, or " if near else ""
    return f"it takes {' '.join(known)}; {typed}leave it out{older}"


def _refused(target: str, name: str, text: str, advice: str) -> RefusedError:
    return RefusedError(f"make {target}: {name}={shlex.quote(text)}: {advice}")
