"""Words and figures for results, in one place so that all outputs agree."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from ... import engines, workloads
from ...axes import PAIRED
from ...cell import BASELINE
from ...engines import Shards
from ..numerals import bounds as bounds
from ..numerals import number as number
from ..numerals import percent as percent
from ..stats import Interval
from .latency import ALL, main_write
from .result import CellResult

_MANY = 5  # cells; more are counted instead of named
_NEAR_ZERO = 0.05  # an interval that covers zero and reaches no further means: hardly anything
_ABOUT_ZERO, _UNTOLD = "not resolvable", "cannot be told"
FAILED = "FAILED"
DOUBTFUL = "DOUBTFUL"
_OPEN_LOOP = "as much is offered to every device, so that the WAL costs latency, not throughput"
# Modes that are always named; `sync` is only named next to other modes.
_SAID_MODES = {"flush", "delayed"}


def group_title(result: CellResult) -> str:
    """Return e.g. LinkBench on RocksDB, profile quick, 4 threads."""
    title = f"{subject(result)}, profile {result.profile}{_binlog(result)}"
    if not workloads.of(result.workload).knows_clients:
        return title
    title += f", {result.threads} thread{'s' if result.threads != 1 else ''}"
    title += f", {Shards.of(result.shards).words}" if result.shards else ""
    return title + (f", {load} % load" if (load := result.at.axes["load"]) else "")


def _binlog(result: CellResult) -> str:
    """Say where a server's second log was, which all cells of a group share."""
    place = result.facts["binlog_place"]
    return f", binlog on {place.partition(',')[0]}" if place else ""


def subject(result: CellResult) -> str:
    """Return e.g. LinkBench on RocksDB, with the build and the settings that a campaign set."""
    named = [f"{_workload(result)} on {engines.of(result.engine).title}"]
    values = ((name, result.at.axes[name]) for name in PAIRED)
    return ", ".join([*named, *(f"{name} {value}" for name, value in values if value)])


def _workload(result: CellResult) -> str:
    """Return the workload's name.

    Only an audited result is a TPC-C result, and only one with terminals that pause.
    """
    workload = workloads.of(result.workload)
    if not workload.audited:
        return workload.title
    pauses = "" if result.paced is None else " paced," if result.paced else " unpaced,"
    return f"{workload.title} derived,{pauses}"


def label(result: CellResult) -> str:
    """Return the device's name in every table and figure; emulation is part of the name.

    So is the mode if the group has several. Without a WAL nothing was emulated.
    """
    said = result.durability in _SAID_MODES or (result.several_modes and result.writes_wal)
    device = result.reference if result.device == BASELINE else result.device
    parts = [device, result.knob, result.replica, result.durability if said else ""]
    name = " ".join(filter(None, [*parts, "(emulated)" if result.shows_model else ""]))
    if result.writes_wal or result.device == BASELINE:
        return name
    return f"{name}, {'its own' if engines.of(result.engine).is_program else 'WAL'} off"


def against(result: CellResult) -> str:
    """Return what the overhead of a cell is against."""
    return result.reference if result.has_off else f"{result.reference} on the same device"


def no_off(group: Sequence[CellResult]) -> str:
    """Say that the group's engine has no off; empty if it has."""
    return "" if group[0].has_off else f"{engines.of(group[0].engine).title} has no off"


def points(half_width: float, *, beside: float) -> str:
    """Return a half-width that missed its target, with enough decimals to see by how much."""
    ends = percent(half_width), percent(beside)
    if ends[0] == ends[1]:
        ends = f"{100 * half_width:.3f}", f"{100 * beside:.3f}"
    return f"{ends[0]} points, target {ends[1]}"


def overhead(result: CellResult) -> str:
    """Return e.g. 27.1 % [25.0, 29.2]."""
    return "unknown" if result.overhead is None else cost(result.interval)


def unclear(result: CellResult) -> str:
    """Say why an interval states no cost: near zero, or too wide; empty if it does."""
    if result.is_baseline or result.low is None or result.high is None or result.resolvable:
        return ""
    return _ABOUT_ZERO if max(-result.low, result.high) <= _NEAR_ZERO else _UNTOLD


def cost(overhead: Interval) -> str:
    """Return the same text for an overhead that belongs to a curve rather than a cell."""
    return f"{percent(overhead.value)} % {bounds(overhead.low, overhead.high)}"


def once(
    said: Iterable[tuple[str, str]],
    all_of: Collection[str] = (),
    key: Callable[[str], str] = str,
) -> list[str]:
    """Return each text once, behind the names of the cells that it is said of; many are counted.

    Texts of equal keys are the same. One that is said of `all_of` several stands alone.
    """
    by_key: dict[str, tuple[str, list[str]]] = {}
    for name, text in said:
        by_key.setdefault(key(text), (text, []))[1].append(name)
    lines = []
    for text, names in by_key.values():
        about = f"{len(names)} cells" if len(names) > _MANY else ", ".join(dict.fromkeys(names))
        is_of_all = len(all_of) > 1 and {*all_of} <= {*names}
        lines.append(text if is_of_all else f"{about}: {text}")
    return lines


