"""The rounds of one statement: both engines take turns, in every way of measuring it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

from ...engines import SERVED
from ...row import Row
from ...runners.bring_up import bring_up
from ...runners.campaign import Campaign
from ...runners.cells.driver import loading
from ...runners.cells.driver.process_cell import ProcessCell
from ...runners.cells.live import Position
from ...runners.session import measured_row
from ...runners.workspace import workspace
from ..study import Say
from . import sizes
from .cells import ARRIVALS, CLOSED, FOREIGN, Request, arriving, closed, referring
from .shapes import POOL, Shape


@dataclass(frozen=True)
class _Turn:
    """A running cell; frozen, except for its slices."""

    campaign: Campaign
    live: ProcessCell
    way: str


def rows(request: Request, say: Say) -> Iterator[Row]:
    """Yield a row for each slice, and rows for the table's size on disk. Errors: WaltaxError.

    All cells of a statement run at the same time, so that each round has every cell once.
    """
    for shape in request.shapes:
        with ExitStack() as stack:
            turns = [
                turn
                for engine in SERVED
                for turn in _brought_up(stack, request, shape, engine, say)
            ]
            for number in range(request.rounds):
                for turn in _order(turns, request.seed, number):
                    at = Position(0, number, turn.live.slices)
                    measured = measured_row(turn.campaign, turn.live, at, [])
                    say(_words(shape, turn, measured))
                    yield {**measured, **_columns(shape, turn)}
            for turn in turns:
                turn.live.check()
            if shape.fills:
                yield from sizes.filled([turn.live for turn in turns if turn.way == ARRIVALS])


def _brought_up(
    stack: ExitStack, request: Request, shape: Shape, engine: str, say: Say
) -> Iterator[_Turn]:
    whole = closed(request, shape, engine)
    ways = {CLOSED: whole, ARRIVALS: arriving(whole, shape)}
    if shape.fills and engine == "innodb":
        ways[FOREIGN] = referring(whole, shape)
    for way, planned in ways.items():
        workload = planned.cells[0].workload
        data = loading.prepare(planned.profile, workload, request.data_root, say)
        placed = stack.enter_context(workspace(planned))
        for cell in placed.cells:
            live = stack.enter_context(bring_up(placed, cell, data, 0))
            assert isinstance(live, ProcessCell)
            live.loops = shape.loops if way == ARRIVALS else None
            yield _Turn(placed, live, way)


def _order(turns: list[_Turn], seed: int, number: int) -> list[_Turn]:
    drawn = list(turns)
    random.Random(f"{seed}/{number}").shuffle(drawn)
    return drawn


def _columns(shape: Shape, turn: _Turn) -> Row:
    arrivals = turn.way == ARRIVALS
    return {
        "way": turn.way,
        "workload": shape.workload,  # not the name of its variant
        "loops": shape.loops if arrivals else None,
        "ramp_s": shape.ramp_s if arrivals else None,
        "pool": POOL if arrivals else None,
    }


def _words(shape: Shape, turn: _Turn, measured: Row) -> str:
    cell = turn.live.cell
    return (
        f"{shape.workload} on {cell.engine}, {turn.way}, {cell.device} {cell.durability}: "
        f"{measured['throughput']:,.1f} statements/s, median {measured['latency_us_p50']:,.0f} us"
    )
