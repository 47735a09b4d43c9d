"""What the report of a campaign over several hosts says about them: the typical host, and each.

Each cell is shown host by host: its result from one host's rows beside that from all hosts.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from ...base import strictjson
from ...row import Row
from ..figures import style
from ..report import Lines, Part
from ..results import CellResult, Source, every_cell, words
from ..results.hosts import NAMELESS, Machine, findings, host_of, names
from ..series import Column, Line, Plot, Series, View, flat, plain
from ..stats import Floats
from . import cell_columns

FILE = "hosts.json"
# The largest share of comparisons that name a host although all are alike.
_FALSE_ALARMS = 0.05
_LEAST = 4  # hosts: nobody can say which of two is the odd one, and of three hardly
LEGEND = (
    "whiskers: the 95 % interval of each host's own rounds; band: that of the typical host; "
    "open: a host that disagrees with the others"
)
RULE = (
    "a host disagrees when its ratio is further from the mean over the other hosts than these "
    "are apart (externally studentized, Bonferroni over hosts and devices), and its own interval "
    "does not hold that mean; where none is odd and they differ as normal numbers do, one is named "
    f"in {100 * _FALSE_ALARMS:.0f} of 100 comparisons at most; of fewer than "
    f"{_LEAST} hosts none is"
)


@dataclass(eq=False)
class OnHost:
    """A cell on one host. `points` is its overhead minus the mean over the others, a fraction.

    It `disagrees` if the rule of `apart` says so and its own interval excludes the mean over the
    others, so that a host with few rounds is not named for their noise.
    """

    host: str
    result: CellResult
    off: CellResult | None  # what it was compared with there
    points: float | None = None
    disagrees: bool = False

    @property
    def verdict(self) -> str:
        return "no result" if self.result.failed else "disagrees" if self.disagrees else ""


@dataclass(frozen=True, eq=False)
class Spread:
    """A cell on all hosts that have it: the typical host, and each."""

    typical: CellResult
    hosts: tuple[OnHost, ...] = field(repr=False)


def spreads(rows: Sequence[Row], results: Sequence[CellResult]) -> list[Spread]:
    """Return a spread for each result that is no baseline; none if no row names a host.

    Errors: as `every_cell`.
    """
    alone = {
        host: {
            result.cell: result
            for result in every_cell([row for row in rows if host_of(row) == host])
        }
        for host in names(rows)
    }
    return [_spread(result, alone) for result in results if alone and not result.is_baseline]


def _spread(typical: CellResult, alone: Mapping[str, Mapping[str, CellResult]]) -> Spread:
    hosts = [
        OnHost(host or NAMELESS, its[typical.cell], its.get(typical.baseline or ""))
        for host, its in alone.items()
        if typical.cell in its
    ]
    costs = [(host, host.result.overhead) for host in hosts]
    known = [(host, 1 - cost) for host, cost in costs if cost is not None and cost < 1]
    if len(known) > 1:
        logs = np.log([ratio for _, ratio in known])
        others = 1 - np.exp(logs - from_the_others(logs))
        named = disagree(logs, logs.size * (typical.compared or 1))
        for (one, ratio), mean, is_odd in zip(known, others.tolist(), named.tolist(), strict=True):
            one.points = 1 - ratio - mean
            one.disagrees = is_odd and one.result.interval.side(mean) not in (0, None)
    return Spread(typical, tuple(hosts))


def from_the_others(logs: Floats) -> Floats:
    """Return how far each host's log ratio exceeds the mean over the others."""
    difference: Floats = (logs - logs.mean()) * logs.size / (logs.size - 1)
    return difference


