"""How results are put into words and figures: one place, so that all outputs agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ... import engines, workloads
from ...axes import PAIRED
from ...cell import BASELINE
from ...engines import Shards
from ..numerals import bounds as bounds
from ..numerals import number as number
from ..numerals import percent as percent
from ..stats import Interval

if TYPE_CHECKING:
    from .result import CellResult

_NEAR_ZERO = 0.05  # an interval that covers zero and reaches no further says: hardly anything
ABOUT_ZERO, _UNTOLD, _NOTHING = "not resolvable", "cannot be told", "means nothing"
FAILED = "FAILED"
INPUTS_FAIL = "INPUTS FAIL"
DOUBTFUL = "DOUBTFUL"
# Modes whose name is always said; `sync` goes without saying unless it has company.
_SAID_MODES = {"flush", "delayed"}


def group_title(one: CellResult) -> str:
    """E.g. LinkBench on RocksDB, profile quick, 4 threads."""
    title = f"{subject(one)}, profile {one.profile}{_binlog(one)}"
    if not workloads.of(one.workload).knows_clients:
        return title
    title += f", {one.threads} thread{'s' if one.threads != 1 else ''}"
    title += f", {Shards.of(one.shards).words}" if one.shards else ""
    return f"{title}, {one.size}" if one.size else title


def _binlog(one: CellResult) -> str:
    """Where a server's second log was, which every cell of a group has."""
    second = one.proof.binlog
    return "" if second is None else f", binlog on {second.place.partition(',')[0]}"


def data_reads(latency_us: int) -> str:
    """How data are read in every cell, where that is emulated."""
    return f"data reads wait {latency_us:,} us (emulated), with and without a log"


def subject(one: CellResult) -> str:
    """E.g. LinkBench on RocksDB, with the build and the settings where a campaign was given any."""
    named = [f"{_workload(one)} on {engines.of(one.engine).title}"]
    values = ((name, one.at.axes[name]) for name in PAIRED)
    return ", ".join([*named, *(f"{name} {value}" for name, value in values if value)])


def _workload(one: CellResult) -> str:
    """Only an audited result is a TPC-C result, and only one with terminals that pause."""
    workload = workloads.of(one.workload)
    if not workload.audited:
        return workload.title
    pauses = "" if one.paced is None else " paced," if one.paced else " unpaced,"
    return f"{workload.title} derived,{pauses}"


def label(one: CellResult) -> str:
    """The device as every table and figure names it: emulation is part of the name.

    And so is the mode, where the group has several.

    Unless no WAL was written, because then nothing was emulated.
    """
    said = one.durability in _SAID_MODES or (one.several_modes and one.writes_wal)
    parts = [one.device, one.knob, one.replica, one.durability if said else ""]
    name = " ".join(filter(None, [*parts, "(emulated)" if one.shows_model else ""]))
    return name if one.writes_wal or one.device == BASELINE else f"{name}, WAL off"


def reference(group: Sequence[CellResult]) -> str:
    """What the overheads of a comparison group are against."""
    return against(group[0])


def against(one: CellResult) -> str:
    """What the overhead of a cell is against."""
    return one.reference if one.has_off else f"{one.reference} on the same device"


def no_off(group: Sequence[CellResult]) -> str:
    """That the group's engine has no off; empty when it has."""
    return "" if group[0].has_off else f"{engines.of(group[0].engine).title} has no off"


def points(half_width: float, *, beside: float) -> str:
    """A half-width that missed its target: as many decimals as it takes to see by how much."""
    ends = percent(half_width), percent(beside)
    if ends[0] == ends[1]:
        ends = f"{100 * half_width:.3f}", f"{100 * beside:.3f}"
    return f"{ends[0]} points, target {ends[1]}"


def overhead(one: CellResult) -> str:
    """E.g. 27.1 % [25.0, 29.2]."""
    if one.uneven:
        return f"what {_UNTOLD}, because {one.uneven}"
    return "unknown" if one.overhead is None else cost(one.interval)


def unclear(one: CellResult) -> str:
    """What there is to an interval that does not say a cost: about zero, wide, or of no meaning."""
    if one.uneven:
        return _NOTHING
    if one.is_baseline or one.low is None or one.high is None or one.resolvable:
        return ""
    return ABOUT_ZERO if max(-one.low, one.high) <= _NEAR_ZERO else _UNTOLD


def cost(overhead: Interval) -> str:
    """The same of an overhead that is no cell's: of a curve."""
    return f"{percent(overhead.value)} % {bounds(overhead.low, overhead.high)}"


def clients(threads: int) -> str:
    """E.g. 4 clients."""
    return f"{threads} client{'s' if threads != 1 else ''}"


