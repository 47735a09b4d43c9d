"""Throughput over the clock, and what else the machine did at the time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from ...row import Row
from ..results import CellResult, words
from .latency import look
from .subject import Subject

_PAUSE_S = 300.0  # a longer one, as before --resume, is shortened to `_SHOWN_S`
_SHOWN_S = 30.0


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

    It is `plotted` as numbers for the browser, and `listed` as texts of a table; `pauses` counts
    those that were cut short.
    """
    return [chart for group in of.groups if (chart := _chart(group, every))]


def _chart(group: Sequence[CellResult], every: int) -> dict[str, Any]:
    names = {id(row): result for result in group for row in result.rows}
    accepted = [row for result in group for row in result.rows if row["status"] == "ok"]
    if not accepted:
        return {}
    accepted.sort(key=lambda row: (row["campaign"], row["slice"]))
    places, pauses, is_clock = _places(accepted)
    pairs = list(zip(places, accepted, strict=True))
    shown = [pair for pair in pairs if pair[1]["round"] % every == 0] or pairs[:1]
    return {
        "plotted": {**_plotted(group, shown, names), "clock": is_clock},
        "listed": [_listed(place, row, names) for place, row in shown],
        "pauses": pauses,
    }


def _places(rows: Sequence[Row]) -> tuple[list[float], int, bool]:
    """Return seconds since the first slice, long pauses cut; slice numbers if there is no clock."""
    starts = [row.get("start_unix_s") for row in rows]
    known = [start for start in starts if start is not None]
    if len(known) < len(starts) or known != sorted(known):
        return [float(place) for place in range(len(rows))], 0, False
    places, pauses = [0.0], 0
    for before, after in pairwise(known):
        step = after - before
        pauses += step > _PAUSE_S
        places.append(places[-1] + (_SHOWN_S if step > _PAUSE_S else step))
    return [round(place, 2) for place in places], pauses, True


def _listed(place: float, row: Row, names: dict[int, CellResult]) -> tuple[str, ...]:
    """Return a slice as a table row: a text for each measure that some slice has."""
    figures = (words.number(row["throughput"]), *(words.number(of(row)) for _, _, of in MACHINE))
    why = ", ".join(row.get("disturbed") or ())
    return (f"{place:g}", str(row["session"] + 1), words.label(names[id(row)]), *figures, why)


def _plotted(
    group: Sequence[CellResult], shown: Sequence[tuple[float, Row]], names: dict[int, CellResult]
) -> dict[str, Any]:
    """Return columns of equal length; null if a cell has no slice there."""
    machine = [
        {"name": name, "unit": unit, "values": [_short(measure(row)) for _, row in shown]}
        for name, unit, measure in MACHINE
        if any(measure(row) is not None for _, row in shown)
    ]
    return {
        "title": words.group_title(group[0]),
        "unit": group[0].throughput_unit,
        "at": [place for place, _ in shown],
        "session": [row["session"] for _, row in shown],
        "disturbed": [", ".join(row.get("disturbed") or ()) for _, row in shown],
        "cells": [
            {
                **look(place, result),
                "values": [
                    _short(row["throughput"]) if names[id(row)] is result else None
                    for _, row in shown
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
