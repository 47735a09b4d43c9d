"""Short slices against long ones. `python -m waltax.bench slices [WORKLOAD [ROUNDS]]`

Are they biased, and what do they buy? Slices of several lengths of the same cells are taken in the
same rounds of one process each. Printed for each length and device: its throughput and its
logarithm of the ratio to `off` against those of the longest slices, with 95 % intervals, and the
time that the same standard error takes. Then how a cell goes on after it was thawed, from slices
without a warm-up: the logarithm of the ratio to `off` by the time since, less that of the rest.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from ...cell import BASELINE
from ...driver.cells import loading
from ...driver.cells.process_cell import ProcessCell
from ...harness.live import Event, Position
from ...runners.bring_up import bring_up
from ...runners.campaign import Campaign, Recipe
from ...terminal import Terminal
from ..homes.plain import campaign_of

Floats = NDArray[np.float64]
Design = tuple[float, float]

_DEVICES = ("nvram", "nvme", "ssd")
_LONG: Design = (0.3, 1.5)  # warm-up and measured part, in seconds
_DESIGNS = (_LONG, (0.1, 0.2), (0.1, 0.4), (0.2, 0.4))
_THAWED_S = 1.5
_EDGES_S = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 1.4)
_STEP_S = 0.025
_DRAWS, _ENDS = 2000, (2.5, 97.5)


def main(arguments: list[str]) -> None:
    workload = arguments[0] if arguments else "linkbench"
    rounds = int(arguments[1]) if len(arguments) > 1 else 12
    console = Terminal()
    recipe = Recipe("rocksdb", (workload,), "quick", _DEVICES, "sync", seed=1)
    with campaign_of(recipe, "slices") as plan:
        data_set = loading.prepare(plan.profile, workload, plan.data_root, print)
        rates, curves = _measured(plan, data_set, rounds)
    console.print(_lengths(rates))
    console.print(_thawed(curves))


def _measured(
    plan: Campaign, data_set: Path, rounds: int
) -> tuple[dict[tuple[str, Design], Floats], dict[str, Floats]]:
    """Throughputs by device and design, one a round; and rates after the thaw, a row a round."""
    rates: dict[tuple[str, Design], list[float]] = {}
    curves: dict[str, list[Floats]] = {}
    draw = random.Random(1)
    with contextlib.ExitStack() as stack:
        cells = [_brought_up(stack, plan, number, data_set) for number in range(len(plan.cells))]
        for live in cells:
            live.measure(Position(0, 0, 0), plan.profile.timing.settle_s, _LONG[1])
        for number in range(rounds):
            for design in draw.sample(_DESIGNS, len(_DESIGNS)):
                for live in draw.sample(cells, len(cells)):
                    found = live.measure(Position(0, number, 0), *design).slice["throughput"]
                    rates.setdefault((live.cell.device, design), []).append(found)
            for live in draw.sample(cells, len(cells)):
                curves.setdefault(live.cell.device, []).append(_since_thaw(live))
    return (
        {key: np.array(values) for key, values in rates.items()},
        {device: np.array(rows) for device, rows in curves.items()},
    )


def _brought_up(
    stack: contextlib.ExitStack, plan: Campaign, number: int, data_set: Path
) -> ProcessCell:
    live = stack.enter_context(bring_up(plan, plan.cells[number], data_set, 0))
    assert isinstance(live, ProcessCell)
    return live


def _since_thaw(live: ProcessCell) -> Floats:
    """Requests a second between the edges, of a slice that has no warm-up."""
    told: list[Event] = []
    live.thaw()
    times = {"warmup_s": 0.0, "measure_s": _THAWED_S, "progress_s": _STEP_S}
    live.driver.send(cmd="run", **times)
    live.driver.wait_for("slice", within_s=_THAWED_S, on_progress=told.append)
    live.freeze()
    seconds = np.array([0.0, *(event["elapsed_s"] for event in told)])
    requests = np.array([0.0, *(event["requests"] for event in told)])
    done = np.interp(_EDGES_S, seconds, requests)
    return np.asarray(np.diff(done) / np.diff(_EDGES_S), dtype=float)


def _lengths(rates: dict[tuple[str, Design], Floats]) -> Table:
    columns = ("throughput, ratio", "log ratio to off, difference", "time for the same error")
    title = f"against slices of {_LONG[0]} + {_LONG[1]} s"
    table = Table("warm-up + slice s", "device", *columns, title=title)
    for design in _DESIGNS[1:]:
        for device in (BASELINE, *_DEVICES):
            mine, long = rates[device, design], rates[device, _LONG]
            weights = _weights(mine.size)
            words = [_interval(weights @ mine / (weights @ long))]
            if device != BASELINE:
                off, long_off = rates[BASELINE, design], rates[BASELINE, _LONG]
                logs = np.log(weights @ mine / (weights @ off))
                longs = np.log(weights @ long / (weights @ long_off))
                spent = sum(design) * logs.var() / (sum(_LONG) * longs.var())
                words += [_interval(logs - longs), f"{spent:.2f} x"]
            table.add_row(f"{design[0]} + {design[1]}", device, *words)
    return table


def _thawed(curves: dict[str, Floats]) -> Table:
    spans = [f"{a}-{b} s" for a, b in itertools.pairwise(_EDGES_S)]
    title = "log ratio to off after a thaw, less that of the rest from 0.5 s on"
    table = Table("device", *spans, title=title)
    rest = np.diff(_EDGES_S) * (np.array(_EDGES_S[:-1]) >= 0.5)
    for device in _DEVICES:
        mine, off = curves[device], curves[BASELINE]
        weights = _weights(len(mine))
        logs = np.log(weights @ mine / (weights @ off))
        level = np.log(weights @ mine @ rest / (weights @ off @ rest))
        table.add_row(device, *(_interval(column - level) for column in logs.T))
    return table


def _weights(rounds: int) -> Floats:
    """The rounds themselves, then draws of as many of them."""
    drawn = np.random.default_rng(1).multinomial(rounds, np.full(rounds, 1 / rounds), _DRAWS)
    return np.vstack([np.ones(rounds), drawn.astype(float)])


def _interval(values: Floats) -> str:
    """The first is the estimate, the others are of the draws."""
    low, high = np.percentile(values[1:], _ENDS)
    return f"{values[0]:.3f} [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    main(sys.argv[1:])