def disagree(logs: Floats, tests: int) -> NDArray[np.bool_]:
    """Return which of these hosts disagree, with `tests` hosts tested in all (Bonferroni).

    `logs` has the logarithm of each host's ratio; with fewer than `_LEAST` hosts none disagrees. A
    host is compared with the mean of the others, in units of how far these are apart: the
    externally studentized residual (Cook and Weisberg, Residuals and Influence in Regression, 1982,
    section 2.2.2). For hosts that are all alike it is Student's t with two degrees of freedom less
    than there are hosts. So if all hosts differ much from each other, none of them is named.
    """
    if logs.size < _LEAST:
        return np.zeros(logs.size, dtype=bool)
    freedom = logs.size - 2
    apart = from_the_others(logs)
    spreads = np.array([np.delete(logs, place).std(ddof=1) for place in range(logs.size)])
    errors = spreads * math.sqrt(1 + 1 / (logs.size - 1))
    t = np.divide(np.abs(apart), errors, out=np.zeros_like(apart), where=errors > 0)
    chance = 2 * stdtr(freedom, -t) * tests
    disagreeing: NDArray[np.bool_] = chance < _FALSE_ALARMS
    return disagreeing


def series(spread: Spread) -> Series[OnHost]:
    """Return the hosts of a cell, and the typical one as the last point."""
    typical = spread.typical
    name, group = words.label(typical), words.group_title(typical)
    last = OnHost("typical host", typical, None)
    label = f"overhead against {words.against(typical)}, % of throughput"
    shown = "host _counts _off overhead overhead_from_the_others _verdict"

    def line(each: OnHost) -> Line:
        marker, colour = ("D", style.INK) if each is last else ("o", "")
        return Line("", typical.device, "-", marker, colour, is_open=each.disagrees)

    off: Column[OnHost] = Column(
        "_off", f"{words.reference([typical])}\n{typical.unit.name}",
        of=lambda each: each.off and each.off.throughput, only_wide=True,
    )  # fmt: skip
    return Series(
        axis="host",
        subject=f"{name}: {group}",
        points=[*spread.hosts, last],
        columns=[*_COLUMNS, off],
        views=[View(f"{name}, host by host: {group}", shown)],
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
    *plain("disagrees sessions rounds"),
    Column("_verdict", "verdict", "text", "verdict"),
)  # fmt: skip


def kept(folder: Path | None) -> dict[str, Mapping[str, Any]]:
    """Return what a campaign kept about its hosts, by name; empty if the file cannot be read.

    That is their machines, the findings of `doctor`, and why a host was lost.
    """
    content = strictjson.read(folder / FILE) if folder else None
    every = content if isinstance(content, list) else []
    return {str(host.get("name") or NAMELESS): host for host in every if isinstance(host, Mapping)}


def parts(every: Sequence[Spread], of: Source) -> list[Part]:
    """Return the parts about hosts; none if rows name no host."""
    if not every:
        return []
    return [
        Lines([*map(sentence, every), RULE], "Hosts"),
        *(table for spread in every for table in series(spread).tables()),
        Lines(_machines(of), "Machines"),
    ]


def sentence(spread: Spread) -> str:
    """Return e.g. nvme costs 41 % [38, 44] on the typical of 5 hosts, which differ by SD 3."""
    typical, label = spread.typical, words.label(spread.typical)
    if typical.failed or typical.overhead is None:
        return f"{label}: no overhead is known on any host"
    cost = f"{label} costs {words.overhead(typical)}"
    if typical.hosts < 2:
        return f"{cost} on one host: how hosts differ is not known"
    sd = typical.variance.sd_between_hosts  # beyond what their sessions explain
    points = words.percent((1 - typical.overhead) * (sd or 0.0))
    differ = "" if sd is None else f", which differ by SD {points} points"
    odd = [each for each in spread.hosts if each.disagrees]
    said = ", ".join(f"{each.host} ({words.overhead(each.result)})" for each in odd)
    does = "disagrees" if len(odd) == 1 else "disagree"
    named = f"; {said} {does} with the others" if odd else ""
    return f"{cost} on the typical of {typical.hosts} hosts{differ}{named}"


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


def content(every: Sequence[Spread], of: Source) -> dict[str, Any]:
    """Return the same for programs, as fractions; empty if rows name no host."""
    if not every:
        return {}
    hosts = [
        flat(each, _COLUMNS)
        | {"failures": list(each.result.failures), "typical": spread.typical.overhead}
        for spread in every
        for each in spread.hosts
    ]
    return {"hosts": hosts, "hosts_lost": lost(of), "hosts_rule": RULE}
