"""The report of ladders: which step from no log to a device costs that, and what counters say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ..figures import waterfall as figures
from ..ladder import Ladder, Step, counters, ladders
from ..ladder import words as said
from ..numerals import share
from ..report import Column as Header
from ..report import Lines, Part, Report, Table, Verdict, numbers
from ..results import doubts, read, words
from ..results.work import Work
from ..series import Column, Series, View
from . import cells

_WIDTH = 112  # columns of the widest table
_STEP = Header("step")


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
    return cells.report(
        of,
        "why",
        parts=[*(part for one in every for part in _parts(one)), *_means(every)],
        content={**alone, "ladders": content},
        lines=[line for one in every for line in _lines(one)],
        figures={"why": lambda: figures.draw(every, of.origin)},
        width=_WIDTH,
    )


def _parts(one: Ladder) -> list[Part]:
    failed = [f"{words.FAILED} {name}: {reason}" for name, reason in one.failures.items()]
    sums = [said.remainder(one)] if one.remainder_us is not None else []
    doubt = words.doubting([one.text for one in doubts.of_comparison(one.panel) if one.large])
    parts: list[Part] = [Verdict(f"{said.verdict(one)}{doubt}.")]
    if one.steps:
        parts += [_table(one), Lines([*sums, *failed]), *_counters(one).tables()]
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


def _counters(one: Ladder) -> Series[counters.Counted]:
    work = (each.name for each in fields(Work))
    return Series(
        axis="rung",
        subject=said.title(one),
        points=counters.counted(one),
        columns=[
            Column("rung", "rung", "text"),
            Column("client_us", "a client\nwaits us"),
            Column("run_us", "on a CPU\nus"),
            Column("wait_us", "for a CPU\nus"),
            Column("blocked_us", "blocked\nus"),
            Column("switches_voluntary", "switches", of=lambda found: found.switches),
            Column("rescheduling_ipis", "IPIs", of=lambda found: found.ipis),
            Column("idle_entries", "halts", of=lambda found: found.halts),
            Column("cpu_us"),
            *(Column(name, "commits\na group", of=_work(name)) for name in work),
            Column("_sync_us", "sync us", of=lambda found: found.sync_us),
        ],
        views=[
            View(
                "Counted on each rung, per request of any kind",
                "rung client_us run_us wait_us blocked_us switches_voluntary rescheduling_ipis "
                "idle_entries _sync_us commits_per_group",
            )
        ],
    )


def _work(name: str) -> Callable[[counters.Counted], float | None]:
    return lambda found: getattr(found.work, name)


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
        "counted": _counters(one).content()["points"],
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


def _lines(one: Ladder) -> list[dict[str, Any]]:
    top = one.top
    group = {"engine": top.engine, "workload": top.workload, "threads": top.threads}
    return [{**group, "device": one.device, **_step(step)} for step in one.steps]
