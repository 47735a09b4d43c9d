"""The command: what is typed of it, and in which order it is done."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import click

from ...engines import SERVED
from .. import options
from ..names import one_device, several
from .shapes import SHAPES

_NAMES = tuple(shape.workload.removeprefix("sqlops-") for shape in SHAPES)
_SMALLEST, _DEFAULT = 0.0001, 0.01


@click.command()
@click.option(
    "--scale",
    type=click.FloatRange(_SMALLEST, 1),
    default=_DEFAULT,
    show_default=True,
    help="Share of the study's 20 million rows, and of its time.",
)
@click.option("--statements", help=f"Separated by commas: {','.join(_NAMES)}. Default: all.")
@click.option(
    "--rounds",
    type=click.IntRange(2, 1000),
    default=4,
    show_default=True,
    help="In which both engines and all modes take turns, of each statement.",
)
@click.option("--device", default="nvme", show_default=True, help="Of the log: a name or a file.")
@options.profile("ci", "How the servers are set; the rows are --scale's.")
@options.seed()
@options.share_machine()
@options.results()
@options.data_dir()
def command(
    *,
    scale: float,
    statements: str | None,
    rounds: int,
    device: str,
    profile: str,
    seed: int | None,
    share_machine: bool,
    results: Path,
    data_dir: Path,
) -> None:
    """Single SQL statements on MyRocks and InnoDB, beside a published study's figures.

    Each is measured as the study had it, as arrivals over a ramp on ten connections, and in a
    closed loop, which finds what the engine can do: synced, flushed, and without waiting for a log.
    """
    from ... import analysis
    from ...analysis import reports
    from ...analysis.reports.statements import KEPT
    from ...row import Row
    from ...runners import campaign, plan
    from ...terminal import Terminal, say
    from .. import kept
    from ..study import Say
    from . import cells, sizes
    from . import rounds as measured

    wanted = several("--statements", statements, _NAMES)
    shapes = tuple(
        shape.at_scale(scale) for shape, name in zip(SHAPES, _NAMES, strict=True) if name in wanted
    )
    console, data_root = Terminal(), data_dir.absolute()
    folder = results.absolute() / f"{campaign.now()}-study-sqlops"
    drawn = random.randrange(2**31) if seed is None else seed
    where = one_device((device,), "nvme")
    asked = cells.Asked(shapes, where, profile, scale, rounds, drawn, folder, data_root)
    for engine in SERVED:
        plan.require_room(cells.closed(asked, shapes[-1], engine))

    def rows(tell: Say) -> Iterator[Row]:
        for shape in (one for one in shapes if one.fills):
            yield from sizes.loaded(asked, shape, tell)
        yield from measured.rows(asked, tell)

    say(console, f"{len(shapes)} statements on two engines, {rounds} rounds of each")
    kept.keep(rows, folder / KEPT, data_root, console, share_machine=share_machine)
    analysis.publish(reports.statements(folder), console)
