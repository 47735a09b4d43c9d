"""The command: its options, and the order of its work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ...engines import SERVED
from .. import options, row_files
from ..names import one_device, several
from ..study import Say
from .shapes import SHAPES

_NAMES = tuple(shape.workload.removeprefix("sqlops-") for shape in SHAPES)
_SMALLEST, _DEFAULT = 0.0001, 0.01


@click.command()
@options.number(
    "--scale", _DEFAULT, (_SMALLEST, 1), "Share of the study's 20 million rows, and of its time."
)
@click.option("--statements", help=f"Some of {','.join(_NAMES)}. Default: all.")
@options.number(
    "--rounds", 4, (2, 1000), "Rounds of each statement, in which engines and modes take turns."
)
@click.option("--device", default="nvme", show_default=True, help="Log device, by name or file.")
@options.profile("ci", "Settings of the servers. --scale sets the number of rows.")
@row_files.command
def command(
    *,
    scale: float,
    statements: str | None,
    device: str,
    share_machine: bool,
    results: Path,
    data_dir: Path,
    **typed: Any,
) -> None:
    """What the log costs single SQL statements on MyRocks and InnoDB, beside a published study.

    Each is measured as the study did it, with arrivals at a rising rate on ten connections, and in
    a closed loop, which shows what the engine can do: synced, flushed, and with no wait for a log.
    """
    from ...analysis.reports.statements import KEPT
    from ...row import Row
    from ...runners import plan
    from . import cells, sizes
    from . import rounds as measured

    wanted = several("--statements", statements, _NAMES)
    shapes = tuple(
        shape.at_scale(scale) for shape, name in zip(SHAPES, _NAMES, strict=True) if name in wanted
    )
    folder, data_root = row_files.folder(results, cells.KIND), data_dir.absolute()
    where = one_device((device,), "nvme")
    request = cells.Request(shapes, where, scale, folder, data_root, **typed)
    for engine in SERVED:
        plan.require_room(cells.closed(request, shapes[-1], engine))

    def rows(tell: Say) -> Iterator[Row]:
        for filling in (shape for shape in shapes if shape.fills):
            yield from sizes.loaded(request, filling, tell)
        yield from measured.rows(request, tell)

    head = f"{len(shapes)} statements on two engines, {request.rounds} rounds of each"
    row_files.report(head, rows, folder / KEPT, data_root, share_machine=share_machine)
