"""Options that several commands share.

Each sets the field of `Request` of the same name, or is read by its axis.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from ..base import home
from ..base.errors import UsageError
from ..engines import DURABILITIES, EMBEDDED, ENGINES, WHOLE
from ..runners.recipe import command_line
from ..runners.recipe.axes.simple import MAX_THREADS

_Command = TypeVar("_Command", bound=Callable[..., Any])
FOLDER = click.Path(path_type=Path)


class Option(Protocol):
    """A decorator that adds an option to a command's function."""

    def __call__(self, command: _Command, /) -> _Command: ...


def several(options: Iterable[Option]) -> Option:
    """Return these options as one."""

    def add(command: _Command) -> _Command:
        return functools.reduce(lambda made, each: each(made), options, command)

    return add


def _default(*names: str, default: Any, what: str, **more: Any) -> Option:
    return click.option(*names, default=default, show_default=default != "", help=what, **more)


class _Number(click.FloatRange):
    """A number within bounds, between which click takes NaN to be."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value} is no number", param, ctx)
        return number


def number(
    flag: str, default: float, bounds: tuple[float, float | None], what: str, name: str = ""
) -> Option:
    """Return an option for a number within `bounds`, an integer if the default is one.

    The second bound may be None. The value is passed as `name`, or by the flag's own name.
    """
    kind: Any = click.IntRange if isinstance(default, int) else _Number
    names = (flag, name) if name else (flag,)
    return _default(*names, type=kind(*bounds), default=default, what=what)


def choice(flag: str, words: Sequence[str], what: str) -> Option:
    """Return an option that takes one of these words, by default the first."""
    return _default(flag, type=click.Choice(list(words)), default=words[0], what=what)


def profile(default: str, what: str = "Size of the experiment: a name, or a TOML file.") -> Option:
    return _default("--profile", default=default, what=what)


class _Engine(click.Choice[str]):
    """One of these engines; where all of them have an `off`, one without it learns why."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Convert as click does. Errors: UsageError for an engine without `off`."""
        known, typed = map(str, self.choices), ENGINES.get(value)
        if typed is not None and not typed.has_off and all(ENGINES[name].has_off for name in known):
            raise UsageError(
                f"--engine: found {value}, which always writes its log, so that there is no `off` "
                f"to compare with; type one of {', '.join(self.choices)}"
            )
        return super().convert(value, param, ctx)


def engine(known: Sequence[str], what: str, default: str = EMBEDDED) -> Option:
    return _default("--engine", type=_Engine(list(known)), default=default, what=what)


def one_workload(known: Sequence[str], default: str) -> Option:
    """Return --workload of a study of one workload; `command_line.workloads` is for several."""
    return _default(
        "--workload",
        "workloads",
        type=command_line.OneWorkload(list(known)),
        metavar="NAME|FILE",
        default=default,
        callback=_alone,
        what=f"What the clients do. Names: {', '.join(known)}.",
    )


def durability(
    what: str, modes: Sequence[str] = DURABILITIES, default: str | None = None
) -> Option:
    kind = click.Choice(list(modes))
    return _default("--wal", "durability", type=kind, default=default, what=what)


def wal_dir(what: str = "Directory for the log on the real device; needs one --device.") -> Option:
    return click.option("--wal-dir", help=what)


def threads(
    what: str = "Number of clients. Default: the profile's.", default: int | None = None
) -> Option:
    kind = click.IntRange(1, MAX_THREADS)
    return click.option("--threads", type=kind, default=default, help=what)


def _alone(_context: click.Context, _option: click.Parameter, value: Any) -> tuple[Any, ...]:
    return () if value is None else (value,)


WITH_OFF = tuple(name for name in WHOLE if ENGINES[name].has_off)
ALLOW_MISMATCH = click.option(
    "--allow-mismatch", is_flag=True, help="Measure a --wal-dir of another device class."
)
SEED = click.option(
    "--seed", type=click.IntRange(0, 2**31 - 1), help="Default: drawn, and printed."
)
PLAN = click.option(
    "--plan", "only_plan", is_flag=True, help="Print the plan, and measure nothing."
)
CAMPAIGNS = click.option(
    "--campaign",
    "campaigns",
    multiple=True,
    type=FOLDER,
    help="Measure nothing, and report the campaign in this folder again. Repeatable.",
)


def share_machine(what: str = "Measure although another campaign is running.") -> Option:
    return click.option("--share-machine", is_flag=True, help=what)


def _place(flag: str, default: str, what: str) -> Option:
    return click.option(
        flag,
        type=click.Path(path_type=Path, file_okay=False),
        default=home.place(default),
        show_default=home.shown(default),
        help=what,
    )


def results(what: str = "Where campaigns are kept.") -> Option:
    return _place("--results", "results", what)


def data_dir(what: str = "Where data sets and clones are.") -> Option:
    return _place("--data-dir", "data", what)


def last_campaign(results: Path) -> Path:
    """Return the newest campaign with rows; names sort by time. Errors: UsageError for none."""
    folders = sorted(path.parent for path in results.glob("*/rows.jsonl"))
    if not folders:
        raise UsageError(f"{results}: no campaign there yet; run: {home.CALL} run")
    return folders[-1]


def _around(flag: str, when: str) -> Option:
    return click.option(
        flag,
        metavar="COMMAND",
        help=f"Shell command {when} each session; it gets WALTAX_CAMPAIGN and WALTAX_SESSION.",
    )


EVERY = (
    _around("--before", "before"),
    _around("--after", "after"),
    SEED,
    click.option("--resume", type=FOLDER, help="Go on with results/<campaign>."),
    PLAN,
    share_machine(),
    results(),
    data_dir(),
)
"""The options that every study takes besides its own."""
