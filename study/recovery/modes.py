"""The command `waltax recovery-modes`."""

from __future__ import annotations

import random
from pathlib import Path

import click

from ...runners.cells.cutting import WORKLOADS
from .. import options

_ENGINES = ("rocksdb", "myrocks")
_DURABILITIES = ("sync", "flush")


@click.command()
@options.profile("ci", "Size of the data, and how the engine is set.")
@options.engine(_ENGINES, "Whose recovery modes; InnoDB has none.")
@options.one_workload(WORKLOADS, WORKLOADS[0])
@options.durability("How the log was written. Default: both.", _DURABILITIES)
@click.option(
    "--cuts", type=click.IntRange(1), default=3, show_default=True, help="Moments of each run."
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.5, 60),
    default=3.0,
    show_default=True,
    help="How long each run is recorded.",
)
@options.seed()
@options.share_machine()
@options.results()
@options.data_dir()
def command(
    *,
    profile: str,
    engine: str,
    workloads: tuple[str, ...],
    durability: str | None,
    cuts: int,
    seconds: float,
    seed: int | None,
    share_machine: bool,
    results: Path,
    data_dir: Path,
) -> None:
    """Which damaged logs each of RocksDB's recovery modes opens, and what it loses of them.

    A run is recorded and cut at random moments. What the disk may hold then is opened in each
    mode, which is set only for that, and the workload's check looks for what was acknowledged.
    """
    from ... import analysis, profiles
    from ...analysis import reports
    from ...analysis.reports.recovery_modes import KEPT
    from ...runners import campaign
    from ...terminal import Terminal, say
    from .. import kept
    from . import damaged

    modes = _DURABILITIES if durability is None else (durability,)
    drawn = random.randrange(2**31) if seed is None else seed
    loaded, data_root = profiles.load(profile, engine), data_dir.absolute()
    asked = damaged.Asked(loaded, workloads[0], modes, cuts, seconds, drawn)
    console, folder = Terminal(), results.absolute() / f"{campaign.now()}-recovery-modes"
    say(console, f"{asked.workload} on {engine}: {cuts} moments of a run in {' and '.join(modes)}")
    kept.keep(
        lambda tell: damaged.rows(asked, data_root, tell),
        folder / KEPT,
        data_root,
        console,
        share_machine=share_machine,
    )
    analysis.publish(reports.recovery_modes(folder), console)
