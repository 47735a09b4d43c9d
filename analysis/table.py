"""The report on a terminal: verdict, what it costs, why, and what proves it.

Laid out for 100 columns; a narrower terminal gets the columns that matter. Of what is then
still too wide, only devices' names are folded: half a number would be a wrong one.
"""

from __future__ import annotations

from functools import partial

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..row import Row
from . import evidence, layout, proof_lines, words, workload
from .evidence import CellEvidence
from .overhead import CellEstimate, by_group, every_cell
from .workload import CellWorkload


def live_table(rows: list[Row]) -> RenderableType:
    """The overheads so far, for redrawing while a campaign runs."""
    return Group(*(layout.ByWidth(partial(_costs, group)) for group in by_group(every_cell(rows))))


def full(rows: list[Row], estimates: list[CellEstimate], target: float | None) -> RenderableType:
    """Everything about each comparison group; `target` is the half-width that was asked for."""
    parts: list[RenderableType] = []
    for group in by_group(estimates):
        proofs = [evidence.of_cell(rows, one.cell) for one in group]
        parts += [
            Text(words.verdict(group, rows), style="bold"),
            Text(),
            layout.ByWidth(partial(_costs, group)),
            *_reasons(group, proofs),
            *_lines(_notes(group, rows, target)),
            *_titled("Workload", _workload(group, rows)),
            *_titled("Evidence", _evidence(group, proofs)),
            Text(),
        ]
    return Group(*parts)


def _costs(group: list[CellEstimate], compact: bool) -> Table:
    headers = [group[0].throughput_unit, "overhead % [95 %]"]
    counted = words.counted_request(group[0].throughput_unit)
    headers += [] if compact else ["median %", f"added us\nper {counted}"]
    lacking = words.no_off(group)
    against = f"\noverheads are against {words.reference(group)}: {lacking}" if lacking else ""
    table = layout.table(words.group_title(group[0]) + against, headers)
    table.add_column("verdict", no_wrap=True)
    for one in group:
        more = words.percent(one.overhead_median_of_ratios), words.number(one.added_us_per_request)
        table.add_row(
            words.label(one),
            layout.throughput(one),
            layout.overhead(one),
            *(() if compact else more),
            _verdict(one),
        )
    return table


def _reasons(group: list[CellEstimate], proofs: list[CellEvidence]) -> list[RenderableType]:
    """The second table, of the cells that have a result; none when the rows cannot fill it."""
    found = [pair for pair in zip(group, proofs, strict=True) if not pair[0].failed]
    if not any(proof.requests for _, proof in found):
        return []
    return [layout.ByWidth(partial(_per_request, found))]


def _per_request(found: list[tuple[CellEstimate, CellEvidence]], compact: bool) -> Table:
    served = found[0][1].served
    headers = ["WAL bytes", "syncs", "sync p50 us", "p99 us", "group"]
    headers += ["client\nCPU us", "server\nCPU us"] if served else ["CPU us", "switches"]
    if compact:
        headers[0], headers[2] = "WAL B", "p50 us"
        headers[-1] = headers[-1].replace("switches", "switch")
    request = words.request(found[0][0].throughput_unit)
    part = "warm-up included"
    if found[0][1].whole_runs:
        part = "whole runs; CPU without opening and closing"
    table = layout.table(f"Per {request}, {part}", headers)
    for one, proof in found:
        values = (
            proof.wal_bytes_per_request,
            proof.syncs_per_request,
            proof.tap_sync_us_p50,
            proof.tap_sync_us_p99,
            proof.commits_per_group,
            proof.cpu_us_per_request,
            # A client's switches are its round trips, and say nothing of the log.
            proof.cpu_server_us_per_request if served else proof.context_switches_per_request,
        )
        table.add_row(words.label(one), *map(words.number, values))
    return table


def _verdict(one: CellEstimate) -> str:
    if one.failed:
        return "no result"
    if one.is_baseline or one.low is None or one.resolvable:
        return ""
    return "not resolvable"


def _notes(group: list[CellEstimate], rows: list[Row], target: float | None) -> list[str]:
    lines = [f"{words.label(one)}: {note}" for one in group for note in words.notes(one, rows)]
    cells = {one.cell for one in group}
    if any(one.get("whole_run") for one in rows if one["cell"] in cells):
        lines.append("a slice is a whole run of db_bench, which cannot be parked between slices")
    widths = [one.half_width for one in group if not one.is_baseline and one.half_width is not None]
    if widths:
        asked = "" if target is None else f" (target {words.percent(target)})"
        sessions = max(one.sessions for one in group)
        rounds = max(one.rounds for one in group)
        lines.append(
            f"{rounds} rounds in {sessions} session{'s' if sessions > 1 else ''}; "
            f"widest half-width {words.percent(max(widths))} points{asked}"
        )
    return lines


def _workload(group: list[CellEstimate], rows: list[Row]) -> list[str]:
    """None when the rows say nothing of it."""
    done = [workload.of_cell(rows, one.cell) for one in group]
    levels = dict.fromkeys(one.isolation for one in done if one.isolation)
    lines = [f"isolation: {', '.join(levels)}"] if levels else []
    for one, what in zip(group, done, strict=True):
        parts = _workload_parts(what, words.request(one.throughput_unit))
        lines += [f"{words.label(one)}: {'; '.join(parts)}"] if parts else []
    if any(what.data_growth is not None for what in done):
        lines.append("a database that grows within a session changes its own speed")
    return lines


def _workload_parts(what: CellWorkload, request: str) -> list[str]:
    parts = []
    if what.data_growth is not None:
        parts.append(f"the database grew by {words.percent(what.data_growth)} %")
    if what.orders_growth is not None:
        parts.append(f"orders grew by {words.percent(what.orders_growth)} %")
    if what.conflicts_per_thousand_requests is not None:
        conflicts = words.number(what.conflicts_per_thousand_requests)
        parts.append(f"{conflicts} conflicts per 1,000 {request}s")
    if what.inputs:
        counts = [f"{count} {word}" for word, count in what.input_counts().items() if count]
        parts.append(f"inputs: {', '.join(counts)}")
    return parts


def _evidence(group: list[CellEstimate], proofs: list[CellEvidence]) -> list[str]:
    lines = proof_lines.engine(proofs)
    for one, proof in zip(group, proofs, strict=True):
        name = words.label(one)
        if proof.wal_bytes is not None:
            lines.append(f"{name}: {proof_lines.wal(proof)}; {proof_lines.syncs(proof)}")
        lines += [f"  in {folder}" for folder in proof.wal_dirs if proof.wal_bytes]
    for warning in dict.fromkeys(text for proof in proofs for text in proof.warnings):
        warned = [one for one, p in zip(group, proofs, strict=True) if warning in p.warnings]
        modes = any(one.several_modes for one in warned)
        names = [words.label(one) if modes else one.device for one in warned]
        lines.append(f"warning: {', '.join(names)}: {warning}")
    return lines or ["the rows carry none"]


def _titled(title: str, lines: list[str]) -> list[RenderableType]:
    return [Text(title, style="bold"), *_lines(lines)] if lines else []


def _lines(lines: list[str]) -> list[RenderableType]:
    return [*(Text(f"  {line}") for line in lines), Text()] if lines else []
