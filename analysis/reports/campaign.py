"""The report of a campaign: what the WAL costs on its devices, why, and what proves it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.inputs import FAIL, PASS, SKIP
from .. import published
from ..figures import devices as figures
from ..figures import points
from ..report import Lines, Part, Report, Table, Verdict
from ..results import CellResult, by_group, every_cell, read, twins, words
from ..results.facts import GROWN
from ..series import Column, table
from ..variance import LEVELS
from . import cell_columns, hosts, latencies, summary
from .campaign_end import NAME, Ended, believed, ended_as, target_missed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NAMED = 6  # most intervals on a line; summary.json has more
_BUSY = 0.8  # of all CPU time; above it a request waits for CPUs as well


def devices(
    campaigns: Sequence[Path],
    *,
    stop_reason: str | None = None,
    target_half_width: float | None = None,
    ended_early: Collection[str] = (),
) -> Report:
    """Report what the WAL costs on each device of these campaigns, taken together.

    `stop_reason` says why the campaign ended, `target_half_width` how narrow, as a fraction, its
    intervals were to be, and `ended_early` which workloads it ended early. Without a reason, what
    the folder's earlier report recorded is kept. Errors: as `load`.
    """
    of = read(campaigns)
    ended = Ended(stop_reason, target_half_width, tuple(ended_early))
    if of.folder and not stop_reason:
        ended = ended_as(of.folder, ended)
    stop_reason, target_half_width = ended.stop_reason, ended.target_half_width
    replicas = twins(of.rows)
    results = believed(every_cell(of.rows, target_half_width, replicas), ended)
    groups, on_hosts = by_group(results), hosts.of_cells(of.rows, results)
    content = dict(
        target_half_width=target_half_width,
        target_missed=target_missed(results, target_half_width),
        stop_reason=stop_reason,
        ended_early=list(ended.early),
        verdicts=[words.verdict(group) for group in groups],
        cells=[summary.cell(result) for result in results],
        **({"twins": [summary.twin(replica) for replica in replicas]} if replicas else {}),
        **hosts.content(on_hosts, of),
    )
    lost = hosts.lost(of)
    drawn: dict[str, Callable[[], Figure]] = {
        "overhead": lambda: figures.overheads(results, of.origin)
    }
    if on_hosts:
        legend = hosts.LEGEND
        drawn["hosts"] = lambda: points.draw_sideways(on_hosts, of.origin, legend, width=7.4)
    # How far two equal cells came out apart, for each workload.
    names = [f"{words.subject(replica)}: " if len(replicas) > 1 else "" for replica in replicas]
    equal = [name + words.twin(replica) for name, replica in zip(names, replicas, strict=True)]
    several = "Several campaigns: only this table; each folder keeps its own files."
    return cell_columns.report(
        of,
        NAME,
        parts=[*parts(results), *hosts.parts(on_hosts, of), Lines(equal)],
        content=content,
        lines=summary.lines(results),
        figures=drawn if results else {},  # perhaps only a baseline's twin was measured
        warnings=[*of.warnings, *(f"host {host} was lost: {why}" for host, why in lost.items())],
        remarks=[several] if len(campaigns) > 1 else [],
        results=results,
        beside=[published.study_of([result]) for result in results],
    )


def parts(results: Sequence[CellResult]) -> list[Part]:
    """Return all parts about each comparison group."""
    return [
        part
        for group in by_group(results)
        for part in (
            Verdict(words.verdict(group)),
            _costs(group),
            *_per_request([result for result in group if not result.failed]),
            *latencies.table(group),
            Lines(_doubts(group) + _busy(group) + _at_once(group) + _measured(group)),
            Lines(_workload(group), "Workload"),
            cell_columns.evidence(group, words.label, _warnings(group), folders=True),
        )
    ]


def _costs(group: Sequence[CellResult]) -> Table:
    unit = group[0].unit
    lacking = words.no_off(group)
    against = f"\noverheads are against {words.against(group[0])}: {lacking}" if lacking else ""
    columns: list[Column[CellResult]] = [
        cell_columns.LABEL,
        Column("throughput", unit.name, text=cell_columns.throughput),
        cell_columns.OVERHEAD,
        Column("overhead_median_of_ratios", "median %", "%", only_wide=True),
        Column("added_us_per_request", f"added us\nper {unit.counted_request}", only_wide=True),
    ]
    if any(map(_unclear, group)):
        columns.append(Column("_verdict", "verdict", "text", _unclear))
    shown = published.columns(columns, published.study_of(group))
    return table(words.group_title(group[0]) + against, group, shown)


def _unclear(result: CellResult) -> str:
    return "no result" if result.failed else words.unclear(result)


def _per_request(group: Sequence[CellResult]) -> list[Table]:
    """Return the second table, of the cells with a result; none if the rows cannot fill it."""
    if not any(result.facts["requests"] for result in group):
        return []
    first = group[0]
    # A client's context switches are its round trips, and say nothing about the log.
    served = first.served
    own = [_fact("context_switches_per_request", "switches", "switch")]
    columns = [
        cell_columns.LABEL,
        _fact("wal_bytes_per_request", "WAL bytes", "WAL B"),
        _fact("syncs_per_request", "syncs"),
        _fact("tap_sync_us_p50", "sync p50 us", "p50 us"),
        _fact("tap_sync_us_p99", "p99 us"),
        _fact("commits_per_group", "group"),
        _fact("cpu_us_per_request", "client\nCPU us" if served else "CPU us"),
        *([_fact("cpu_server_us_per_request", "server\nCPU us")] if served else own),
    ]
    return [table(f"Per {first.unit.request}, warm-up included", group, columns)]


def _fact(name: str, heading: str, compact: str = "") -> Column[CellResult]:
    """Return a column for a fact about the cell."""
    return Column(name, heading, of=f"facts.{name}", compact=compact)


def _doubts(group: Sequence[CellResult]) -> list[str]:
    """List each doubt once, naming its cells unless all compared cells share it."""
    compared = [words.label(result) for result in group if not result.is_baseline]
    said = ((words.label(result), doubt.text) for result in group for doubt in result.doubts)
    return words.once(said, compared)


def _busy(group: Sequence[CellResult]) -> list[str]:
    """Say what a log costs by its CPU time alone, where its baseline leaves hardly any CPU idle."""
    lines = []
    for base in (result for result in group if result.is_baseline):
        share, own_us = base.cpu_share or 0.0, base.facts["cpu_all_us_per_request"] or 0.0
        costs = [
            f"{words.percent(1 - own_us / cpu_us)} % on {words.label(result)}"
            for result in group
            if result.at.baseline == base.at != result.at
            and (cpu_us := result.facts["cpu_all_us_per_request"])
        ]
        if share >= _BUSY and costs:
            busy = f"{words.label(base)} keeps the CPUs {words.percent(share)} % busy"
            own = f"the CPU time that a log adds would by itself cost {', '.join(costs)}"
            lines.append(f"{busy}: {own}; with idle CPUs a log costs less")
    return lines


def _at_once(group: Sequence[CellResult]) -> list[str]:
    """Return a line with the intervals that hold simultaneously, if there are a few."""
    compared = [
        result for result in group if result.compared > 1 and result.low_simultaneous is not None
    ]
    if not 0 < len(compared) <= _NAMED:
        return []
    said = [
        f"{words.label(result)} {words.bounds(result.low_simultaneous, result.high_simultaneous)}"
        for result in compared
        if result.low_simultaneous != result.low or result.high_simultaneous != result.high
    ]
    return (
        [f"95 % intervals that hold for all {compared[0].compared} at once: {', '.join(said)}"]
        if said
        else []
    )


def _measured(group: Sequence[CellResult]) -> list[str]:
    """Say how much was measured, how wide the widest interval is, and why."""
    known = [result for result in group if not result.is_baseline and result.half_width is not None]
    if not known:
        return []
    widest = max(known, key=lambda result: result.half_width or 0.0)
    sessions = max(result.sessions for result in group)
    rounds = max(result.rounds for result in group)
    target = widest.target_half_width
    wanted = "" if target is None else f" (target {words.percent(target)})"
    counts = f"{rounds} rounds in {sessions} session{'s' if sessions > 1 else ''}"
    width = f"widest half-width {words.percent(widest.half_width)} points{wanted}"
    on = f" on {widest.hosts} host{'s' if widest.hosts > 1 else ''}" if widest.hosts else ""
    return [f"{counts}{on}{_occasions(widest)}; {width}", *_variance(widest)]


def _occasions(result: CellResult) -> str:
    if result.occasions < 2:
        return ", within this occasion"
    sd, said = result.variance["sd_between_occasions"], f" on {result.occasions} occasions"
    if sd is None or result.overhead is None:
        return said
    points = words.percent((1 - result.overhead) * sd)
    return f"{said}, SD between them {points} points on {words.label(result)}"


def _variance(result: CellResult) -> list[str]:
    """Say where the variance of the widest interval comes from."""
    shares = [(result.variance[f"share_of_{level}"], level) for level in LEVELS]
    said = [f"{100 * share:.0f} % between {name}" for share, name in shares if share is not None]
    label = words.label(result)
    return [f"variance of the widest interval, {label}: {', '.join(said)}"] if len(said) > 1 else []


def _workload(group: Sequence[CellResult]) -> list[str]:
    """Say what the cells' workload did; an empty list if the rows do not."""
    levels = dict.fromkeys(level for result in group if (level := result.facts["isolation"]))
    lines = [f"isolation: {', '.join(levels)}"] if levels else []
    lines += [
        f"{words.label(result)}: {'; '.join(did)}" for result in group if (did := _did(result))
    ]
    if any(result.facts["data_growth"] is not None for result in group):
        lines.append("a database that grows within a session changes its own speed")
    return lines


def _did(result: CellResult) -> list[str]:
    facts = result.facts
    growths = {"data_growth": "the database"} | {name: of.what for name, of in GROWN.items()}
    clauses = [
        f"{what} grew by {words.percent(facts[name])} %"
        for name, what in growths.items()
        if facts[name] is not None
    ]
    if (conflicts := facts["conflicts_per_thousand_requests"]) is not None:
        said = words.number(conflicts)
        clauses.append(f"{said} conflicts per 1,000 {result.unit.request}s")
    if facts["inputs"]:
        counts = Counter(rule.verdict for rule in facts["inputs"])
        drawn = [f"{counts[word]} {word}" for word in (PASS, FAIL, SKIP) if counts[word]]
        clauses.append(f"inputs: {', '.join(drawn)}")
    return clauses


def _warnings(group: Sequence[CellResult]) -> list[str]:
    """List each warning once with its cells, without the warnings that are doubts."""
    doubted = {doubt.text for result in group for doubt in result.doubts}
    said = ((words.label(result), text) for result in group for text in result.warnings)
    return words.once((name, text) for name, text in said if text not in doubted)
