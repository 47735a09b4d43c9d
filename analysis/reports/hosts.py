"""What the report of a campaign over several hosts says about them: the typical host, and each.

Each cell is shown host by host: its result from one host's rows beside that from all hosts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...base import strictjson
from ..report import Lines, Part
from ..results import CellResult, Source, by_group, every_cell, words
from ..results.hosts import NAMELESS, host_of, names
from ..series import Column, Series, View, plain
from . import cell_columns

FILE = "hosts.json"


@dataclass(frozen=True, eq=False)
class OnHost:
    """A cell on one host, and on the typical one."""

    host: str
    result: CellResult
    typical: CellResult


_COLUMNS: tuple[Column[OnHost], ...] = (
    Column("host", "host", "text"),
    cell_columns.LABEL,
    Column("cell"),
    Column("sessions", "sessions", "count"),
    Column("rounds", "rounds", "count"),
    *plain("throughput"),
    cell_columns.OVERHEAD,
    Column("typical", of="typical.overhead"),
)


def by_host(of: Source, results: Sequence[CellResult]) -> Series[OnHost]:
    """Return the series of the cells on each host, which is empty if rows name no host.

    Errors: as `every_cell`.
    """
    alone = {
        host: {
            result.cell: result
            for result in every_cell([row for row in of.rows if host_of(row) == host])
        }
        for host in names(of.rows)
    }
    points = [
        OnHost(host or NAMELESS, its[typical.cell], typical)
        for typical in results
        for host, its in alone.items()
        if typical.cell in its and not typical.is_baseline
    ]

    def view(group: Sequence[CellResult]) -> View[OnHost]:
        title = f"{words.group_title(group[0])}, host by host"
        return View(title, of=lambda point: point.typical in group)

    said = [
        _said(typical, [at.result for at in points if at.typical is typical])
        for typical in (results if alone else ())
        if not typical.is_baseline
    ]
    return Series(points, _COLUMNS, list(map(view, by_group(results))), sentences=said)


def _said(typical: CellResult, each: Sequence[CellResult]) -> str:
    """Return e.g. nvme costs 41 % [38, 44] on the typical of 5 hosts, 36 to 46 % on each."""
    label = words.label(typical)
    if typical.failed or typical.overhead is None:
        return f"{label}: no overhead is known on any host"
    cost = f"{label} costs {words.overhead(typical)}"
    if typical.hosts < 2:
        return f"{cost} on one host: how hosts differ is not known"
    known = [result.overhead for result in each if result.overhead is not None]
    ends = f"{words.percent(min(known))} to {words.percent(max(known))} %"
    return f"{cost} on the typical of {typical.hosts} hosts, {ends} on single ones"


def kept(folder: Path | None) -> dict[str, Mapping[str, Any]]:
    """Return what a campaign kept about its hosts, by name; empty if the file cannot be read.

    That is their machines, the findings of `doctor`, and why a host was lost.
    """
    content = strictjson.read(folder / FILE) if folder else None
    every = content if isinstance(content, list) else []
    return {str(host.get("name") or NAMELESS): host for host in every if isinstance(host, Mapping)}


def lost(of: Source) -> dict[str, str]:
    """Return why the campaign lost some of its hosts, by name."""
    return {name: str(host["lost"]) for name, host in kept(of.folder).items() if host.get("lost")}


def parts(of: Series[OnHost]) -> list[Part]:
    """Return the parts about hosts; none if rows name no host."""
    return [Lines(of.sentences, "Hosts"), *of.tables()] if of.points else []


def content(every: Series[OnHost], of: Source) -> dict[str, Any]:
    """Return the same for programs, as fractions; empty if rows name no host."""
    hosts = [
        line | {"failures": list(point.result.failures)}
        for line, point in zip(every.lines(), every.points, strict=True)
    ]
    return {"hosts": hosts, "hosts_lost": lost(of)} if hosts else {}
