"""The command lines that `make` asks for: each typed variable becomes its flag, by one rule.

`make run-device DEVICE=nvme PLAN=1` runs `waltax --make run-device DEVICE=nvme PLAN=1`, which is
`waltax run-device --device=nvme --plan`. A text is handed over whole, as `--flag=text`, so that it
is never taken for a flag. A variable that no goal of the command line takes is refused.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

import click

from .base.errors import UsageError, nearest
from .commands import COMMANDS
from .runners.recipe import command_line

_FROM_ENVIRONMENT = (
    *("PROFILE", "ENGINE", "WORKLOAD", "THREADS", "SEED", "RESUME", "DATA_DIR", "ARGS", "BENCH"),
    *("WAL", "WAL_DIR", "DEVICE", "BUILDS", "SCALE", "KEYS", "DIR", "A", "B"),
)
"""Variables that may stand in the environment as well. A target ignores those that it does not
take, except PLAN, which make refuses."""
_PROBED = (
    "its devices are emulated; type make devices-probe DIR={0} and then make {1} DEVICE=./x.toml"
)
_SYNCED = "its commits are synced; leave it out"
_INSTEAD = {
    ("serve", "WORKLOAD"): "its server begins empty; leave it out",
    ("try", "REPEAT"): "type it as often as you like, and waltax report with all its folders",
    ("sweep-latency", "WAL_DIR"): _PROBED,
    ("sweep-threads", "WAL_DIR"): _PROBED,
    ("sweep-load", "WAL_DIR"): _PROBED,
    ("sweep-latency", "WAL"): _SYNCED,
    ("sweep-load", "WAL"): _SYNCED,
    ("sweep-threads", "WAL"): _SYNCED,
    ("why", "WAL"): "its rungs go through the modes; leave it out",
    ("sweep-knobs", "WAL"): _SYNCED,
    ("run", "BENCH"): "type make try PRESET=db_bench COMMAND=--benchmarks={0}",
    ("sweep-sizes", "WORKLOAD"): "type BENCH=fillseq, fillrandom, readseq or readrandom",
    ("sweep-statements", "SCALE"): "its profile says how many rows: type PROFILE=quick",
    ("sweep-statements", "ROUNDS"): "its profile says how long: type PROFILE=quick",
}
"""What to type for a variable that a target does not take; {0} is the text, {1} the target."""


class RefusedError(UsageError):
    """A variable that cannot be taken; the message begins with the make that was typed."""


def require_known(cli: click.Group, words: Sequence[str]) -> None:
    """Check in `GOAL... NAME=TEXT...` that a goal takes each variable, and that a switch is 0 or 1.

    Errors: RefusedError that says what to type instead.
    """
    goals, variables = _parted(words)
    tables = {goal: _parameters(cli, goal) for goal in goals}
    for name, text in variables.items():
        takers = [goal for goal in goals if _takes(tables[goal], name)]
        if not takers:
            raise _refused(goals[0], name, text, _advice(tables[goals[0]], goals[0], name, text))
        for goal in takers:
            _is_on(goal, name, text, tables[goal].get(name))


def command_lines(cli: click.Group, words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the command line of `TARGET [OTHER GOAL...] NAME=TEXT...`.

    A sweep whose command takes one workload has a line for each. What only another goal takes is
    left out. Errors: as `require_known`.
    """
    require_known(cli, words)
    goals, variables = _parted(words)
    target, parameters = goals[0], _parameters(cli, goals[0])
    # Hidden are options of older releases, which tell whoever types them what to type instead.
    hidden = {name for name, each in parameters.items() if getattr(each, "hidden", False)}
    heard = {name: text for name, text in _environment().items() if name not in hidden}
    taken = heard | variables
    taken = {name: text for name, text in taken.items() if name in parameters or name == "ARGS"}
    workload = parameters.get("WORKLOAD")
    named = taken.get("WORKLOAD", "").split()
    if target.startswith("sweep-") and workload is not None and not workload.multiple and named:
        for name in named:
            yield _line(target, parameters, taken | {"WORKLOAD": name})
    else:
        yield _line(target, parameters, taken)


