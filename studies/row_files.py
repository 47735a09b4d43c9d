"""Commands that plan no campaign: their rows are written as they come; Ctrl-C loses none."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import options
from .study import Say

if TYPE_CHECKING:
    from rich.console import Console


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that each such command shares: a seed, and where to measure."""
    for option in (options.data_dir(), options.results(), options.share_machine(), _SEED):
        function = option(function)
    return function


def _drawn(_context: click.Context, _option: click.Parameter, typed: int | None) -> int:
    return random.randrange(2**31) if typed is None else typed


_SEED = options.seed(_drawn)


def folder(results: Path, kind: str) -> Path:
    """Return a new folder in `results`, named for the time and the kind."""
    from ..runners import campaign

    return results.absolute() / f"{campaign.now()}-{kind}"


def report(
    head: str,
    rows: Callable[[Say], Iterator[Mapping[str, object]]],
    path: Path,
    data_root: Path,
    *,
    share_machine: bool,
) -> None:
    """Print the head, keep the rows in `path`, and publish their folder's report."""
    from .. import analysis
    from ..analysis import reports
    from ..base.terminal import Terminal, say

    console = Terminal()
    say(console, head)
    keep(rows, path, data_root, console, share_machine=share_machine)
    analysis.publish(reports.WITHOUT_ROWS[path.name](path.parent), console)


def keep(
    rows: Callable[[Say], Iterator[Mapping[str, object]]],
    path: Path,
    data_root: Path,
    console: Console,
    *,
    share_machine: bool,
) -> None:
    """Write each row to `path`, in a new folder that is removed if there are no rows.

    It first removes what killed commands and campaigns left in `data_root`. Errors: WaltaxError
    while another campaign measures; UsageError when the folder cannot be made.
    """
    from ..base.folders import places
    from ..base.folders.machine import only_campaign
    from ..base.terminal import say
    from ..runners import workspace
    from ..runners.recipe import command_line as typed

    with (
        only_campaign(path.stem, share=share_machine) as notes,
        places.results(path.parent, path.exists, resumable=False),
    ):
        left = workspace.sweep_data(data_root)
        say(console, *(f"warning: {note}" for note in notes), *left.left_words())
        try:
            for row in rows(lambda text: say(console, text)):
                with path.open("a") as file:
                    file.write(json.dumps(row) + "\n")
        except KeyboardInterrupt:
            if path.exists():
                again = f"  {typed.program()} report {path.parent}"
                say(console, "The report of all rows so far:", again)
            raise
