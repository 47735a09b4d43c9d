"""Options that several commands share.

Each sets the field of `Request` of the same name, or is read by its axis.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from ..base import home
from ..base.errors import UsageError
from ..commands import words_of
from ..engines import DURABILITIES, EMBEDDED, ENGINES, WHOLE
from ..runners.recipe import command_line
from ..runners.recipe.axes.axis import Option
from ..runners.recipe.axes.simple import MAX_THREADS

FOLDER = click.Path(path_type=Path)


def several(options: Iterable[Option]) -> Option:
    """Return these options as one, in this order in its help."""
    last_first = list(options)[::-1]
    return lambda command: functools.reduce(lambda made, each: each(made), last_first, command)


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


def text(flag: str, metavar: str, what: str, *name: str) -> Option:
    return click.option(flag, *name, default="", metavar=metavar, help=what)


def choice(flag: str, words: Sequence[str], what: str) -> Option:
    """Return an option that takes one of these words, by default the first."""
    return _default(flag, type=click.Choice(list(words)), default=words[0], what=what)


def numbers(flag: str, most: int, default: str, what: str) -> Option:
    """Return an option for two or more whole numbers from 1 to `most`, which are compared."""
    read = command_line.numbers(most, default, fewest=2)
    words = f"{what} to compare, separated by commas; two or more."
    return _default(flag, callback=read, default=default, what=words)


def profile(default: str, what: str = "Size of the experiment: a name, or a TOML file.") -> Option:
    return _default("--profile", default=default, what=what)


def engine(known: Sequence[str], what: str, default: str = EMBEDDED) -> Option:
    return _default("--engine", type=click.Choice(list(known)), default=default, what=what)


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


def matrix(
    profile_name: str, engines: Sequence[str], works: Sequence[str], work: str
) -> tuple[Option, ...]:
    """Return the options of what runs, by default on the first engine."""
    what = "The engine under test."
    if engines is WITH_OFF:
        what += " Use waltax run for innodb, which cannot run without a log."
    return profile(profile_name), engine(engines, what, engines[0]), one_workload(works, work)


def logs(default: str, *, several: bool = True) -> tuple[Option, ...]:
    """Return the options of where the log is."""
    what = "Devices, separated by blanks; repeatable." if several else "One device, or its file."
    return command_line.devices(f"{what} Default: {default}.", default), wal_dir()


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


def logged(named: Sequence[str]) -> tuple[str, ...]:
    """Return devices as names or files, which --resume finds again.

    Errors: UsageError for one that is named twice, and for one without a log.
    """
    seen: set[str] = set()
    for name in named:
        device = command_line.load_device(name)
        if device.is_off:
            raise UsageError(
                f"--device: found {name}, which writes no log; it is measured in any case, and the "
                "device beside it: type --device nvme"
            )
        if device.name in seen:
            raise UsageError(f"--device: found the name {device.name} twice; name each once")
        seen.add(device.name)
    return tuple(map(command_line.kept, named))


def one_device(named: Sequence[str]) -> tuple[str, ...]:
    """Return the one device that was named. Errors: UsageError for several; as `logged`."""
    if len(set(named)) > 1:
        raise UsageError(f"--device: found {', '.join(named)}; this command takes one")
    return logged(named[:1])


def last_campaign(results: Path, kind: str = "") -> Path:
    """Return the newest campaign with rows, of this kind if one is named; names sort by time.

    Errors: UsageError for none.
    """
    from ..runners.recipe import campaign_file

    for path in sorted(results.glob("*/rows.jsonl"), reverse=True):
        if not kind or campaign_file.told(path.parent).kind == kind:
            return path.parent
    words = words_of(kind)
    of = f"of {words} " if kind else ""
    typed = words if home.IS_INSTALLED else words.replace(" ", "-")
    raise UsageError(f"{results}: no campaign {of}there yet; run: {home.CALL} {typed}")


EVERY = (
    SEED,
    click.option("--resume", type=FOLDER, help="Go on with results/<campaign>."),
    PLAN,
    share_machine(),
    results(),
    data_dir(),
)
"""The options that every study takes besides its own."""
