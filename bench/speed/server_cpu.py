"""What a request on a server costs: CPU time, round trips and switches of client and server.

`python -m waltax.bench server_cpu [SECONDS] [--against BUILD_DIR]`: ten clients, every commit
synced, the WAL in memory, so that nothing but work is counted; no wall time, which depends on
what else runs. With `--against`, the programs of another build take turns with ours on the same
server, slice by slice: the ratios are of their means, with intervals by Student's t.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from functools import partial
from pathlib import Path

import click
import numpy as np
from rich.table import Table

from ... import profiles
from ...devices.memory import SHM
from ...driver.client import Driver, Event
from ...errors import UsageError
from ...mariadb.server import Server, running
from ...terminal import Terminal
from ..homes import server as server_home
from ..homes.server import Setup
from .paired import ratio

_CLIENTS = 10
_WARMUP_S = 0.5
_SLICE_S = 2.0
_SEED = 1


@dataclass(frozen=True)
class _Cost:
    """For a unit of work: microseconds of CPU time, and counts. Statements of the client are
    round trips, unless it sends several as one text."""

    client_us: float
    server_us: float
    client_system_us: float = math.nan
    statements: float = math.nan
    client_switches: float = math.nan
    server_switches: float = math.nan

    @property
    def both_us(self) -> float:
        return self.client_us + self.server_us


@dataclass(frozen=True)
class _Study:
    """A workload, its unit of work, and what the real tool needs for one.

    The tools' figures were taken on a machine of the kind this was written on: the same server
    release, ten clients, the WAL in memory and synced. They connect over TCP, ours over a socket.
    """

    workload: str
    unit: str
    tool: str
    theirs: _Cost
    about: bool = False  # whether theirs is the middle of a range


_STUDIES = (
    _Study("linkbench", "request", "LinkBench (Java)", _Cost(38.0, 92.0)),
    # 4.7 to 5.2 ms a New-Order with its share of the other transactions, about a quarter of it in
    # the client: the middle of that range, split so, and no measurement of either part.
    _Study("tpcc", "New-Order and its mix", "tpcc-mysql", _Cost(1240.0, 3710.0), about=True),
)


@dataclass(frozen=True)
class _Recipe:
    """Which slices are made."""

    engine: str
    rounds: int
    uncapped: bool
    against: Path | None


@click.command()
@click.argument("seconds", type=click.FloatRange(2 * _SLICE_S), default=20.0)
@click.option("--against", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--workload", type=click.Choice([study.workload for study in _STUDIES]))
@click.option("--engine", type=click.Choice(["myrocks", "innodb"]), default="myrocks")
@click.option("--uncapped", is_flag=True, help="LinkBench's graph with its hub of 961,963 links")
def main(
    seconds: float, against: Path | None, workload: str | None, engine: str, uncapped: bool
) -> None:
    """SECONDS of slices for each workload and build."""
    recipe = _Recipe(engine, round(seconds / _SLICE_S), uncapped, against)
    table = Table(
        *("workload", "unit of work", "", "client us", "of it system", "server us", "both us"),
        *("statements", "client switches", "server switches"),
        box=None,
    )
    for study in _STUDIES:
        if workload in (None, study.workload):
            _add_rows(table, study, _measured(study, recipe))
    Terminal(width=160).print(table)


def _add_rows(table: Table, study: _Study, slices: list[list[_Cost]]) -> None:
    ours = _mean(slices[0])
    table.add_row(study.workload, study.unit, "ours", *_figures(ours))
    if len(slices) > 1:
        table.add_row("", "", "other build", *_figures(_mean(slices[1])))
        table.add_row("", "", "ours / other build", *ratio(*_columns(slices)))
        return
    about = "about " if study.about else ""
    table.add_row("", "", study.tool, *_figures(study.theirs, about))
    ratios = (
        *(ours.client_us / study.theirs.client_us, None),
        *(ours.server_us / study.theirs.server_us, ours.both_us / study.theirs.both_us),
    )
    shown = ("" if ratio is None else f"{about}{ratio:.2f}" for ratio in ratios)
    table.add_row("", "", "ours / theirs", *shown)


def _measured(study: _Study, recipe: _Recipe) -> list[list[_Cost]]:
    """The slices of our build, and of the other when there is one, in the order of rounds."""
    with server_home.home("cpu") as home, server_home.home("cpu", SHM) as memory:
        profile = profiles.load("quick", recipe.engine)
        workload = profile.workload(study.workload)
        load = dict(workload.load)
        if recipe.uncapped:
            load.pop("degree_cap", None)
        settings = profile.server_settings(study.workload)
        setup = Setup(recipe.engine, study.workload, settings, load, workload.run)
        loaded = server_home.fill(home, setup)
        spec = server_home.fresh(home, setup, loaded, "sync", memory / "wal")
        with running(spec) as server, _drivers(home, setup, server, recipe) as drivers:
            slices: list[list[_Cost]] = [[] for _ in drivers]
            for number in range(recipe.rounds):
                # Who comes first takes turns, too.
                for place in range(len(drivers))[:: 1 if number % 2 else -1]:
                    slices[place].append(_slice(study, server, drivers[place]))
        return slices


@contextlib.contextmanager
def _drivers(home: Path, setup: Setup, server: Server, recipe: _Recipe) -> Iterator[list[Driver]]:
    """Ready on `server`, all at a time; those that have no slice wait for their next command."""
    programs = [None] if recipe.against is None else [None, recipe.against / setup.workload]
    for program in programs:
        if program is not None and not program.exists():
            raise UsageError(f"--against: found no {program.name} in {program.parent}; build it")
    start = partial(server_home.start, home, setup, server, threads=_CLIENTS, seed=_SEED)
    drivers = [start(parameters={}, program=program) for program in programs]
    yield drivers
    for driver in drivers:
        driver.close()
    server.shutdown()


def _slice(study: _Study, server: Server, driver: Driver) -> _Cost:
    """Over a whole slice, warm-up included: CPU times and counts all span it."""
    before = _so_far(server, driver)
    times = {"warmup_s": _WARMUP_S, "measure_s": _SLICE_S}
    event = driver.ask("slice", within_s=sum(times.values()), cmd="run", **times)
    used = [after - was for after, was in zip(_so_far(server, driver), before, strict=True)]
    units = _units(study, event)
    server_s, statements, client_switches, server_switches = used
    system_us = 1e6 * event["cpu_system_s"] / units
    return _Cost(
        1e6 * event["cpu_user_s"] / units + system_us,
        1e6 * server_s / units,
        system_us,
        (statements - 1) / units,  # one asked for the counts
        client_switches / units,
        server_switches / units,
    )


def _so_far(server: Server, driver: Driver) -> tuple[float, int, int, int]:
    """The server's CPU time in seconds, clients' statements, and both sides' own switches."""
    ((_, statements),) = server_home.ask(server, "SHOW GLOBAL STATUS LIKE 'Questions'")
    return sum(server.cpu_s()), int(statements), _switches(driver.pid), _switches(server.pid)


