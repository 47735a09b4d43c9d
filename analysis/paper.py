"""The paper's table beside rows of ours, cell by cell: both overheads, both hardwares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ..errors import UsageError
from ..row import Row
from . import evidence, layout, words
from .overhead import CellEstimate, every_cell
from .reading import load

PAPER_ROWS = Path(__file__).with_name("paper.jsonl")
# What devices/*.toml names as the paper's; of its machine nothing is recorded here.
PAPER_DEVICES = {
    "ssd": "Crucial MX200 250 GB (SATA)",
    "nvme": "Intel DC P3700 800 GB (NVMe)",
    "nvram": "PMC/Microsemi Flashtec NVRAM card",
    "off": "no WAL",
}
_PAPER_MACHINE = "MyRocks with 10 clients; its CPU and memory are not known to this repository"


@dataclass(frozen=True)
class Pair:
    """One cell of the paper's table and the same cell of ours. None: ours has none."""

    paper: CellEstimate
    ours: CellEstimate | None

    @property
    def difference(self) -> float | None:
        """Of the overheads, ours less the paper's, as a fraction; None for the baseline."""
        if self.paper.is_baseline or self.ours is None:
            return None
        if self.ours.overhead is None or self.paper.overhead is None:
            return None
        return self.ours.overhead - self.paper.overhead


def pairs(rows: list[Row]) -> list[Pair]:
    """The paper's cells that have a workload of ours beside them, `off` first.

    Errors: UsageError when the rows hold another engine than the paper's, or two sizes of it:
    only one campaign of a workload stands beside the paper's.
    """
    ours: dict[tuple[str, str], CellEstimate] = {}
    for one in every_cell(rows):
        key = _place(one)
        if one.replica or one.durability not in ("sync", "off"):
            continue
        if key in ours:
            raise UsageError(
                f"paper: found cells {ours[key].cell} and {one.cell}; only one of them can stand "
                "beside the paper's: name the campaigns of one profile and number of threads"
            )
        ours[key] = one
    engines = sorted({one.engine for one in ours.values()})
    if engines != ["myrocks"]:
        found = ", ".join(engines) or "no cell of durability sync or off"
        raise UsageError(f"paper: found {found}; the paper measured myrocks")
    workloads = {workload for workload, _ in ours}
    return [
        Pair(one, ours.get(_place(one)))
        for one in every_cell(load([PAPER_ROWS]))
        if one.workload in workloads
    ]


def _place(one: CellEstimate) -> tuple[str, str]:
    return one.workload, one.device


def print_beside(rows: list[Row], console: Console) -> None:
    """The tables, on a console that is no narrower than they are, unless it is a terminal."""
    if not console.is_terminal:
        console.width = max(console.width, layout.WIDTH)
    for part in tables(rows):
        console.print(part)


def tables(rows: list[Row]) -> list[RenderableType]:
    """A table per workload, and what both were measured on."""
    parts: list[RenderableType] = []
    for _, found in groupby(pairs(rows), lambda pair: pair.paper.workload):
        group = list(found)
        parts += [layout.ByWidth(partial(_table, group)), *_titled("Hardware", _lines(group, rows))]
    return parts


def _table(group: list[Pair], compact: bool) -> Table:
    title = next(words.group_title(pair.ours) for pair in group if pair.ours)
    unit = group[0].paper.throughput_unit
    headers = ["the paper's\noverhead %", "ours\noverhead % [95 %]", "difference\npoints"]
    throughputs = [f"the paper's\n{unit}", f"ours\n{unit}"]
    table = layout.table(
        f"{title}, beside the paper", headers if compact else throughputs + headers
    )
    for pair in group:
        table.add_row(*_cells(pair, compact))
    return table


def _cells(pair: Pair, compact: bool) -> Iterator[str]:
    paper, ours = pair.paper, pair.ours
    yield words.label(ours) if ours else paper.device
    if not compact:
        yield words.number(paper.throughput)
        yield layout.throughput(ours) if ours else "-"
    yield "baseline" if paper.is_baseline else words.percent(paper.overhead)
    yield layout.overhead(ours) if ours else "not measured"
    difference = words.percent(pair.difference)
    yield f"+{difference}" if pair.difference and pair.difference > 0 else difference


def _lines(group: list[Pair], rows: list[Row]) -> list[str]:
    lines = [f"the paper's: {_PAPER_MACHINE}"]
    lines += [
        f"  {pair.paper.device}: {PAPER_DEVICES[pair.paper.device]}"
        for pair in group
        if not pair.paper.is_baseline
    ]
    mine = {pair.ours.cell for pair in group if pair.ours}
    lines += [f"ours: {machine}" for machine in _machines(rows, mine)]
    for pair in group:
        if pair.ours and not pair.ours.is_baseline:
            lines.append(f"  {pair.ours.device}: {_device(pair.ours, rows)}")
    versions = evidence.engine_versions([one for one in rows if one["cell"] in mine])
    lines += [f"  on {', '.join(versions)}"] if versions else []
    lines.append("  the paper's figures are one number a cell, so that it has no intervals")
    return lines


def _machines(rows: list[Row], cells: set[str]) -> Sequence[str]:
    """Each that the rows were measured on: one is the rule."""
    found = [
        f"{one['cpu_model']}, {one.get('cores', '?')} CPUs, {_gib(one)} of memory"
        for one in rows
        if one["cell"] in cells and one.get("cpu_model")
    ]
    return tuple(dict.fromkeys(found)) or ("the rows do not say on which machine",)


def _gib(one: Row) -> str:
    memory = one.get("memory_gib")
    return "?" if memory is None else f"{memory:.0f} GiB"


def _device(one: CellEstimate, rows: list[Row]) -> str:
    sync_us = evidence.of_cell(rows, one.cell).tap_sync_us_p50
    took = "" if sync_us is None else f"; a sync took {words.number(sync_us)} us (median)"
    if one.shows_model:
        return f"emulated, a latency model of kind {one.device_kind}{took}"
    return f"{one.device_kind}{took}"


def _titled(title: str, lines: list[str]) -> list[RenderableType]:
    return [Text(title, style="bold"), *(Text(f"  {line}") for line in lines), Text()]
