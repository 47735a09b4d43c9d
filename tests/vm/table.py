"""The two tables: what waltax said of every stack, and the evidence of the runs."""

from __future__ import annotations

from typing import Any

from placements import Run
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from stack import Stack
from verdict import Said

Faults = dict[str, list[str]]


def print_stacks(
    stacks: list[tuple[Stack, dict[str, Any]]], faults: Faults, console: Console
) -> None:
    """A row for each stack, then the layers of those that have some; `faults` by its name."""
    found = _table("place", "what it is", "class", "expected", "cache", "DAX", "verdict")
    layers = _table("place", "layers that waltax names, from the top")
    for stack, seen in stacks:
        said = Said(seen["stdout"])
        dax = said.value("DAX mount").partition(" ")[0]
        words = (said.value("class"), stack.device_class, _caches(said), dax)
        found.add_row(*map(escape, (stack.name, stack.what, *words)), _verdict(faults[stack.name]))
        for number, layer in enumerate(said.values("layer")):
            layers.add_row("" if number else stack.name, escape(layer))
    console.print(found)
    console.print()
    console.print(layers)


def print_placements(
    runs: list[tuple[Run, dict[str, Any]]], faults: Faults, disks: dict[str, str], console: Console
) -> None:
    """A row for each run, its rows added up; `faults` by "run NAME"."""
    found = _table(
        *("waltax run --device", "--wal-dir", "what it is", "WAL files", "WAL bytes"),
        *("syncs: tap", "engine", "device writes", "verdict"),
    )
    for run, seen in runs:
        rows = [row for row in seen["rows"] if row["device"] == run.device]
        files = len({file for row in rows for file in row["wal_files"] or ()})
        sums = [_sum(rows, column) for column in ("wal_bytes", "tap_syncs", "wal_syncs")]
        evidence = [str(files), *sums, _writes(rows, run, disks)]
        if run.refused:
            evidence = [f"exit {seen['exit']}", "-", "-", "-", "-"]
        verdict = _verdict(faults[f"run {run.name}"])
        found.add_row(run.device, run.wal_dir, escape(run.what), *evidence, verdict)
    console.print()
    console.print(found)


def _writes(rows: list[dict[str, Any]], run: Run, disks: dict[str, str]) -> str:
    """With DAX a log's writes are stores to memory, which no block device counts."""
    counted = f"{_sum(rows, 'diskstats_wal_writes')} ({run.block.format(**disks)})"
    return f"{counted}, none the log's" if run.mapped else counted


def _sum(rows: list[dict[str, Any]], column: str) -> str:
    return f"{sum(row[column] or 0 for row in rows):,.0f}"


def _caches(said: Said) -> str:
    """Of every disk: "disk  nvme0n1: class nvme, ..., write cache write back, ..."."""
    words = [disk.partition("write cache ")[2].partition(",")[0] for disk in said.values("disk")]
    return "; ".join(word or "unknown" for word in words)


def _verdict(faults: list[str]) -> str:
    return "[red]DIFFERS[/red]" if faults else "as expected"


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading)
    return table
