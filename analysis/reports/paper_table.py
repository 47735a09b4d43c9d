"""The paper's table beside rows of ours, cell by cell: both overheads, both hardwares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from ...base.errors import UsageError
from ...row import Row
from ..numerals import signed
from ..report import Column, Lines, Part, Report, Table, numbers
from ..results import CellResult, every_cell, load, read, words
from ..results.proof import engine_versions
from . import cell_columns
from .campaign_end import results_of

PAPER_ROWS = Path(__file__).parent.parent / "paper.jsonl"
# devices/*.toml names these as the paper's; its machine is not recorded here.
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

    paper: CellResult
    ours: CellResult | None

    @property
    def difference(self) -> float | None:
        """Our overhead minus the paper's, as a fraction; None for the baseline."""
        theirs, ours = self.paper.overhead, None if self.ours is None else self.ours.overhead
        if self.paper.is_baseline or theirs is None or ours is None:
            return None
        return ours - theirs


def paper(campaigns: Sequence[Path]) -> Report:
    """Report the paper's table beside the rows of these campaigns, a table per workload.

    Errors: UsageError if the rows are not from the paper's engine; else as `load`.
    """
    of = read(campaigns)
    parts: list[Part] = []
    for _, members in groupby(pairs(results_of(of)), lambda pair: pair.paper.workload):
        group = list(members)
        parts += [_table(group), Lines(_hardware(group), "Hardware")]
    return Report(name="paper", parts=parts, folder=of.folder, source=of)


def pairs(results: Sequence[CellResult]) -> list[Pair]:
    """Pair the paper's cells with ours, for workloads that these results have; `off` first.

    Errors: UsageError if they hold another engine than the paper's, or two sizes of it: only one
    campaign per workload can stand beside the paper's.
    """
    ours: dict[tuple[str, str], CellResult] = {}
    for result in results:
        key = _place(result)
        if result.replica or result.durability not in ("sync", "off"):
            continue
        if key in ours:
            raise UsageError(
                f"paper: found cells {ours[key].cell} and {result.cell}; only one of them can "
                "stand beside the paper's: name the campaigns of one profile and number of threads"
            )
        ours[key] = result
    engines = sorted({result.engine for result in ours.values()})
    if engines != ["myrocks"]:
        named = ", ".join(engines) or "no cell of durability sync or off"
        raise UsageError(f"paper: found {named}; the paper measured myrocks")
    workloads = {workload for workload, _ in ours}
    return [
        Pair(result, ours.get(_place(result)))
        for result in every_cell(load([PAPER_ROWS]))
        if result.workload in workloads
    ]


def _place(result: CellResult) -> tuple[str, str]:
    return result.workload, result.device


def _table(group: Sequence[Pair]) -> Table:
    title = next(words.group_title(pair.ours) for pair in group if pair.ours)
    unit = group[0].paper.throughput_unit
    columns = [
        Column("device"),
        Column(f"the paper's\n{unit}", only_wide=True),
        Column(f"ours\n{unit}", only_wide=True),
        *numbers("the paper's\noverhead %", "ours\noverhead % [95 %]", "difference\npoints"),
    ]
    rows = [
        (
            words.label(ours) if ours else paper.device,
            words.number(paper.throughput),
            cell_columns.throughput(ours) if ours else "-",
            "baseline" if paper.is_baseline else words.percent(paper.overhead),
            cell_columns.overhead(ours) if ours else "not measured",
            "-" if pair.difference is None else signed(pair.difference),
        )
        for pair in group
        for paper, ours in [(pair.paper, pair.ours)]
    ]
    return Table(f"{title}, beside the paper", columns, rows)


def _hardware(group: Sequence[Pair]) -> list[str]:
    """Say what hardware both were measured on."""
    lines = [f"the paper's: {_PAPER_MACHINE}"]
    lines += [
        f"  {pair.paper.device}: {PAPER_DEVICES[pair.paper.device]}"
        for pair in group
        if not pair.paper.is_baseline
    ]
    ours = [pair.ours for pair in group if pair.ours]
    rows = [row for result in ours for row in result.rows]
    machines = [
        f"ours: {row['cpu_model']}, {row.get('cores', '?')} CPUs, {_gib(row)} of memory"
        for row in rows
        if row.get("cpu_model")
    ]
    lines += dict.fromkeys(machines or ["ours: the rows do not say on which machine"])
    lines += [f"  {result.device}: {_device(result)}" for result in ours if not result.is_baseline]
    versions = engine_versions(rows)
    lines += [f"  on {', '.join(versions)}"] if versions else []
    return [*lines, "  the paper's figures are one number a cell, so that it has no intervals"]


def _gib(row: Row) -> str:
    memory = row.get("memory_gib")
    return "?" if memory is None else f"{memory:.0f} GiB"


def _device(result: CellResult) -> str:
    sync_us = result.proof.tap_sync_us_p50
    took = "" if sync_us is None else f"; a sync took {words.number(sync_us)} us (median)"
    emulated = "emulated, a latency model of kind " if result.shows_model else ""
    return f"{emulated}{result.device_kind}{took}"
