"""What the report of a campaign over several hosts says about them: the typical host, and each.

Each cell is shown host by host: its result from one host's rows beside that from all hosts.
"""

from __future__ import annotations

import contextlib
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from ...base import strictjson
from ...row import Row
from ..figures import style
from ..report import Lines, Part
from ..results import CellResult, Source, every_cell, words
from ..results.hosts import NAMELESS, Machine, findings, host_of, names
from ..series import Column, Line, Plot, Series, View, flat, plain
from . import cell_columns

FILE = "hosts.json"
LEGEND = "whiskers: the 95 % interval of each host's own rounds; band: that of the typical host"


@dataclass(frozen=True, eq=False)
class OnHost:
    """A cell on one host. `points` is its overhead minus the mean over the others, a fraction."""

    host: str
    result: CellResult
    off: CellResult | None  # what it was compared with there
    points: float | None = None


def of_cells(rows: Sequence[Row], results: Sequence[CellResult]) -> list[Series[OnHost]]:
    """Return the hosts of each cell that is no baseline; an empty list if no row names a host.

    Errors: as `every_cell`.
    """
    alone = {
        host: {
            result.cell: result
            for result in every_cell([row for row in rows if host_of(row) == host])
        }
        for host in names(rows)
    }
    return [_series(result, alone) for result in results if alone and not result.is_baseline]


def _points(of: OnHost, hosts: Sequence[OnHost]) -> float | None:
    """Return how much more the cell costs here than on the others, by their geometric mean."""
    mine = of.result.overhead
    costs = [host.result.overhead for host in hosts if host is not of]
    logs = [math.log(1 - cost) for cost in costs if cost is not None and cost < 1]
    if mine is None or mine >= 1 or not logs:
        return None
    return mine - 1 + math.exp(statistics.mean(logs))


def _series(typical: CellResult, alone: Mapping[str, Mapping[str, CellResult]]) -> Series[OnHost]:
    """Return the hosts that have a cell, and the typical one as the last point."""
    hosts = [
        OnHost(host or NAMELESS, its[typical.cell], its.get(typical.baseline or ""))
        for host, its in alone.items()
        if typical.cell in its
    ]
    name, group = words.label(typical), words.group_title(typical)
    last = OnHost("typical host", typical, None)
    label = f"overhead against {words.against(typical)}, % of throughput"
    shown = "host _counts _off overhead overhead_from_the_others"

    def line(each: OnHost) -> Line:
        marker, colour = ("D", style.INK) if each is last else ("o", "")
        return Line("", typical.device, "-", marker, colour)

    off: Column[OnHost] = Column(
        "_off", f"{words.against(typical)}\n{typical.unit.name}",
        of=lambda each: each.off and each.off.throughput, only_wide=True,
    )  # fmt: skip
    return Series(
        axis="host",
        subject=f"{name}: {group}",
        points=[*(replace(host, points=_points(host, hosts)) for host in hosts), last],
        columns=[*_COLUMNS, off],
        views=[View(f"{name}, host by host: {group}", shown)],
        sentences=[_sentence(typical)],
        at=lambda each: f"{each.host} {words.FAILED if each.result.failed else ''}".rstrip(),
        line=line,
        plots=[Plot(label, "overhead", mark=0.0, band=typical.interval.scaled(100))],
    )


_COLUMNS: tuple[Column[OnHost], ...] = (
    Column("host", "host", "text"),
    Column("cell"),
    Column(
        "_counts", "rounds in\nsessions",
        text=lambda host: f"{host.result.rounds:,} in {host.result.sessions:,}",
    ),
    Column("throughput"),
    cell_columns.OVERHEAD,
    Column(
        "overhead_from_the_others", "points from\nthe others", "%", "points", compact="points"
    ),
    *plain("sessions rounds"),
)  # fmt: skip


def kept(folder: Path | None) -> dict[str, Mapping[str, Any]]:
    """Return what a campaign kept about its hosts, by name; empty if the file cannot be read.

    That is their machines, the findings of `doctor`, and why a host was lost.
    """
    content = strictjson.read(folder / FILE) if folder else None
    every = content if isinstance(content, list) else []
    return {str(host.get("name") or NAMELESS): host for host in every if isinstance(host, Mapping)}


def parts(every: Sequence[Series[OnHost]], of: Source) -> list[Part]:
    """Return the parts about hosts; none if rows name no host."""
    if not every:
        return []
    return [
        Lines([said for series in every for said in series.sentences], "Hosts"),
        *(table for series in every for table in series.tables()),
        Lines(_machines(of), "Machines"),
    ]


def _sentence(typical: CellResult) -> str:
    """Return e.g. nvme costs 41 % [38, 44] on the typical of 5 hosts, which differ by SD 3."""
    label = words.label(typical)
    if typical.failed or typical.overhead is None:
        return f"{label}: no overhead is known on any host"
    cost = f"{label} costs {words.overhead(typical)}"
    if typical.hosts < 2:
        return f"{cost} on one host: how hosts differ is not known"
    sd = typical.variance["sd_between_hosts"]  # beyond what their sessions explain
    points = words.percent((1 - typical.overhead) * (sd or 0.0))
    differ = "" if sd is None else f", which differ by SD {points} points"
    return f"{cost} on the typical of {typical.hosts} hosts{differ}"


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


def content(every: Sequence[Series[OnHost]], of: Source) -> dict[str, Any]:
    """Return the same for programs, as fractions; empty if rows name no host."""
    if not every:
        return {}
    hosts = [
        flat(each, _COLUMNS)
        | {"failures": list(each.result.failures), "typical": typical.result.overhead}
        for series in every
        for *others, typical in [series.points]
        for each in others
    ]
    return {"hosts": hosts, "hosts_lost": lost(of)}
