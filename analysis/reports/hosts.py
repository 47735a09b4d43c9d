"""What the report of a campaign over several hosts says of them: the typical one, and each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ... import strictjson
from ..hosts import OnHost, Spread
from ..hosts.apart import FALSE_ALARMS, LEAST
from ..report import Column, Lines, Part, Table, numbers
from ..results import CellResult, Source, words
from ..results.hosts import NAMELESS, host_of
from . import cells

FILE = "hosts.json"
_OK = "ok"
RULE = (
    "a host disagrees when its ratio is further from the mean over the other hosts than these "
    "are apart (externally studentized, Bonferroni over hosts and devices), and its own interval "
    "does not hold that mean; where none is odd and they differ as normal numbers do, one is named "
    f"in {100 * FALSE_ALARMS:.0f} of 100 comparisons at most; of fewer than {LEAST} hosts none is"
)


@dataclass(frozen=True)
class Host:
    """What a campaign keeps of a host: of its machine and its doctor sentences; why it was lost."""

    name: str
    machine: str
    doctor: tuple[str, ...]
    lost: str


def kept(folder: Path | None) -> list[Host]:
    """Of the campaign in this folder; nothing where its file is not there or cannot be read."""
    try:
        found = strictjson.loads(((folder or Path()) / FILE).read_bytes()) if folder else []
    except (OSError, ValueError):
        return []
    every = found if isinstance(found, list) else []
    return [_host(one) for one in every if isinstance(one, Mapping)]


def _host(one: Mapping[str, Any]) -> Host:
    machine, doctor = one.get("machine"), one.get("doctor")
    facts = machine if isinstance(machine, Mapping) else {}
    findings = doctor if isinstance(doctor, list) else []
    told = [_finding(each) for each in findings if isinstance(each, Mapping)]
    return Host(
        name=str(one.get("name") or NAMELESS),
        machine=_machine(facts),
        doctor=tuple(filter(None, told)),
        lost=str(one.get("lost") or ""),
    )


def _machine(facts: Mapping[str, Any]) -> str:
    cores, memory = facts.get("cores"), facts.get("memory_gib")
    said = [
        f"{cores or '?'} x {facts['cpu_model']}" if facts.get("cpu_model") else "",
        f"{memory:g} GiB" if isinstance(memory, (int, float)) else "",
        f"kernel {facts['kernel']}" if facts.get("kernel") else "",
    ]
    return ", ".join(filter(None, said))


def _finding(one: Mapping[str, Any]) -> str:
    """Empty where the machine is fine."""
    check, state, text, advice = (str(one.get(k) or "") for k in _FINDING)
    if state == _OK:
        return ""
    return f"{check} {state}: {text}; {advice}" if advice else f"{check} {state}: {text}"


_FINDING = ("check", "state", "text", "advice")


def parts(spreads: Sequence[Spread], of: Source) -> list[Part]:
    """Nothing where rows name no host."""
    if not spreads:
        return []
    known = kept(of.folder)
    return [
        Lines([*map(sentence, spreads), RULE], "Hosts"),
        *map(_table, spreads),
        Lines(_told(known, of), "Machines"),
    ]


def sentence(one: Spread) -> str:
    """E.g. nvme costs 41 % [38, 44] on the typical of 5 hosts, which differ by SD 3 points."""
    found, label = one.typical, words.label(one.typical)
    if found.failed or found.overhead is None:
        return f"{label}: no overhead is known on any host"
    cost = f"{label} costs {words.overhead(found)}"
    if found.hosts < 2:
        return f"{cost} on one host: how hosts differ is not known"
    differ = "" if one.sd is None else f", which differ by SD {words.percent(one.sd)} points"
    said = [f"{each.host} ({words.overhead(each.result)})" for each in one.disagreeing]
    does = "disagrees" if len(said) == 1 else "disagree"
    odd = f"; {', '.join(said)} {does} with the others" if said else ""
    return f"{cost} on the typical of {found.hosts} hosts{differ}{odd}"


def _table(one: Spread) -> Table:
    unit = one.typical.unit.name
    columns = [
        Column("host"),
        Column("rounds in\nsessions"),
        Column(f"{words.reference([one.typical])}\n{unit}", only_wide=True),
        *numbers("overhead % [95 %]"),
        Column("points from\nthe others", compact="points"),
        Column("verdict", is_text=True),
    ]
    typical = one.typical
    last = _line("typical", typical, None, "", "")
    rows = [
        _line(each.host, each.result, each.off, _points(each), _verdict(each)) for each in one.hosts
    ]
    title = f"{words.label(typical)}, host by host: {words.group_title(typical)}"
    return Table(title, columns, [*rows, last])


def _line(
    host: str, one: CellResult, off: CellResult | None, points: str, verdict: str
) -> tuple[str, ...]:
    counts = f"{one.rounds:,} in {one.sessions:,}"
    rate = "" if off is None else words.number(off.throughput)
    return host, counts, rate, cells.overhead(one), points, verdict


def _points(one: OnHost) -> str:
    return words.percent(one.points)


def _verdict(one: OnHost) -> str:
    if one.result.failed:
        return "no result"
    return "disagrees" if one.disagrees else ""


def _told(known: Sequence[Host], of: Source) -> list[str]:
    """A line for each host of the campaign, those that measured nothing included."""
    measured = {host_of(row) or NAMELESS for row in of.rows}
    lines = []
    for one in known:
        clauses = [one.machine] if one.machine else []
        clauses += [] if one.name in measured else ["measured nothing"]
        clauses += [f"LOST: {one.lost}"] if one.lost else []
        lines.append(f"{one.name}: {'; '.join(clauses) or 'its machine was not recorded'}")
        lines += [f"  doctor: {finding}" for finding in one.doctor]
    return lines


def lost(of: Source) -> list[str]:
    """The hosts that a campaign lost, a warning each."""
    return [f"host {one.name} was lost: {one.lost}" for one in kept(of.folder) if one.lost]


def content(spreads: Sequence[Spread], of: Source) -> dict[str, Any]:
    """The same for programs, fractions; nothing where rows name no host."""
    if not spreads:
        return {}
    return {
        "hosts": [_content(one, each) for one in spreads for each in one.hosts],
        "hosts_lost": {one.name: one.lost for one in kept(of.folder) if one.lost},
        "hosts_rule": RULE,
    }


def _content(one: Spread, each: OnHost) -> dict[str, Any]:
    found = each.result
    return {
        "host": each.host,
        "cell": found.cell,
        "throughput": found.throughput,
        "overhead": found.overhead,
        "overhead_low": found.low,
        "overhead_high": found.high,
        "overhead_from_the_others": each.points,
        "disagrees": each.disagrees,
        "sessions": found.sessions,
        "rounds": found.rounds,
        "failures": list(found.failures),
        "typical": one.typical.overhead,
    }
