"""How estimates are put into words and figures: one place, so that all outputs agree."""

from __future__ import annotations

from ..inputs import Verdict
from ..row import Row
from . import workload
from .baseline import BASELINE
from .overhead import CellEstimate

FAILED = "FAILED"
INPUTS_FAIL = "INPUTS FAIL"
# Modes whose name is always said; `sync` goes without saying unless it has company.
_SAID_MODES = {"flush", "delayed"}
# Their results may be called theirs only after an audit.
_AUDITED = {"tpcc"}
# Programs of others: only they know how many clients they have.
_OTHERS = {"command"}

_NAMES = {
    "linkbench": "LinkBench",
    "tpcc": "TPC-C",
    "rocksdb": "RocksDB",
    "myrocks": "MyRocks",
    "innodb": "InnoDB",
    # Part of its name in every title: the writer, which waits for the log, is not in the figure.
    "dbbench-readwhilewriting": "db_bench readwhilewriting (reads alone)",
}


def group_title(one: CellEstimate) -> str:
    """E.g. LinkBench on RocksDB, profile quick, 4 threads."""
    title = f"{subject(one)}, profile {one.profile}"
    if one.workload in _OTHERS:
        return title
    title += f", {one.threads} thread{'s' if one.threads != 1 else ''}"
    return f"{title}, {one.size}" if one.size else title


def subject(one: CellEstimate) -> str:
    """E.g. LinkBench on RocksDB."""
    return f"{_workload(one)} on {proper(one.engine)}"


def _workload(one: CellEstimate) -> str:
    """Only an audited result is a TPC-C result, and only one with terminals that pause."""
    if one.workload not in _AUDITED:
        return proper(one.workload)
    pauses = "" if one.paced is None else " paced," if one.paced else " unpaced,"
    return f"{proper(one.workload)} derived,{pauses}"


def proper(name: str) -> str:
    bench = name.removeprefix("dbbench-")
    return _NAMES.get(name, name if bench == name else f"db_bench {bench}")


def label(one: CellEstimate) -> str:
    """The device as every table and figure names it: emulation is part of the name.

    And so is the mode, where the group has several.

    Unless no WAL was written, because then nothing was emulated.
    """
    said = one.durability in _SAID_MODES or (one.several_modes and one.writes_wal)
    parts = [one.device, one.knob, one.replica, one.durability if said else ""]
    name = " ".join(filter(None, [*parts, "(emulated)" if one.shows_model else ""]))
    return name if one.writes_wal or one.device == BASELINE else f"{name}, WAL off"


def reference(group: list[CellEstimate]) -> str:
    """What the overheads of a comparison group are against."""
    one = group[0]
    return one.reference if one.has_off else f"{one.reference} on the same device"


def no_off(group: list[CellEstimate]) -> str:
    """That the group's engine has no off; empty when it has."""
    return "" if group[0].has_off else f"{proper(group[0].engine)} has no off"


def percent(fraction: float | None) -> str:
    """One decimal, a true minus sign, and no negative zero."""
    if fraction is None:
        return "-"
    return f"{100 * fraction:.1f}".replace("-0.0", "0.0").replace("-", "\N{MINUS SIGN}")


def bounds(low: float | None, high: float | None) -> str:
    return "(no interval)" if low is None or high is None else f"[{percent(low)}, {percent(high)}]"


def overhead(one: CellEstimate) -> str:
    """E.g. 27.1 % [25.0, 29.2]."""
    if one.overhead is None:
        return "unknown"
    return f"{percent(one.overhead)} % {bounds(one.low, one.high)}"