def hint(cli: click.Group, words: Sequence[str], said: Sequence[str]) -> list[str]:
    """Return a line with the variables that stand for flags and arguments of a message, if any.

    `words` are as in `command_lines`. A message that begins with a variable needs no such line.
    """
    target, text = _parted(words)[0][0], " ".join(said)
    if re.match(r"[A-Z_]+:", text):
        return []
    is_called = f"waltax {' '.join(_command_words(target))} " in text
    flags = re.findall(r"--[a-z][a-z-]*", text)
    variables = [
        f"{name}={1 if isinstance(parameter, click.Option) and parameter.is_flag else '...'}"
        for name, parameter in _parameters(cli, target).items()
        if (is_called if isinstance(parameter, click.Argument) else _flag_of(name) in flags)
    ]
    return [f"With make, flags are variables: {' '.join(variables)}"] if variables else []


def _line(
    target: str, parameters: Mapping[str, click.Parameter], taken: Mapping[str, str]
) -> list[str]:
    """Return the words of a command line: flags, the words of ARGS, and arguments behind `--`."""
    flags = [
        flag
        for name, text in taken.items()
        for flag in _flag(target, name, text, parameters.get(name))
    ]
    arguments = [
        text
        for name, parameter in parameters.items()
        if isinstance(parameter, click.Argument)
        for text in _argument(name, taken.get(name, ""), parameter)
    ]
    args = command_line.words("ARGS", taken.get("ARGS", ""))
    behind = ["--", *arguments] if arguments else []
    return [*_command_words(target), *flags, *args, *behind]


def _flag(target: str, name: str, text: str, parameter: click.Parameter | None) -> list[str]:
    if not isinstance(parameter, click.Option):
        return []
    flag = _flag_of(name)
    if parameter.is_flag:
        return [flag] if _is_on(target, name, text, parameter) else []
    return [f"{flag}={text}"]


def _argument(name: str, text: str, argument: click.Argument) -> list[str]:
    """Return the words of an argument; "" for a required one that is missing, and refused later."""
    if argument.nargs == 1:
        return [text] if text or argument.required else []
    return command_line.words(name, text)


def _is_on(target: str, name: str, text: str, parameter: click.Parameter | None) -> bool:
    """Return whether a switch is 1. Errors: RefusedError for one that is neither 0 nor 1."""
    switch = isinstance(parameter, click.Option) and parameter.is_flag
    if switch and text.strip() not in ("0", "1"):
        raise _refused(target, name, text, f"it is a switch; type {name}=1, or leave it out")
    return text.strip() == "1"


def _parted(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the goals, and the text of each variable. Errors: UsageError without a goal."""
    goals = [word for word in words if "=" not in word]
    if not goals:
        raise UsageError("--make: found no target; it is for the Makefile: type make run")
    pairs = (word.partition("=") for word in words if "=" in word)
    return goals, {name: text for name, _, text in pairs}


def _environment() -> dict[str, str]:
    found = {name: os.environ.get(name, "") for name in _FROM_ENVIRONMENT}
    return {name: text for name, text in found.items() if text.strip()}


def _command_words(target: str) -> list[str]:
    """Return the words of a target's command: `sweep latency` for `sweep-latency`."""
    words = target.replace("-", " ", 1)
    return ["report"] if target == "plot" else words.split() if words in COMMANDS else [target]


def _flag_of(name: str) -> str:
    return "--" + name.lower().replace("_", "-")


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
    return named


def variables(cli: click.Group, target: str) -> list[str]:
    """Return the names of the variables that a target takes, sorted. Errors: UsageError."""
    return sorted([*_parameters(cli, target), "ARGS"])


def _takes(parameters: Mapping[str, click.Parameter], name: str) -> bool:
    return name == "ARGS" or name in parameters


def _advice(parameters: Mapping[str, click.Parameter], target: str, name: str, text: str) -> str:
    if (target, name) in _INSTEAD:
        return _INSTEAD[target, name].format(shlex.quote(text), target)
    if name == "PLAN":
        return f"{target} has no plan; these have one: {' '.join(_planned())}"
    names = sorted([*parameters, "ARGS"])
    near = nearest(name.upper(), names)
    instead = f"type {shlex.quote(f'{near}={text}')}, or " if near else ""
    return f"it takes {' '.join(names)}; {instead}leave it out"


def _planned() -> list[str]:
    """Return the targets with a plan: studies, whose records are constants, and the probe."""
    found = [
        words.replace(" ", "-")
        for words, entry in COMMANDS.items()
        if entry.record.rpartition(":")[2].isupper()
    ]
    return [*found, "devices-probe"]


def _refused(target: str, name: str, text: str, advice: str) -> RefusedError:
    return RefusedError(f"make {target}: {name}={shlex.quote(text)}: {advice}")
