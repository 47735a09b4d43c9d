"""How far the simulation and the formula before it are off, on cells that did not feed them.

    python -m bench model [--set ENGINE/WORKLOAD/CLIENTS]... [--seconds S] [--write]
    python -m bench model CAMPAIGN... [--write]

Without a campaign the sets of `bench/model_cells.py`, or those named, are measured first, for
`--seconds` of slices each; their rows stay in results/bench-model, and are read again when they
are named. Each number of clients feeds the simulation by `off` and by its fastest and slowest
device, and is tested on the others (*devices*). Then it is fed by another number of clients, the
nearest, and tested on all devices of its own (*clients*).

An error is throughput expected / measured - 1, in percent. Beside it stands the half-width of the
measurement in the same percent; an error within the interval is marked `=`. The formula
(`bench/group_commit.py`) is fed by off and by the fastest device, as it was when it drew the dashed
line. `--write` keeps the errors where `waltax predict` reads them (`analysis/sweep/tested.json`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
from waltax import analysis
from waltax.analysis.results import CellResult, panels
from waltax.analysis.sweep import modelled, simulation, tested
from waltax.analysis.sweep.simulation import Fed
from waltax.analysis.sweep.tested import CLIENTS, DEVICES, Held, Origin
from waltax.errors import WaltaxError
from waltax.harness import machine
from waltax.row import Row

from ..homes.plain import DATA
from . import cells as model_cells
from . import group_commit

_RESULTS = DATA.parent / "results" / "bench-model"


@dataclass(frozen=True)
class Group:
    """The cells of one engine, workload and number of clients, the fastest device first."""

    engine: str
    workload: str
    clients: int
    cells: tuple[CellResult, ...]
    fed: Fed

    @property
    def title(self) -> str:
        return f"{self.engine}/{self.workload}/{self.clients}"


@click.command()
@click.argument("campaigns", nargs=-1, type=click.Path(path_type=Path))
@click.option("--set", "named", multiple=True, help=f"As {model_cells.SETS[0]}; default: all.")
@click.option("--seconds", default=60.0, show_default=True, type=click.FloatRange(1), help="A set.")
@click.option("--write", is_flag=True, help="Keep the errors for `waltax predict`.")
@click.option("--share-machine", is_flag=True, help="Although a campaign may be running.")
def main(
    campaigns: tuple[Path, ...],
    named: tuple[str, ...],
    seconds: float,
    *,
    write: bool,
    share_machine: bool,
) -> None:
    """Print the errors on held-out devices and numbers of clients, in percent."""
    try:
        if campaigns:
            rows = analysis.load(list(campaigns))
        else:
            sets = [model_cells.read(one) for one in named] or list(model_cells.SETS)
            _RESULTS.mkdir(parents=True, exist_ok=True)
            rows = model_cells.measure(sets, seconds, _RESULTS, share=share_machine)
        cells = report(list(groups(rows)))
    except WaltaxError as error:
        raise click.ClickException(str(error)) from error
    if write:
        tested.write(_origin(rows), cells)
        print(f"written to {tested.FILE}")


def groups(rows: list[Row]) -> Iterator[Group]:
    """Those of three devices or more, and with what the two models are fed by."""
    for panel in panels(rows):
        synced = [one for one in modelled.with_log(panel) if one.work.sync_us]
        cells = sorted(synced, key=lambda one: simulation.device_us(one.work))
        if len(cells) < 3:
            continue
        fed = modelled.modelled(panel, cells).fed
        if fed is not None:
            first = cells[0]
            yield Group(first.engine, first.workload, first.threads, tuple(cells), fed)


def report(every: Sequence[Group]) -> list[Held]:
    """A line per cell that was held out, then the errors of each set and of all."""
    if not every:
        raise WaltaxError("no campaign has `off` and three devices or more with results")
    found = [held for one in every for held in devices(one)]
    for one in every:
        if (other := _nearest(one, every)) is not None:
            found += by_clients(one, other)
    print(
        f"{'held out':<9} {'set':<22} {'cell':<11} {'measured':>8} {'interval':>15} "
        f"{'simulated':>9} {'error':>7} {'+-':>5} {'formula':>8}"
    )
    print(*map(_line, found), sep="\n")
    print(f"\n{'mean and most of |error|, %':<34}{'cells':>6} {'simulation':>12} {'formula':>12}")
    for kind in (DEVICES, CLIENTS):
        _sums(kind, [one for one in found if one.held_out == kind])
    return found


def devices(one: Group) -> list[Held]:
    """The cells between the fastest and the slowest, by what these two and off tell."""
    return [_held(cell, one.fed, DEVICES) for cell in one.cells[1:-1]]


def by_clients(one: Group, other: Group) -> list[Held]:
    """All cells of a group, by what another number of clients fed."""
    fed = other.fed
    lanes = fed.given.lanes and min(fed.given.lanes, one.clients)
    fed = replace(fed, given=replace(fed.given, clients=one.clients, lanes=lanes))
    return [_held(cell, fed, CLIENTS) for cell in one.cells]


def _nearest(one: Group, every: Sequence[Group]) -> Group | None:
    same = [each for each in every if (each.engine, each.workload) == (one.engine, one.workload)]
    others = [each for each in same if each.clients != one.clients]
    return min(others, key=lambda each: abs(math.log(each.clients / one.clients)), default=None)


def _held(cell: CellResult, fed: Fed, held_out: str) -> Held:
    work, found = cell.work, modelled.compared(cell, fed, held_out=True)
    assert cell.overhead is not None
    assert work.sync_us is not None
    burnt_us = work.burnt_us_per_sync or 0.0
    formula = group_commit.overhead(fed.given, work.sync_us, burnt_us)
    return Held(
        engine=cell.engine,
        workload=cell.workload,
        clients=cell.threads,
        device=cell.device,
        held_out=held_out,
        sync_us=round(found.sync_us, 2),
        measured=round(cell.overhead, 4),
        low=None if cell.low is None else round(cell.low, 4),
        high=None if cell.high is None else round(cell.high, 4),
        expected=round(found.expected, 4),
        error=round(found.throughput_error, 4),
        formula_error=round((1 - formula) / (1 - cell.overhead) - 1, 4),
        within=found.within,
    )


def _line(one: Held) -> str:
    known = one.low is not None and one.high is not None
    ends = f"[{100 * (one.low or 0):.1f}, {100 * (one.high or 0):.1f}]" if known else "-"
    wide = f"{_half_width(one):.0f}" if known else "-"
    name = f"{one.engine}/{one.workload}/{one.clients}"
    return (
        f"{one.held_out:<9} {name:<22} {one.device:<11} {100 * one.measured:8.1f} {ends:>15} "
        f"{100 * one.expected:9.1f} {100 * one.error:+6.0f}{'=' if one.within else ' '} {wide:>5} "
        f"{100 * one.formula_error:+8.0f}"
    )


def _half_width(one: Held) -> float:
    """In percent of the throughput, as errors are."""
    assert one.low is not None
    assert one.high is not None
    return 100 * (one.high - one.low) / 2 / (1 - one.measured)


def _sums(kind: str, cells: Sequence[Held]) -> None:
    """Of each set, of each engine and workload, and of all."""
    sets = dict.fromkeys((one.engine, one.workload, one.clients) for one in cells)
    for key in sets:
        of_set = [one for one in cells if (one.engine, one.workload, one.clients) == key]
        _sum(f"{kind}: {'/'.join(map(str, key))}", of_set)
    for both in dict.fromkeys(key[:2] for key in sets):
        _sum(f"{kind}: {'/'.join(both)}", [c for c in cells if (c.engine, c.workload) == both])
    _sum(f"{kind}: all", cells)


def _sum(title: str, cells: Sequence[Held]) -> None:
    if not cells:
        return
    said = []
    for errors in ([one.error for one in cells], [one.formula_error for one in cells]):
        sizes = [100 * abs(one) for one in errors]
        said.append(f"{sum(sizes) / len(sizes):4.0f} {max(sizes):5.0f}")
    outside = [one for one in cells if not one.within]
    print(
        f"{title:<34}{len(cells):>6} {said[0]:>12} {said[1]:>12}   "
        f"{len(outside)} outside the interval"
    )


def _origin(rows: Sequence[Row]) -> Origin:
    """Of accepted rows; the simulation's commit is that of this checkout."""
    seen = [one for one in rows if one["status"] == "ok"]
    commits = sorted({str(one["git_commit"]) for one in seen})
    machines = sorted({f"{one['cores']} CPUs, {one['cpu_model']}" for one in seen})
    first = min(one["start_unix_s"] for one in seen)
    return Origin(
        measured_at=", ".join(commits),
        simulated_at=str(machine.provenance()["git_commit"]),
        date=time.strftime("%Y-%m-%d", time.gmtime(first)),
        machine="; ".join(machines),
    )


if __name__ == "__main__":
    main()
