"""How far the simulation and the formula before it are off, on cells that did not feed them.

    python -m waltax.bench model [CAMPAIGN...]

Given campaigns are read; without any, LinkBench and TPC-C on embedded RocksDB are measured with
2, 4, 8 and 16 clients on six devices. Each number of clients feeds the simulation by `off` and by
its fastest and slowest device, and is tested on the others (*devices*). Then it is fed by another
number of clients, the nearest, and tested on all devices of its own (*fed by*). An error is
throughput expected / measured - 1, in percent. The formula (`bench/group_commit.py`) is fed by off
and by the fastest device, as it was when it drew the dashed line.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from .. import analysis, engines
from ..analysis.results import CellResult, Panel, of_panel, panels
from ..analysis.results.work import work_of
from ..analysis.sweep import simulation
from ..analysis.sweep.curve import usable
from ..analysis.sweep.simulation import Fed
from ..cell import STUDY
from ..errors import WaltaxError
from ..row import Row
from ..runners import campaign, loop
from ..study.latency import grid
from . import group_commit
from .home import DATA, home

_CLIENTS = (2, 4, 8, 16)
_GRID_US = (0, 108, 500)  # beside ssd, nvme and nvram


@dataclass(frozen=True)
class Group:
    """The cells of one workload and number of clients, the fastest device first."""

    name: str  # LinkBench and the like, as in rows
    clients: int
    cells: tuple[CellResult, ...]
    fed: Fed
    formula: group_commit.Parameters


@dataclass(frozen=True)
class Errors:
    """Of throughput, of the simulation and of the formula, a pair for each cell."""

    title: str
    pairs: tuple[tuple[float, float], ...]

    def __str__(self) -> str:
        said = [
            f"{100 * statistics.mean(map(abs, one)):4.0f} {100 * max(map(abs, one)):4.0f}"
            for one in zip(*self.pairs, strict=True)
        ]
        return f"{self.title:<44}{len(self.pairs):>6}   {said[0]:>12}   {said[1]:>12}"


@click.command()
@click.argument("campaigns", nargs=-1, type=click.Path(path_type=Path))
@click.option("--share-machine", is_flag=True, help="Although a campaign may be running.")
def main(campaigns: tuple[Path, ...], share_machine: bool) -> None:
    """Print the errors on held-out devices and numbers of clients, in percent."""
    try:
        rows = analysis.load(list(campaigns)) if campaigns else _measure(share=share_machine)
        report(list(groups(rows)))
    except WaltaxError as error:
        raise click.ClickException(str(error)) from error


def groups(rows: list[Row]) -> Iterator[Group]:
    """Those of three devices or more, and with what the two models are fed by."""
    for panel in panels(rows):
        cells = sorted(_cells(panel), key=lambda one: simulation.device_us(one.work))
        if len(cells) < 3:
            continue
        first, last = cells[0], cells[-1]
        off = work_of(panel.rows[first.at.baseline])
        eager = engines.of(first.engine).eager_writers
        fed = simulation.feed(off, first.work, last.work, eager=eager)
        formula = group_commit.parameters(off, first.work)
        if isinstance(fed, str) or isinstance(formula, str):
            continue
        name = f"{first.workload} on {first.engine}"
        yield Group(name, first.threads, tuple(cells), fed, formula)


def _cells(panel: Panel) -> list[CellResult]:
    return [
        one
        for one in of_panel(panel)
        if usable(one)
        and not one.is_baseline
        and one.overhead is not None
        and one.overhead < 1
        and one.work.sync_us
    ]


def report(every: Sequence[Group]) -> None:
    """A line per number of clients: by devices held out, then by the clients themselves."""
    if not every:
        raise WaltaxError("no campaign has `off` and three devices or more with results")
    print(f"{'mean and most of |error|, %':<44}{'cells':>6}   {'simulation':>12}   {'formula':>12}")
    for one in every:
        print(devices(one))
    for one in every:
        if (other := _nearest(one, every)) is not None:
            print(by_clients(one, other))


def devices(one: Group) -> Errors:
    title = f"{one.name}, {one.clients} clients: devices"
    return Errors(title, tuple(_pair(cell, one.fed, one.formula) for cell in one.cells[1:-1]))


def by_clients(one: Group, other: Group) -> Errors:
    """All cells of a group, by what another number of clients fed."""
    fed, formula = other.fed, other.formula
    lanes = fed.given.lanes and min(fed.given.lanes, one.clients)
    fed = replace(fed, given=replace(fed.given, clients=one.clients, lanes=lanes))
    formula = replace(formula, clients=one.clients)
    title = f"{one.name}, {one.clients} clients: fed by {other.clients}"
    return Errors(title, tuple(_pair(cell, fed, formula) for cell in one.cells))


def _nearest(one: Group, every: Sequence[Group]) -> Group | None:
    others = [each for each in every if each.name == one.name and each.clients != one.clients]
    return min(others, key=lambda each: abs(math.log(each.clients / one.clients)), default=None)


def _pair(cell: CellResult, fed: Fed, formula: group_commit.Parameters) -> tuple[float, float]:
    work = cell.work
    assert cell.overhead is not None
    assert work.sync_us is not None
    burnt_us = work.burnt_us_per_sync or 0.0
    expected = (
        simulation.overhead(fed.given, fed.sync(simulation.device_us(work))),
        group_commit.overhead(formula, work.sync_us, burnt_us),
    )
    first, second = ((1 - one) / (1 - cell.overhead) - 1 for one in expected)
    return first, second


def _measure(*, share: bool) -> list[Row]:
    """Both workloads, about ten minutes each. Errors: as `loop.measure`."""
    rows: list[Row] = []
    for workload in ("linkbench", "tpcc"):
        with home("model") as results:
            own = [str(path) for path in grid.write(_GRID_US, results)]
            recipe = campaign.Recipe(
                "rocksdb", (workload,), "sweep-threads", ("off", *STUDY, *own), "sync",
                threads=_CLIENTS, seed=1,
            )  # fmt: skip
            plan = campaign.new(recipe, results, DATA)
            # Always the whole budget: narrow overheads are not the question.
            timing = plan.profile.timing.model_copy(update={"target_half_width": 1e-9})
            plan = replace(plan, profile=plan.profile.model_copy(update={"timing": timing}))
            silent = loop.Screen(lambda _: None, lambda _: None, lambda _: None)
            outcome = loop.measure(plan, analysis.estimate, silent, share_machine=share)
            rows += outcome.progress.rows
    return rows


if __name__ == "__main__":
    main()
