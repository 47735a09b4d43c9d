"""What the tap does beside a log: cells without a log, with an emulated device and without.

    python -m bench placebo [--workload NAME] [--engine NAME] [--threads N] [--device NAME]
                                   [--seconds S] [--pairs N]

No file is a log's, so that nothing but the emulation's machinery (its start, its hooks, any thread
of its own) can make a difference. Both sides run under the tap, one only observes. Printed are
ratios, emulated over not, with 95 % intervals, of throughput and of CPU time per request, of the
client and of a server: 1 should be within.

LinkBench and TPC-C run as a campaign of two `off` cells does, in the rounds of several sessions,
and the intervals are a campaign's. Of db_bench, whose runs take turns, they are of the median.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import click
import numpy as np
from rich.table import Table
from scipy import stats
from waltax import analysis
from waltax.analysis.results import Panel, panels
from waltax.base.terminal import Terminal
from waltax.cell import BASELINE
from waltax.devices.catalog import load
from waltax.devices.resolve import SHM
from waltax.devices.tap_model import DeviceModel, packed
from waltax.profiles.model import Timing
from waltax.row import Row
from waltax.runners import campaign, loop
from waltax.runners.campaign import Campaign, Recipe

from ..homes.plain import DATA, home
from . import placebo_db_bench

_DB_BENCH = "db_bench"
_ENGINES = ("rocksdb", "myrocks")
_CLIENTS = 10  # of a server
_ROUNDS = 12  # a session: to bring a server up takes as long


def _per_request(*columns: str) -> Callable[[Row], float | None]:
    """CPU time of a request, warm-up included; None where the row has no such column."""

    def measure(row: Row) -> float | None:
        found = [row.get(column) for column in columns]
        requests = row["slice_requests"]
        if not requests or None in found:
            return None
        return float(sum(filter(None, found)) / requests)

    return measure


_MEASURES: dict[str, Callable[[Row], float | None]] = {
    "throughput": lambda row: row["throughput"],
    "client CPU per request": _per_request("cpu_user_s", "cpu_system_s"),
    "server CPU per request": _per_request("cpu_server_user_s", "cpu_server_system_s"),
}


@click.command()
@click.option(
    "--workload",
    default=_DB_BENCH,
    show_default=True,
    type=click.Choice([_DB_BENCH, "linkbench", "tpcc"]),
)
@click.option("--engine", default="rocksdb", show_default=True, type=click.Choice(_ENGINES))
@click.option("--threads", type=click.IntRange(1), help=f"{_CLIENTS} on a server")
@click.option("--device", default="nvram", show_default=True, help="with a model")
@click.option("--seconds", default=90.0, show_default=True, help="of slices; not of db_bench")
@click.option("--pairs", default=15, show_default=True, type=click.IntRange(2), help="of db_bench")
def main(
    workload: str, engine: str, threads: int | None, device: str, seconds: float, pairs: int
) -> None:
    """Print throughput and CPU time with an emulated device that no log is on, over without."""
    found = load(device).model
    if found is None:
        raise click.UsageError(f"--device: found {device}, which has no model; name another")
    table = Table("", "emulated / not [95 %]", "", box=None)
    if workload == _DB_BENCH:
        if engine != "rocksdb" or threads is not None:
            raise click.UsageError("db_bench takes neither --engine nor --threads; leave them out")
        _add_db_bench(table, found.tap_model(), pairs)
    else:
        clients = threads or (_CLIENTS if engine != "rocksdb" else None)
        _add_campaign(table, _rows(engine, workload, clients, found.tap_model(), seconds))
    Terminal().print(table)


def _add_db_bench(table: Table, model: DeviceModel, pairs: int) -> None:
    seen = [placebo_db_bench.pair(packed(model), number % 2 == 0) for number in range(pairs)]
    for name, ratios in zip(("throughput", "CPU per operation"), np.array(seen).T, strict=True):
        low, high = stats.bootstrap((ratios,), np.median, method="percentile").confidence_interval
        table.add_row(name, f"{np.median(ratios):.3f} [{low:.3f}, {high:.3f}]", f"{pairs} pairs")


def _rows(
    engine: str, workload: str, threads: int | None, model: DeviceModel, seconds: float
) -> list[Row]:
    """The rows of two `off` cells, the second with a model. Errors: ClickException."""
    recipe = Recipe(
        engine,
        (workload,),
        "ci",
        (BASELINE, BASELINE),
        "sync",
        seed=1,
    )
    recipe = recipe if threads is None else recipe.at(threads=(str(threads),))
    with home("placebo") as results:
        plan = with_model(campaign.new(recipe, results, DATA), model, seconds)
        progress = loop.measure(plan, analysis.estimate, print).progress
    if progress.failures:
        said = "; ".join(f"{cell}: {why}" for cell, why in progress.failures.items())
        raise click.ClickException(f"a cell failed: {said}")
    return progress.rows


def with_model(plan: Campaign, model: DeviceModel, seconds: float) -> Campaign:
    """Load the model into the second `off`'s tap, and spend so much time, whatever the intervals.

    REQUIRES: a plan of two.
    """
    _, placebo = plan.cells
    placements = {
        **plan.placements,
        placebo.id: replace(
            plan.placements[placebo.id], kind="emulated", wal_root=SHM, model=model
        ),
    }
    timing: Timing = plan.profile.timing.model_copy(
        update={
            "time_budget_s": seconds,
            "target_half_width": 1e-9,
            "rounds_per_session": _ROUNDS,
        }
    )
    profile = plan.profile.model_copy(update={"timing": timing})
    return replace(plan, placements=placements, profile=profile)


def _add_campaign(table: Table, rows: list[Row]) -> None:
    (panel,) = panels(rows)
    for name, found in ratios(panel).items():
        table.add_row(name, found, f"{len(panel.slots)} rounds")


def ratios(panel: Panel) -> dict[str, str]:
    """The placebo over `off` of each measure that the rows have, in words."""
    off, placebo = sorted(panel.rows, key=lambda cell: cell.replica)
    said = {}
    for name, measure in _MEASURES.items():
        found = panel.ratio(placebo, off, measure)
        if found.value is not None:
            ends = "" if found.low is None else f" [{found.low:.3f}, {found.high:.3f}]"
            said[name] = f"{found.value:.3f}{ends}"
    return said


if __name__ == "__main__":
    main()
