"""Throughput over the clock, and what else the machine did at the time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from ...row import Row
from ..results import CellResult, words
from .latency import look
from .subject import Subject


def _share(column: str, *, of_cpus: bool) -> Callable[[Row], float | None]:
    """Return a row's seconds as percent of the time between samples, of all CPUs or one clock."""

    def of(row: Row) -> float | None:
        elapsed, cores = row.get("machine_elapsed_s"), row.get("cores") if of_cpus else 1
        if row.get(column) is None or not elapsed or not cores:
            return None
        return float(100 * row[column] / elapsed / cores)

    return of


def _written(row: Row) -> float | None:
    """Return the MB/s that reached the disks of data and log."""
    names = ("diskstats_data_write_bytes", "diskstats_wal_write_bytes")
    known = [row[name] for name in names if row.get(name) is not None]
    elapsed = row.get("machine_elapsed_s")
    return sum(known) / elapsed / 1e6 if known and elapsed else None


MACHINE: tuple[tuple[str, str, Callable[[Row], float | None]], ...] = (
    ("CPU of other programs", "% of all CPUs", _share("cpu_foreign_s", of_cpus=True)),
    ("stolen by the hypervisor", "% of all CPUs", _share("steal_s", of_cpus=True)),
    ("CPU pressure (PSI)", "% of the time", _share("psi_cpu_some_s", of_cpus=False)),
    ("I/O pressure (PSI)", "% of the time", _share("psi_io_some_s", of_cpus=False)),
    ("disk writes", "MB/s", _written),
)


def charts(of: Subject, every: int) -> list[dict[str, Any]]:
    """Return a chart for each comparison group with an accepted slice, one in `every` rounds.

    It is `plotted` as numbers for the browser, and `listed` as texts of a table.
    """
    return [chart for group in of.groups if (chart := _chart(group, every))]


_Slice = tuple[float, Row, CellResult]


def _chart(group: Sequence[CellResult], every: int) -> dict[str, Any]:
    slices: list[_Slice] = [
        (row.get("start_unix_s") or 0.0, row, result)
        for result in group
        for row in result.rows
        if row["status"] == "ok"
    ]
    if not slices:
        return {}
    slices.sort(key=itemgetter(0))
    placed = [(round(start - slices[0][0], 2), row, of) for start, row, of in slices]
    shown = [each for each in placed if each[1]["round"] % every == 0] or placed[:1]
    return {"plotted": _plotted(group, shown), "listed": [_listed(*each) for each in shown]}


def _listed(place: float, row: Row, result: CellResult) -> tuple[str, ...]:
    """Return a slice as a table row: a text for each measure that some slice has."""
    figures = (words.number(row["throughput"]), *(words.number(of(row)) for _, _, of in MACHINE))
    why = ", ".join(row.get("disturbed") or ())
    return (f"{place:g}", str(row["session"] + 1), words.label(result), *figures, why)


def _plotted(group: Sequence[CellResult], shown: Sequence[_Slice]) -> dict[str, Any]:
    """Return columns of equal length; null if a cell has no slice there."""
    rows = [row for _, row, _ in shown]
    machine = [
        {"name": name, "unit": unit, "values": [_short(measure(row)) for row in rows]}
        for name, unit, measure in MACHINE
        if any(measure(row) is not None for row in rows)
    ]
    return {
        "title": words.group_title(group[0]),
        "unit": group[0].throughput_unit,
        "at": [place for place, _, _ in shown],
        "session": [row["session"] for row in rows],
        "disturbed": [", ".join(row.get("disturbed") or ()) for row in rows],
        "cells": [
            {
                **look(place, result),
                "values": [
                    _short(row["throughput"]) if of is result else None for _, row, of in shown
                ],
            }
            for place, result in enumerate(group)
            if not result.failed
        ],
        "machine": machine,
    }


def _short(value: float | None) -> float | None:
    """Round to four significant digits: more than a chart can show."""
    return None if value is None else float(f"{value:.4g}")
