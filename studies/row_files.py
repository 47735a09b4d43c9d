"""Commands that plan no campaign: their rows are written as they come; Ctrl-C loses none."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..base.terminal import Terminal, say
from ..runners.cells.power_cut import WORKLOADS
from . import options
from .options import Option
from .study import Say

if TYPE_CHECKING:
    from rich.console import Console

    from ..profiles import Profile

Rows = Iterator[Mapping[str, object]]


@dataclass(frozen=True)
class Request:
    """The options that these commands share; each has a subclass with its own."""

    profile: Profile
    workload: str
    seed: int
    data_root: Path


_Own = TypeVar("_Own", bound=Request)


def command(
    about: str,
    kind: str,
    engines: Option,
    own: Sequence[Option],
    request: type[_Own],
    head: Callable[[_Own], str],
    rows: Callable[[_Own, Say], Rows],
) -> click.Command:
    """Return a command that keeps rows in KIND.jsonl of a new folder, and reports them.

    `head` is printed first; it refuses, by UsageError, what cannot be measured.
    """

    def callback(
        *,
        profile: str,
        engine: str,
        workloads: tuple[str, ...],
        seed: int | None,
        share_machine: bool,
        results: Path,
        data_dir: Path,
        **more: Any,
    ) -> None:
        from .. import analysis, profiles
        from ..analysis import reports
        from ..runners import campaign

        drawn = random.randrange(2**31) if seed is None else seed
        shared = (profiles.load(profile, engine), workloads[0], drawn, data_dir.absolute())
        wanted, console = request(*shared, **more), Terminal()
        say(console, f"{head(wanted)}, seed {drawn}")
        path = results.absolute() / f"{campaign.now()}-{kind}" / f"{kind}.jsonl"
        _keep(wanted, rows, path, console, share_machine=share_machine)
        analysis.publish(reports.WITHOUT_ROWS[path.name](path.parent), console)

    every = (
        options.profile("ci", "Size of the data, and settings of the engine."),
        engines,
        options.one_workload(WORKLOADS, WORKLOADS[0]),
        *own,
        options.seed(),
        options.share_machine(),
        options.results(),
        options.data_dir(),
    )
    return click.command(help=about)(options.several(reversed(every))(callback))


def _keep(
    request: _Own,
    rows: Callable[[_Own, Say], Rows],
    path: Path,
    console: Console,
    *,
    share_machine: bool,
) -> None:
    """Write each row to `path`, in a new folder that is removed if there are no rows.

    It first removes what killed commands and campaigns left with the data. Errors: WaltaxError
    while another campaign measures; UsageError when the folder cannot be made.
    """
    from ..base.folders import places
    from ..base.folders.machine import only_campaign
    from ..runners import workspace
    from ..runners.recipe import command_line as typed

    with (
        only_campaign(path.stem, share=share_machine) as notes,
        places.results(path.parent, path.exists, resumable=False),
    ):
        left = workspace.sweep_data(request.data_root)
        say(console, *(f"warning: {note}" for note in notes), *left.left_words())
        try:
            for row in rows(request, lambda text: say(console, text)):
                with path.open("a") as file:
                    file.write(json.dumps(row) + "\n")
        except KeyboardInterrupt:
            if path.exists():
                again = f"  {typed.program()} report {path.parent}"
                say(console, "The report of all rows so far:", again)
            raise
