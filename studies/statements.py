"""`waltax sweep statements`: SQL statements as a published study ran them, and in closed loop.

The study's generator had threads over a ramp, loops, and a pool of connections. Both engines take
turns on each statement in every way of measuring it, and there are rows for the table's size.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import profiles, workloads
from ..analysis.statements import ARRIVALS, CLOSED, FOREIGN, RAMPS
from ..base import proc
from ..engines import ENGINES, SERVED
from ..engines.server.account import DATABASE, FLUSH
from ..row import Row
from ..runners import campaign
from ..runners.bring_up import bring_up
from ..runners.campaign import Campaign, Recipe
from ..runners.cells.driver import loading
from ..runners.cells.driver.process_cell import ProcessCell
from ..runners.cells.live import Position
from ..runners.session import measured_row
from ..runners.workspace import workspace
from . import options, row_files
from .disk_sizes import measure
from .names import one_device, several
from .study import Say

if TYPE_CHECKING:
    from ..profiles import Profile

POOL = 10
"""Connections that all its threads shared, by the study's screenshot."""
STUDENTS = 20_000_000
"""Rows of its table after all inserts."""
_SHORTEST_RAMP_S = 8.0  # long enough for some arrivals at ten per second
_MOST_THREADS = 1024


@dataclass(frozen=True)
class Shape:
    """Arrivals of one statement: each thread starts at its place in the ramp, and loops."""

    workload: str
    threads: int
    ramp_s: float
    loops: int
    fills: bool = False  # it fills the table; the others start with a full one

    def at_scale(self, scale: float) -> Shape:
        """Return the same arrival rate over a shorter ramp; a filling statement has fewer loops."""
        if self.fills:
            loops = max(1, round(self.loops * scale))
            return replace(self, ramp_s=max(1.0, self.ramp_s * scale), loops=loops)
        ramp_s = min(self.ramp_s, max(_SHORTEST_RAMP_S, self.ramp_s * scale))
        threads = min(_MOST_THREADS, round(self.threads * ramp_s / self.ramp_s))
        return replace(self, threads=threads, ramp_s=threads * self.ramp_s / self.threads)


SHAPES = tuple(
    Shape(f"sqlops-{name}", of.threads, of.ramp_s, of.loops, fills=name == "insert")
    for name, of in RAMPS.items()
)
"""The study's statements. It does not say what it ordered by, so there are two variants."""


KIND = "study-sqlops"
_ROWS = 400_000  # students in the statements' own files
_FEWEST = 1_000  # students, also in a table that the statement fills
_REFERENCE = re.compile(r"^(columns[.]sub\d = ).*", re.MULTILINE)
_COURSES = f"""
[tables.courses]
rows = {_ROWS}
key = {{ bytes = 4 }}
columns.title = {{ type = "text", size = 20 }}
"""
_LATE_S = 600.0  # time that arrivals may take beyond their ramp


@dataclass(frozen=True)
class Request:
    """`scale` is a share of the study's rows and time; each statement has this many `rounds`."""

    shapes: tuple[Shape, ...]
    device: str
    scale: float
    folder: Path
    data_root: Path
    profile: str
    rounds: int
    seed: int


def closed(request: Request, shape: Shape, engine: str) -> Campaign:
    """Plan every mode of an engine, with a client for each connection of the study's pool.

    Errors: UsageError for an unknown device or profile.
    """
    profile = sized(profiles.load(request.profile, engine), request, shape)
    recipe = Recipe(
        engine=engine,
        workloads=(shape.workload,),
        profile=request.profile,
        devices=(request.device,),
        durability="sync",
        beside=("flush",),
        threads=(POOL,),
        seed=request.seed,
        kind=KIND,
    )
    name = "-".join((campaign.now(), engine, shape.workload))
    planned = campaign.resolved(name, recipe, profile, request.folder.parent, request.data_root)
    return replace(planned, folder=request.folder)


def arriving(whole: Campaign, shape: Shape) -> Campaign:
    """Return the campaign with only the synced cell, under the study's arrivals.

    It has no warm-up, since the study's report counts from the generator's first thread.
    """
    text = workloads.of(shape.workload).text
    load = f"\n[load]\npool = {POOL}\nramp_s = {shape.ramp_s}\n"
    times = {"warmup_s": 0.0, "settle_s": 0.0, "measure_s": shape.ramp_s + _LATE_S}
    timing = whole.profile.timing.model_copy(update=times)
    profile = whole.profile.model_copy(update={"timing": timing})
    return _of_one(whole, ARRIVALS, profile, varied(shape, ARRIVALS, text + load), shape.threads)


