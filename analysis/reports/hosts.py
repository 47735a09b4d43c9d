"""What the report of a campaign over several hosts says about them: the typical host, and each.

Each cell is shown host by host: its result from one host's rows beside that from all hosts.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

from ...base import strictjson
from ...row import Row
from ..report import Lines, Part
from ..results import CellResult, Source, every_cell, words
from ..results.hosts import NAMELESS, Machine, findings, host_of, names
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
    Column(
        "_counts", "rounds in\nsessions",
        text=lambda each: f"{each.result.rounds:,} in {each.result.sessions:,}",
    ),
    *plain("sessions rounds"),
    Column("throughput"),
    cell_columns.OVERHEAD,
    Column("typical", of="typical.overhead"),
)  # fmt: skip
_SHOWN = "host _label _counts overhead"


def of_cells(rows: Sequence[Row], results: Sequence[CellResult]) -> Series[OnHost]:
    """Return each cell that is no baseline on each of its hosts; no point if no row names a host.

    Errors: as `every_cell`.
    """
    alone = {
        host: {
            result.cell: result
            for result in every_cell([row for row in rows if host_of(row) == host])
        }
        for host in names(rows)
    }
    compared = [result for result in results if alone and not result.is_baseline]
    points = [
        OnHost(host or NAMELESS, its[typical.cell], typical)
        for typical in compared
        for host, its in alone.items()
        if typical.cell in its
    ]
    views = [
        View(f"{title}, host by host", _SHOWN, partial(_is_of, title))
        for title in dict.fromkeys(map(words.group_title, compared))
    ]
    said = [_said(typical, [at for at in points if at.typical is typical]) for typical in compared]
    return Series("host", "Hosts", points, _COLUMNS, views, sentences=said)


def kept(folder: Path | None) -> dict[str, Mapping[str, Any]]:
    """Return what a campaign kept about its hosts, by name; empty if the file cannot be read.

    That is their machines, the findings of `doctor`, and why a host was lost.
    """
    content = strictjson.read(folder / FILE) if folder else None
    every = content if isinstance(content, list) else []
    return {str(host.get("name") or NAMELESS): host for host in every if isinstance(host, Mapping)}


def _is_of(title: str, of: OnHost) -> bool:
    return words.group_title(of.typical) == title


def parts(of_hosts: Series[OnHost], of: Source) -> list[Part]:
    """Return the parts about hosts; none if rows name no host."""
    if not of_hosts.points:
        return []
    return [
        Lines(of_hosts.sentences, of_hosts.subject),
        *of_hosts.tables(),
        Lines(_machines(of), "Machines"),
    ]


def _said(typical: CellResult, each: Sequence[OnHost]) -> str:
    """Return e.g. nvme costs 41 % [38, 44] on the typical of 5 hosts, 36 to 46 % on each."""
    label = words.label(typical)
    if typical.failed or typical.overhead is None:
        return f"{label}: no overhead is known on any host"
    cost = f"{label} costs {words.overhead(typical)}"
    if typical.hosts < 2:
        return f"{cost} on one host: how hosts differ is not known"
    known = [at.result.overhead for at in each if at.result.overhead is not None]
    ends = f"{words.percent(min(known))} to {words.percent(max(known))} %"
    return f"{cost} on the typical of {typical.hosts} hosts, {ends} on single ones"


def _machines(of: Source) -> list[str]:
    """Return a line for each host of the campaign, including those that measured nothing."""
    measured = {host_of(row) or NAMELESS for row in of.rows}
    lines = []
    for name, host in kept(of.folder).items():
        clauses = ["" if name in measured else "measured nothing"]
        clauses.append(f"LOST: {host['lost']}" if host.get("lost") else "")
        with contextlib.suppress(KeyError, TypeError, ValueError):  # not everything is known
            machine = Machine(*(host["machine"][fact.name] for fact in fields(Machine)))
            clauses.insert(0, machine.words)
        said = "; ".join(filter(None, clauses))
        lines.append(f"{name}: {said or 'its machine was not recorded'}")
        lines += [
            f"  doctor: {check} {state}: {text}"
            for check, state, text in findings(host.get("doctor"))
            if state != "ok"
        ]
    return lines


def lost(of: Source) -> dict[str, str]:
    """Return why the campaign lost some of its hosts, by name."""
    return {name: str(host["lost"]) for name, host in kept(of.folder).items() if host.get("lost")}


def content(of_hosts: Series[OnHost], of: Source) -> dict[str, Any]:
    """Return the same for programs, as fractions; empty if rows name no host."""
    hosts = [
        line | {"failures": list(point.result.failures)}
        for line, point in zip(of_hosts.lines(), of_hosts.points, strict=True)
    ]
    return {"hosts": hosts, "hosts_lost": lost(of)} if hosts else {}