def number(value: float | None) -> str:
    """About three significant digits, thousands grouped; a dash for what is not known."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def request(unit: str) -> str:
    """What one request is called in a group of this unit of throughput."""
    return {"tpmC": "transaction", "ops/s": "operation"}.get(unit, "request")


def counted_request(unit: str) -> str:
    """The request that the throughput counts."""
    return "New-Order" if unit == "tpmC" else request(unit)


def verdict(group: list[CellEstimate], rows: list[Row]) -> str:
    """The first sentence of a report: what the WAL costs on each device of one group.

    And whether what was measured is the workload at all: it is not where its inputs fail.
    """
    doubtful = [label(one) for one in group if workload.of_cell(rows, one.cell).failed_inputs]
    doubt = f"; {INPUTS_FAIL} on {_and(doubtful)}" if doubtful else ""
    return f"{_cost_of_wal(group)}{doubt}."


def _cost_of_wal(group: list[CellEstimate]) -> str:
    title = group_title(group[0])
    if group[0].has_off:
        return f"{title}: {_clauses_against_off(group)}{_scope(group)}"
    return f"{title}: {no_off(group)}; {_clauses_within_devices(group)}{_scope(group)}"


def _clauses_against_off(group: list[CellEstimate]) -> str:
    if group[0].baseline is None:
        return "no overhead, because there is no off cell to compare with"
    if group[0].failed:  # the baseline is a group's first
        return f"{FAILED} on off: no overhead is known"
    others = [one for one in group if not one.is_baseline]
    if not others:
        return "only the baseline off was measured"
    costs = [_cost(one) for one in others if one.writes_wal and not one.failed]
    clauses = [f"against off, the WAL costs {_and(costs)}"] if costs else []
    clauses += [_difference(one) for one in others if not one.writes_wal and not one.failed]
    return "; ".join([*clauses, *_failed(others)])


def _clauses_within_devices(group: list[CellEstimate]) -> str:
    """Of an engine without off: its log is written in every cell, and what differs is the wait."""
    others = [one for one in group if not one.is_baseline]
    if not others:
        return f"only the baselines, {group[0].reference}, were measured"
    if all(one.baseline is None for one in others):
        return f"no overhead, because there is no cell of {reference(group)} to compare with"
    costs = [_cost(one) for one in others if not one.failed]
    against = f"against {reference(group)}, commits that wait for the log cost"
    clauses = [f"{against} {_and(costs)}"] if costs else []
    return "; ".join([*clauses, *_failed(group)])


def _failed(cells: list[CellEstimate]) -> list[str]:
    failed = [f"on {label(one)}" for one in cells if one.failed]
    return [f"{FAILED} {_and(failed)}"] if failed else []


def _scope(group: list[CellEstimate]) -> str:
    return " (within one session)" if _one_session(group) else ""


def notes(one: CellEstimate, rows: list[Row]) -> list[str]:
    """What a reader must know before using this cell's overhead, a sentence each."""
    found = [f"{FAILED}: {failure}" for failure in one.failures]
    rules = workload.of_cell(rows, one.cell).failed_inputs
    found += [f"{INPUTS_FAIL}: {_failed_input(rule)}" for rule in rules]
    if one.is_baseline or one.overhead is None:
        return found
    if one.low is None or one.high is None:
        why = "no request was done" if one.throughput == 0 else "one round only"
        return [*found, f"{why}: there is no interval"]
    if not one.resolvable:
        found.append("not resolvable: the interval covers zero")
    if one.sessions == 1:
        found.append("within-session interval: what differs between sessions is not in it")
    median = one.overhead_median_of_ratios
    if median is not None and not one.low <= median <= one.high:
        found.append(
            f"the median of ratios, {percent(median)} %, lies outside the interval: "
            "a few rounds decide the mean"
        )
    if one.rounds_unmatched:
        found.append(f"{one.rounds_unmatched} slices had no partner in their round: left out")
    return found


def _failed_input(rule: Verdict) -> str:
    found = f"{rule.name}: {rule.value:.6g} over {rule.samples:,} samples"
    return f"{found}, want {rule.low:g} to {rule.high:g}"


def _cost(one: CellEstimate) -> str:
    if one.overhead is None:
        return f"an unknown share on {label(one)}"
    if one.low is not None and not one.resolvable:
        return f"nothing resolvable on {label(one)} ({overhead(one)})"
    return f"{overhead(one)} on {label(one)}"


def _difference(one: CellEstimate) -> str:
    """Of a cell that writes no WAL either."""
    if one.overhead is None:
        return f"{label(one)}, cannot be compared with off"
    if one.low is not None and not one.resolvable:
        return f"{label(one)}, does not differ resolvably from off ({overhead(one)})"
    return f"{label(one)}, differs from off by {overhead(one)}"


def _one_session(group: list[CellEstimate]) -> bool:
    return any(one.sessions == 1 and one.low is not None for one in group if not one.is_baseline)


def _and(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