def referring(whole: Campaign, shape: Shape) -> Campaign:
    """Return the campaign with only the synced cell, whose students refer to a table of courses."""
    text = workloads.of(shape.workload).text
    text = _REFERENCE.sub(r'\1{ type = "int", references = "courses" }', text) + _COURSES
    return _of_one(whole, FOREIGN, whole.profile, varied(shape, FOREIGN, text), POOL)


def _of_one(whole: Campaign, way: str, profile: Profile, workload: str, threads: int) -> Campaign:
    synced = next(cell for cell in whole.cells if cell.durability == "sync")
    cell = replace(synced, workload=workload, threads=threads)
    return replace(
        whole,
        id=f"{whole.id}-{way}",
        profile=profile,
        cells=(cell,),
        placements={cell.id: whole.placements[synced.id]},
    )


def varied(shape: Shape, how: str, text: str) -> str:
    """Add a statement with another file to the workloads, and return its name there."""
    name = f"{shape.workload}-{how}"
    workloads.add_mixes({name: text})
    return name


def sized(profile: Profile, request: Request, shape: Shape) -> Profile:
    """Return the profile with as many students as the study had, at the request's scale."""
    full = max(_FEWEST, round(STUDENTS * request.scale))
    students = _FEWEST if shape.fills else full
    section = profile.section_as_it_is(shape.workload)
    assert section is not None
    load = {**section.load, "scale": students / _ROWS}
    of = workloads.of(shape.workload).sized_by
    return profile.model_copy(update={of: section.model_copy(update={"load": load})})


RATIOS = (0.1, 0.3, 1.0)
"""Shares of each text that do not repeat."""
_OWN = "compressibility = 0.7"
_SAYS = (
    "SELECT table_rows, data_length + index_length FROM information_schema.tables "
    f"WHERE table_schema = '{DATABASE}' AND table_name = 'student'"
)


def loaded(request: Request, shape: Shape, say: Say) -> Iterator[Row]:
    """Yield the sizes of a bulk load after a clean shutdown, for several compression ratios."""
    text = workloads.of(shape.workload).text
    for ratio in RATIOS:
        own = text.replace(_OWN, f"compressibility = {1 - ratio:g}")
        workload = varied(shape, f"{ratio:g}", own)
        for engine in SERVED:
            loaded = profiles.load(request.profile, engine)
            profile = sized(loaded, request, replace(shape, fills=False))
            path = loading.prepare(profile, workload, request.data_root, say)
            size = measure(engine, workload, path)
            yield {
                **{"way": "loaded", "engine": engine, "compression_ratio": ratio},
                **{"students": size.units, "file_bytes": size.data},
            }


def filled(lives: Sequence[ProcessCell]) -> Iterator[Row]:
    """Yield the size that each server reports for a filled table, before and after a rebuild."""
    for live in lives:
        live.thaw()
        # A server with log-structured tables counts only what is in its files.
        for what in ENGINES[live.cell.engine].served.flushes[:1]:
            _sql(live, f"CALL {FLUSH}.{what}()")
        _sql(live, "ANALYZE TABLE student")
        rows, before = _said(live)
        _sql(live, "OPTIMIZE TABLE student")
        _sql(live, "ANALYZE TABLE student")
        _, after = _said(live)
        live.freeze()
        yield {
            **{"way": "filled", "engine": live.cell.engine, "table_rows": rows},
            **{"schema_bytes": before, "schema_bytes_rebuilt": after},
        }


def _said(live: ProcessCell) -> tuple[int, int]:
    rows, size = _sql(live, _SAYS).split()
    return int(rows), int(size)


def _sql(live: ProcessCell, text: str) -> str:
    assert live.server is not None
    user = proc.user_name("a server knows users by their names")
    flags = ["--no-defaults", f"--socket={live.server.socket}", f"--user={user}"]
    return proc.run(["mariadb", *flags, "--batch", "--skip-column-names", "-e", text, DATABASE])


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
                yield from filled([turn.live for turn in turns if turn.way == ARRIVALS])


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
    from ..analysis.reports.statements import KEPT
    from ..runners import plan

    wanted = several("--statements", statements, _NAMES)
    shapes = tuple(
        shape.at_scale(scale) for shape, name in zip(SHAPES, _NAMES, strict=True) if name in wanted
    )
    folder, data_root = row_files.folder(results, KIND), data_dir.absolute()
    where = one_device((device,), "nvme")
    request = Request(shapes, where, scale, folder, data_root, **typed)
    for engine in SERVED:
        plan.require_room(closed(request, shapes[-1], engine))

    def every(tell: Say) -> Iterator[Row]:
        for filling in (shape for shape in shapes if shape.fills):
            yield from loaded(request, filling, tell)
        yield from rows(request, tell)

    head = f"{len(shapes)} statements on two engines, {request.rounds} rounds of each"
    row_files.report(head, every, folder / KEPT, data_root, share_machine=share_machine)
