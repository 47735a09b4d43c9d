"""The report of a campaign: what the WAL costs on its devices, why, and what proves it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

from .. import published
from ..figures import devices as figures
from ..report import Lines, Part, Report, Table, Verdict
from ..results import CellResult, by_group, every_cell, read, twins, words
from ..results.facts import GROWN
from ..series import Column, table
from . import cell_columns, hosts, latencies, summary
from .campaign_end import NAME, Ended, believed, ended_as, target_missed

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
    ended = ended_as(of.folder, Ended(stop_reason, target_half_width, tuple(ended_early)))
    stop_reason, target_half_width = ended.stop_reason, ended.target_half_width
    replicas = twins(of.rows)
    results = believed(every_cell(of.rows, target_half_width, replicas), ended)
    groups, on_hosts = by_group(results), hosts.by_host(of, results)
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
        # Perhaps only a baseline's twin was measured.
        figures={"overhead": lambda: figures.overheads(results, of.origin)} if results else {},
        warnings=[*of.warnings, *(f"host {host} was lost: {why}" for host, why in lost.items())],
        remarks=[several] if len(campaigns) > 1 else [],
        results=results,
        beside=published.of(results),
    )


def parts(results: Sequence[CellResult]) -> list[Part]:
    """Return all parts about each comparison group."""
    return [
        part
        for group in by_group(results)
        for part in (
            Verdict(words.verdict(group)),
            _costs(group),
            *_per_request(group),
            *latencies.table(group),
            Lines(_doubts(group) + _busy(group) + _measured(group)),
            *_workload(group),
            *cell_columns.evidence(group, _warnings(group)),
        )
    ]


def _costs(group: Sequence[CellResult]) -> Table:
    unit = group[0].unit
    lacking = words.no_off(group)
    against = f"\noverheads are against {words.against(group[0])}: {lacking}" if lacking else ""
    columns: list[Column[CellResult]] = [
        cell_columns.LABEL,
        Column("throughput", unit.name, text=cell_columns.throughput),
        published.column("throughput"),
        cell_columns.OVERHEAD,
        published.column("overhead", "%"),
        Column("overhead_median_of_ratios", "median %", "%", only_wide=True),
        Column("added_us_per_request", f"added us\nper {unit.counted_request}", only_wide=True),
        Column("_verdict", "verdict", "text", _unclear),
    ]
    return table(words.group_title(group[0]) + against, group, columns)


def _unclear(result: CellResult) -> str:
    return "no result" if result.failed else words.unclear(result)


def _per_request(group: Sequence[CellResult]) -> list[Part]:
    """Return the second table, of the cells with a result; none if the rows cannot fill it."""
    first = group[0]
    # A client's context switches are its round trips, and say nothing about the log.
    switches = "" if first.served else "context_switches_per_request"
    columns: list[Column[CellResult]] = [
        cell_columns.fact("wal_bytes_per_request", "WAL\nbytes"),
        cell_columns.fact("syncs_per_request", "syncs"),
        Column("tap_sync_us_p50", "sync\np50 us", of=partial(_of_syncs, "tap_sync_us_p50")),
        Column("tap_sync_us_p99", "p99 us", of=partial(_of_syncs, "tap_sync_us_p99")),
        cell_columns.fact("commits_per_group", "group"),
        cell_columns.fact("cpu_us_per_request", "client\nCPU us" if first.served else "CPU us"),
        cell_columns.fact("cpu_server_us_per_request", "server\nCPU us"),
        Column("_switches", "context\nswitches", of=lambda of: of.facts.get(switches)),
    ]
    known = [result for result in group if not result.failed]
    return cell_columns.known(f"Per {first.unit.request}, warm-up included", known, columns)


def _of_syncs(name: str, result: CellResult) -> float | None:
    """Return a fact about syncs of commits; None in `flush`, which syncs a log as it is closed."""
    return result.facts[name] if result.facts["syncs_per_request"] else None


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
    several = widest.occasions > 1
    within = f" on {widest.occasions} occasions" if several else ", within this occasion"
    return [f"{counts}{on}{within}; {width}"]


def _workload(group: Sequence[CellResult]) -> list[Part]:
    """Return a table of what the cells' workload did; none if the rows do not say."""
    first = group[0]
    columns: list[Column[CellResult]] = [
        Column("isolation", "isolation", "text", "facts.isolation"),
        Column("data_growth", "database\ngrew %", "%", "facts.data_growth"),
        *(Column(name, f"{by.what}\ngrew %", "%", f"facts.{name}") for name, by in GROWN.items()),
        Column(
            "conflicts", f"conflicts per\n1,000 {first.unit.request}s",
            of="facts.conflicts_per_thousand_requests",
        ),
    ]  # fmt: skip
    return cell_columns.known("Workload", group, columns)


def _warnings(group: Sequence[CellResult]) -> list[str]:
    """List each warning once with its cells, without the warnings that are doubts."""
    doubted = {doubt.text for result in group for doubt in result.doubts}
    said = ((words.label(result), text) for result in group for text in result.warnings)
    return words.once((name, text) for name, text in said if text not in doubted)