def _switches(pid: int) -> int:
    """How often the threads of a process stopped to wait for something."""
    words = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/status")]
    return sum(int(word[word.index("voluntary_ctxt_switches:") + 1]) for word in words)


def _units(study: _Study, event: Event) -> int:
    if study.workload == "tpcc":
        return sum(thread["counters"]["new_orders_committed"] for thread in event["threads"])
    return int(event["slice_requests"])


def _mean(slices: list[_Cost]) -> _Cost:
    return _Cost(*(float(np.mean(column)) for column in zip(*map(astuple, slices), strict=True)))


def _ordered(cost: _Cost) -> tuple[float, ...]:
    """As the columns of the table are."""
    return (
        *(cost.client_us, cost.client_system_us, cost.server_us, cost.both_us),
        *(cost.statements, cost.client_switches, cost.server_switches),
    )


def _columns(slices: list[list[_Cost]]) -> list[list[tuple[float, ...]]]:
    return [[_ordered(cost) for cost in costs] for costs in slices]


def _figures(cost: _Cost, about: str = "") -> list[str]:
    texts = []
    for place, value in enumerate(_ordered(cost)):
        digits = 2 if place > 3 else 0 if about else 1
        texts.append("" if math.isnan(value) else f"{about}{value:,.{digits}f}")
    return texts


if __name__ == "__main__":
    main()