def verdict(group: Sequence[CellResult]) -> str:
    """The first sentence of a report: what the WAL costs on each device of one group.

    With its large doubts, and whether what was measured is the workload at all: it is not where its
    inputs fail.
    """
    failing = [label(one) for one in group if one.activity.failed_inputs]
    fail = f"; {INPUTS_FAIL} on {_and(failing)}" if failing else ""
    told = [one for one in group if not one.uneven]  # of the others the sentence says why not
    title, hosts = group_title(group[0]), max(one.hosts for one in group)
    typical = f", on the typical of {hosts} hosts" if hosts > 1 else ""
    lacking = "" if group[0].has_off else f"{no_off(group)}; "
    return f"{title}: {lacking}{_clauses(group)}{typical}{fail}{doubtful(told)}."


def doubtful(results: Sequence[CellResult]) -> str:
    """The large doubts of these cells, as the end of the sentence that says their overheads.

    Each kind once, of the cell whose interval is widest; empty where there is none.
    """
    compared = [one for one in results if not one.is_baseline and one.overhead is not None]
    kinds = dict.fromkeys(doubt.kind for one in compared for doubt in one.doubts if doubt.large)
    return doubting([_worst(compared, kind) for kind in kinds])


def doubting(clauses: Sequence[str]) -> str:
    """These doubts as the end of a sentence; empty without any."""
    return f"; {DOUBTFUL}: {'; '.join(clauses)}" if clauses else ""


def _worst(compared: Sequence[CellResult], kind: str) -> str:
    of = [(one, d) for one in compared for d in one.doubts if d.large and d.kind == kind]
    worst, doubt = max(of, key=lambda pair: pair[0].half_width or 0.0)
    cells = {one.cell for one, _ in of}
    if len(compared) == 1 or (len({d.text for _, d in of}) == 1 and len(cells) == len(compared)):
        return doubt.text
    others = f" and {len(cells) - 1} more" if len(cells) > 1 else ""
    return f"{doubt.text} ({label(worst)}{others})"


def _clauses(group: Sequence[CellResult]) -> str:
    """An engine without off writes its log in every cell, and what differs is the wait."""
    first, has_off = group[0], group[0].has_off
    others = [one for one in group if not one.is_baseline]
    if has_off and first.is_baseline and first.failed:
        return f"{FAILED} on off: no overhead is known"
    if not others:
        baselines = "baseline off was" if has_off else f"baselines, {first.reference}, were"
        return f"only the {baselines} measured"
    if all(one.baseline is None for one in others):
        return f"no overhead, because there is no cell of {reference(group)} to compare with"
    known = [one for one in others if not one.failed]
    what = "commits that wait for the log cost"
    if has_off:
        what = f"the WAL{' alone' if _binlog(first) else ''} costs"
    clauses = _costs(first, what, [one for one in known if one.writes_wal])
    clauses += [_difference(one) for one in known if not one.writes_wal]
    failed = [f"on {label(one)}" for one in group if one.failed]
    return "; ".join([*clauses, *([f"{FAILED} {_and(failed)}"] if failed else [])])


def _costs(baseline: CellResult, what: str, cells: Sequence[CellResult]) -> list[str]:
    """What is known of these cells, then of which nothing is; no figure of one that is uneven."""
    wide, uneven = ([one for one in cells if unclear(one) == how] for how in (_UNTOLD, _NOTHING))
    told = [one for one in cells if one not in (*wide, *uneven)]
    clauses = [f"{what} {_and(list(map(_cost, told)))}"] if told else []
    if wide:
        on = _and([f"{label(one)} ({overhead(one)})" for one in wide])
        clauses.append(f"what {what} on {on} {_UNTOLD}")
    for one in uneven:
        why = f"because {one.uneven}: the interval {_NOTHING}"
        clauses.append(f"what {what} on {label(one)} {_UNTOLD}, {why}")
    if clauses:
        binlog = " which has the binlog as well," if _binlog(baseline) else ""
        clauses[0] = f"against {against(baseline)},{binlog} {clauses[0]}"
    return clauses


def twin(one: CellResult) -> str:
    """E.g. A/A: off against off 0.6 % [0.1, 1.3]."""
    name = one.durability if one.has_off else f"{one.device} {one.durability}"
    if one.failed:
        return f"A/A: {name} against {name} {FAILED}: {', '.join(one.failures)}"
    return f"A/A: {name} against {name} {overhead(one)}"


def _cost(one: CellResult) -> str:
    if one.overhead is None:
        return f"an unknown share on {label(one)}"
    if unclear(one):
        return f"nothing resolvable on {label(one)} ({overhead(one)})"
    return f"{overhead(one)} on {label(one)}"


def _difference(one: CellResult) -> str:
    """What is said of a cell that writes no WAL either."""
    if one.overhead is None:
        return f"{label(one)}, cannot be compared with off"
    said = {
        ABOUT_ZERO: f"does not differ resolvably from off ({overhead(one)})",
        _UNTOLD: f"{_UNTOLD} apart from off ({overhead(one)})",
    }
    return f"{label(one)}, {said.get(unclear(one), f'differs from off by {overhead(one)}')}"


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