def clients(threads: int) -> str:
    """Return e.g. 4 clients."""
    return f"{threads} client{'s' if threads != 1 else ''}"


def verdict(group: Sequence[CellResult]) -> str:
    """Return the first sentence of a report: what the WAL costs on each device of a group.

    It includes the large doubts.
    """
    title, hosts = group_title(group[0]), max(result.hosts for result in group)
    typical = f", on the typical of {hosts} hosts" if hosts > 1 else ""
    lacking = "" if group[0].has_off else f"{no_off(group)}; "
    said = _OPEN_LOOP if group[0].at.axes["load"] else _clauses(group)
    return f"{title}: {lacking}{said}{typical}{doubtful(group)}."


def doubtful(results: Sequence[CellResult]) -> str:
    """Return the large doubts about these cells, as the end of the sentence with their overheads.

    Each kind appears once, for the cell with the widest interval; empty if there is none.
    """
    compared = [
        result for result in results if not result.is_baseline and result.overhead is not None
    ]
    kinds = dict.fromkeys(
        doubt.kind for result in compared for doubt in result.doubts if doubt.large
    )
    return doubting([_worst(compared, kind) for kind in kinds])


def doubting(clauses: Sequence[str]) -> str:
    """Return these doubts as the end of a sentence; empty if there are none."""
    return f"; {DOUBTFUL}: {'; '.join(clauses)}" if clauses else ""


def _worst(compared: Sequence[CellResult], kind: str) -> str:
    of = [(result, d) for result in compared for d in result.doubts if d.large and d.kind == kind]
    worst, doubt = max(of, key=lambda pair: (pair[1].share or 0.0, pair[0].half_width or 0.0))
    cells = {result.cell for result, _ in of}
    if len(compared) == 1 or (len({d.text for _, d in of}) == 1 and len(cells) == len(compared)):
        return doubt.text
    others = f" and {len(cells) - 1} more" if len(cells) > 1 else ""
    return f"{doubt.text} ({label(worst)}{others})"


def _clauses(group: Sequence[CellResult]) -> str:
    """Return the verdict's clauses.

    An engine without off writes its log in every cell, so only the wait differs.
    """
    first, has_off = group[0], group[0].has_off
    others = [result for result in group if not result.is_baseline]
    if has_off and first.is_baseline and first.failed:
        return f"{FAILED} on off: no overhead is known"
    if not others:
        baselines = "baseline off was" if has_off else f"baselines, {first.reference}, were"
        return f"only the {baselines} measured"
    if all(result.baseline is None for result in others):
        return f"no overhead, because there is no cell of {against(first)} to compare with"
    known = [result for result in others if not result.failed]
    what = "commits that wait for the log cost"
    if engines.of(first.engine).is_program:
        what = "the syncs of its log cost"
    elif has_off:
        what = f"the WAL{' alone' if _binlog(first) else ''} costs"
    costs = [f"{_amount(result)} on {label(result)}" for result in known if result.writes_wal]
    binlog = " which has the binlog as well," if _binlog(first) else ""
    clauses = [f"against {against(first)},{binlog} {what} {_and(costs)}"] if costs else []
    clauses += [
        f"{label(result)}, differs from {result.reference} by {_amount(result)}"
        for result in known
        if not result.writes_wal
    ]
    failed = [f"on {label(result)}" for result in group if result.failed]
    return "; ".join([*clauses, *([f"{FAILED} {_and(failed)}"] if failed else [])])


def twin(result: CellResult) -> str:
    """Return e.g. A/A: off against off 0.6 % [0.1, 1.3]."""
    name = result.durability if result.has_off else f"{result.device} {result.durability}"
    if result.failed:
        return f"A/A: {name} against {name} {FAILED}: {', '.join(result.failures)}"
    return f"A/A: {name} against {name} {overhead(result)}"


def _amount(result: CellResult) -> str:
    """Return e.g. 27.1 % [25.0, 29.2], or that it is about zero or not known."""
    unclearly = {_ABOUT_ZERO: "nothing resolvable", _UNTOLD: "a share that cannot be told"}
    said = unclearly.get(unclear(result))
    if result.overhead is None:
        return "an unknown share"
    return f"{said} ({overhead(result)})" if said else overhead(result)


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def operation_of(group: Sequence[CellResult]) -> str:
    """Return the operation that a comparison reports: its first cell's main write, or `ALL`."""
    first = next((result for result in group if result.latencies), None)
    return (main_write(first.workload, first.latencies) if first else None) or ALL
