"""`waltax sweep-latency`: how fast must a log device be, from a curve over sync latencies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ... import devices
from ...cell import STUDY, is_point
from ...errors import UsageError
from . import grid, marks, measured, shared

if TYPE_CHECKING:
    from rich.console import Console

    from ...devices import Device
    from ...runners.campaign import Campaign

_PROFILE = "sweep"


def _percent(context: click.Context, parameter: click.Parameter, found: float) -> float:  # noqa: ARG001
    """Errors: UsageError for what is none, before anything is measured; NaN is in no range."""
    if not 0 < found < 100:
        raise UsageError(
            f"--overhead: found {found:g}; it takes percent, above 0 and below 100, such as "
            "--overhead 5"
        )
    return found


@click.command()
@shared.study_options(_PROFILE, "Size of the experiment.")
@click.option("--threads", type=click.IntRange(1, 1024), help="Default: the profile's.")
@click.option(
    "--overhead",
    "overhead",
    type=click.FLOAT,
    callback=_percent,
    default=5.0,
    show_default=True,
    help="In percent: how fast a sync must be for no more than that.",
)
@shared.options
def command(**options: Any) -> None:
    """Overhead against the latency of a sync, and how fast one must be for at most 5 %.

    Emulated devices from 0 to 5,000 us take turns with off, ssd, nvme and nvram. The curve is
    fitted to the grid alone, so that these three, and each --device, test its predictions.
    """
    from ...terminal import Terminal

    console, overhead = Terminal(), options["overhead"] / 100
    if options["campaigns"]:
        shared.require_only_drawing("devices")
        _report(options["campaigns"], _known(options), overhead, console)
        return
    campaign = shared.resumed(options)
    if campaign is None:
        campaign = plan(options)
    shared.refuse_another(campaign, shared.is_over_latencies(campaign), "latency sweep")

    def report(of: Campaign, console: Console) -> None:
        placed = (of.placements[cell.id].device for cell in of.cells)
        own = [device for device in placed if not is_point(device.name)]
        _report([of.folder], own, overhead, console)

    raise SystemExit(shared.run(campaign, options, console, report))


def plan(options: dict[str, Any]) -> Campaign:
    """A campaign of off, the grid, the study's devices and the user's own.

    Errors: UsageError for an engine without `off`, or a device that cannot be one of them.
    """
    from ...runners import campaign

    asked, own = shared.recipe_options(options), shared.own_devices(options["devices"])
    with shared.place(options) as folder:
        points = grid.write(grid.LATENCIES_US, folder)
        recipe = campaign.Recipe(
            devices=(*map(str, points), *STUDY, *own),
            threads=() if options["threads"] is None else (options["threads"],),
            **asked,
        )
        return campaign.new(recipe, options["results"], options["data_dir"])


def _known(options: dict[str, Any]) -> list[Device]:
    """Devices of one's own to be drawn: those named, and those measured, where they still are."""
    named = [name for folder in options["campaigns"] for name in measured.devices_of(folder)]
    there = [name for name in named if Path(name).is_file() and not is_point(Path(name).stem)]
    return [devices.load(name) for name in dict.fromkeys([*there, *options["devices"]])]


def _report(
    folders: Sequence[Path], own: Iterable[Device], overhead: float, console: Console
) -> None:
    """The curve, with the catalog's devices and others of one's own on it."""
    from ...analysis import sweep

    sweep.latency_report(folders, console, devices=marks.on(own), emphasised=overhead)
