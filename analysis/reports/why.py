"""The report of ladders: which step from no log to a device costs that, and what counters say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ..figures import waterfall as figures
from ..ladder import Ladder, Step, counters, ladders
from ..ladder import words as said
from ..numerals import share
from ..report import Column, Lines, Part, Report, Table, Verdict, numbers
from ..results import doubts, read, words
from . import cells

_WIDTH = 112  # columns of the widest table
_STEP = Column("step")


def why(campaigns: Sequence[Path]) -> Report:
    """Each ladder of these campaigns: a device, a workload and a number of clients.

    Errors: UsageError when the rows hold no ladder; else as `load`.
    """
    of = read(campaigns)
    every = ladders(of.rows)
    if not every:
        raise UsageError(f"{campaigns[0]}: found no rungs; they are measured by `waltax why`")
    content = [_content(one) for one in every]
    alone = {} if len(every) > 1 else {key: content[0][key] for key in ("steps", "remainder_us")}
    return Report(
        name="why",
        parts=[*(part for one in every for part in _parts(one)), *_means(every)],
        content=cells.content(of.origin, **alone, ladders=content),
        lines=[line for one in every for line in _lines(one)],
        figures={"why": lambda: figures.draw(every, of.origin)},
        warnings=of.warnings,
        folder=of.folder,
        source=of,
        width=_WIDTH,
    )


def _parts(one: Ladder) -> list[Part]:
    failed = [f"{words.FAILED} {name}: {reason}" for name, reason in one.failures.items()]
    sums = [said.remainder(one)] if one.remainder_us is not None else []
    doubt = words.doubting([one.text for one in doubts.of_comparison(one.panel) if one.large])
    parts: list[Part] = [Verdict(f"{said.verdict(one)}{doubt}.")]
    if one.steps:
        parts += [_table(one), Lines([*sums, *failed]), _counters(one)]
        parts.append(Lines(_timers(one), "RocksDB's own timers"))
        parts.append(Lines(said.evidence(one), "Evidence"))
        agree = ["no step that the tap has a clock for"] if not counters.compared(one) else []
        agree = agree or ["they agree within the error of both"]
        parts.append(Lines(said.disagreements(one) or agree, "Counters against interventions"))
    else:
        parts.append(Lines(failed))
    return parts


def _means(every: Sequence[Ladder]) -> list[Part]:
    """Once, below all ladders."""
    names = dict.fromkeys(step.name for one in every for step in one.steps)
    return [Lines([f"{name}: {said.MEANS[name]}" for name in names], "What each step adds")]


def _table(one: Ladder) -> Table:
    clocks = {found.step.name: found.counted_us for found in counters.compared(one)}
    columns = numbers("added us [95 %]", "points of overhead [95 %]", "by the\ntap's clock")
    rows = [
        (
            step.name,
            said.us(step.added_us),
            share(step.points),
            words.number(clocks.get(step.name)),
        )
        for step in one.steps
    ]
    rows.append(("all", said.us(one.total_us), share(one.overhead), "-"))
    title = f"{said.title(one)}\nadded to a client's {one.request}"
    return Table(title, [_STEP, *columns], rows)


def _counters(one: Ladder) -> Table:
    columns = numbers(
        *("a client\nwaits us", "on a CPU\nus", "for a CPU\nus", "blocked\nus", "switches"),
        *("IPIs", "halts", "sync us", "commits\na group"),
    )
    rows = [
        (
            found.rung,
            *map(
                words.number,
                (
                    *(found.client_us, found.run_us, found.wait_us, found.blocked_us),
                    *(found.switches, found.ipis, found.halts),
                    *(found.sync_us, found.work.commits_per_group),
                ),
            ),
        )
        for found in counters.counted(one)
    ]
    return Table("Counted on each rung, per request of any kind", [Column("rung"), *columns], rows)


def _timers(one: Ladder) -> list[str]:
    found = counters.timers(one)
    if not found:
        return []
    timed = [f"{name} {words.number(us)}" for name, us in found.items()]
    cost = words.cost(counters.cost_of_timers(one))
    return [
        f"us a request on {said.device(one)}, summed over clients: {', '.join(timed)}",
        f"the timers themselves cost {cost} of the throughput",
    ]


def _content(one: Ladder) -> dict[str, Any]:
    """A ladder for programs: fractions, not percent, and microseconds."""
    top = one.top
    return {
        "engine": top.engine,
        "workload": top.workload,
        "profile": top.profile,
        "threads": top.threads,
        "size": top.size,
        "device": one.device,
        "emulated": one.emulated,
        "sentence": said.verdict(one),
        "rounds": one.slots,
        "steps": [_step(step) for step in one.steps],
        "remainder_us": one.remainder_us,
        "total_us": asdict(one.total_us),
        "overhead": asdict(one.overhead),
        "counted": [_counted(found) for found in counters.counted(one)],
        "clocks": [
            {"step": found.step.name, "counted_us": found.counted_us, "agree": found.agree}
            for found in counters.compared(one)
        ],
        "timers_us": counters.timers(one),
        "disagreements": said.disagreements(one),
        "failures": dict(one.failures),
    }


def _step(step: Step) -> dict[str, Any]:
    """As the contract has it."""
    return {
        "step": step.name,
        "added_us": step.added_us.value,
        "low": step.added_us.low,
        "high": step.added_us.high,
        "points": step.points.value,
        "points_low": step.points.low,
        "points_high": step.points.high,
    }


def _counted(found: counters.Counted) -> dict[str, Any]:
    return {
        "rung": found.rung,
        "client_us": found.client_us,
        "run_us": found.run_us,
        "wait_us": found.wait_us,
        "blocked_us": found.blocked_us,
        "switches_voluntary": found.switches,
        "rescheduling_ipis": found.ipis,
        "idle_entries": found.halts,
        "cpu_us": found.cpu_us,
        **asdict(found.work),
    }


def _lines(one: Ladder) -> list[dict[str, Any]]:
    top = one.top
    group = {"engine": top.engine, "workload": top.workload, "threads": top.threads}
    return [{**group, "device": one.device, **_step(step)} for step in one.steps]
