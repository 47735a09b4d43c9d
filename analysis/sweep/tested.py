"""How far the simulation was off on cells that did not feed it: what `make bench-model` found.

The errors are shipped in tested.json, which only that benchmark writes, with the commits that
measured and simulated, and the machine. `waltax predict --cores` prints them beside its answers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ..results import words

FILE = Path(__file__).with_name("tested.json")
DEVICES, CLIENTS = "devices", "clients"
"""What was held out: other devices of the same clients, or all cells of a number of clients."""


@dataclass(frozen=True)
class Origin:
    """Of the cells, and of the code that simulated them."""

    measured_at: str  # git commits, comma-separated
    simulated_at: str
    date: str
    machine: str


@dataclass(frozen=True)
class Held:
    """A cell that was held out. `error` is throughput expected / measured - 1."""

    engine: str
    workload: str
    clients: int
    device: str
    held_out: str
    sync_us: float
    measured: float  # overhead
    low: float | None
    high: float | None
    expected: float
    error: float
    formula_error: float
    within: bool  # the interval of the measurement


@dataclass(frozen=True)
class Found:
    """The file: where its cells come from, and the cells."""

    origin: Origin
    cells: tuple[Held, ...]


@dataclass(frozen=True)
class Known:
    """What is known of one engine and workload."""

    origin: Origin
    cells: int
    clients: tuple[int, ...]
    mean: float
    most: float
    within: int  # of the cells, whose interval has the simulated figure in it

    @property
    def sentence(self) -> str:
        fewest, most = min(self.clients), max(self.clients)
        number = words.clients(most) if fewest == most else f"{fewest} to {words.clients(most)}"
        mean, most_off = (f"{100 * error:.0f} %" for error in (self.mean, self.most))
        seen = f"{self.origin.machine}, {self.origin.date}, at {self.origin.measured_at}"
        return (
            f"to be off by {mean} of throughput in the mean and {most_off} at most, on "
            f"{self.cells} cells with {number}; of {self.within} of these the measurement is no "
            f"more certain than that ({seen})"
        )


def write(origin: Origin, cells: Sequence[Held], path: Path = FILE) -> None:
    """One line a cell, so that a change can be read."""
    lines = ",\n".join(f"  {json.dumps(asdict(one))}" for one in cells)
    path.write_text(f'{{\n "origin": {json.dumps(asdict(origin))},\n "cells": [\n{lines}\n ]\n}}\n')


def read(path: Path = FILE) -> Found:
    content = json.loads(path.read_text())
    cells = tuple(Held(**one) for one in content["cells"])
    return Found(Origin(**content["origin"]), cells)


def known(engine: str, workload: str, held_out: str, path: Path = FILE) -> Known | None:
    """None where no such cell was tested."""
    found = read(path)
    cells = [
        one
        for one in found.cells
        if (one.engine, one.workload, one.held_out) == (engine, workload, held_out)
    ]
    return of(found.origin, cells) if cells else None


def of(origin: Origin, cells: Sequence[Held]) -> Known:
    """REQUIRES: one cell or more."""
    errors = [abs(one.error) for one in cells]
    return Known(
        origin=origin,
        cells=len(cells),
        clients=tuple(sorted({one.clients for one in cells})),
        mean=sum(errors) / len(errors),
        most=max(errors),
        within=sum(one.within for one in cells),
    )
