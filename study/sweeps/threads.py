"""`waltax sweep-threads`: overhead over the number of clients, 1 to 32."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...cell import STUDY
from ...errors import UsageError
from . import shared

if TYPE_CHECKING:
    from rich.console import Console

    from ...runners.campaign import Campaign

_PROFILE = "sweep-threads"
_THREADS = "1,2,4,8,16,32"
_MAX_THREADS = 1024


@click.command()
@shared.study_options(_PROFILE, "Size of the experiment; for myrocks: sweep.")
@click.option(
    "--threads", default=_THREADS, show_default=True, help="Numbers of clients, two or more."
)
@shared.options
def command(**options: Any) -> None:
    """What the log costs one client, and what many, on the same devices in the same rounds."""
    from ...terminal import Terminal

    console = Terminal()
    if options["campaigns"]:
        shared.require_only_drawing()
        _draw(options["campaigns"], console)
        return
    campaign = shared.resumed(options)
    if campaign is None:
        campaign = plan(options)
    shared.refuse_another(campaign, len(campaign.recipe.threads) > 1, "sweep over clients")
    raise SystemExit(shared.run(campaign, options, console, _report))


def plan(options: dict[str, Any]) -> Campaign:
    """A campaign of off, the study's devices and the user's own, for each number of clients.

    Errors: UsageError for an engine without `off`, and numbers of clients that are none.
    """
    from ...runners import campaign

    recipe = campaign.Recipe(
        devices=(*STUDY, *shared.own_devices(options["devices"])),
        threads=_numbers(options["threads"]),
        **shared.recipe_options(options),
    )
    return campaign.new(recipe, options["results"], options["data_dir"])


def _numbers(text: str) -> tuple[int, ...]:
    words = [word.strip() for word in text.split(",")]
    numbers = sorted({int(word) for word in words if word.isdecimal()})
    bad = [word for word in words if not word.isdecimal()]
    if bad or len(numbers) < 2 or numbers[0] < 1 or numbers[-1] > _MAX_THREADS:
        raise UsageError(
            f"--threads: found {text!r}; two or more whole numbers from 1 to {_MAX_THREADS}, "
            f"separated by commas, such as {_THREADS}"
        )
    return tuple(numbers)


def _report(campaign: Campaign, console: Console) -> None:
    _draw([campaign.folder], console)


def _draw(folders: Sequence[Path], console: Console) -> None:
    from ...analysis import sweep

    sweep.threads_report(folders, console)
