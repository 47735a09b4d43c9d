"""The report of ladders: the cost of each step from no log to a device."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from ...axes import PAIRED
from ...base.errors import UsageError
from ..report import Report
from ..results import doubts, read, words
from ..results import ladder as said
from ..results.ladder import FREED, Ladder, Step, ladders
from ..series import Column, Line, Plot, Series, View
from ..stats import NOTHING, Interval
from . import sweeps

_LEGEND = (
    "points: what a step adds to the one on its left, with its 95 % interval; below zero: it was "
    "faster with more to do; last: all steps together"
)
_OF_TOP = ("engine", "workload", "profile", "threads", "device")


def why(campaigns: Sequence[Path], order: Sequence[str] = ()) -> Report:
    """Report each ladder of these campaigns: a device, a workload and a number of clients.

    `order` has the values of builds and settings as they were typed: each is compared with the
    first. Errors: UsageError if the rows hold no ladder; else as `load`.
    """
    of = read(campaigns)
    place = {value: number for number, value in enumerate(order)}
    every = sorted(
        ladders(of.rows),
        key=lambda each: [place.get(each.top.axes[name], -1) for name in PAIRED],
    )
    if not every:
        raise UsageError(f"{campaigns[0]}: found no rungs; they are measured by `waltax why`")
    alike = [list(group) for _, group in groupby(every, said.subject)]
    gains = [_gains(group) for group in alike if any(ladder.gains for ladder in group)]
    firsts: dict[object, Ladder] = {}
    for ladder in (each for each in every if each.steps):
        firsts.setdefault(_place(ladder), ladder)
    # Campaigns of two logs, one for each device, have reports of their own.
    shown = [] if gains and len(campaigns) > 1 else every
    series = [_series(ladder, firsts.get(_place(ladder), ladder)) for ladder in shown]
    return sweeps.of_series(
        "why", of, [*gains, *series],
        legend=_LEGEND, size=(8.6, 3.5), called="ladders",
    )  # fmt: skip


def _place(ladder: Ladder) -> object:
    """Return what ladders of several builds or settings have in common."""
    return ladder.device, ladder.top.workload, ladder.top.threads


def _series(ladder: Ladder, first: Ladder) -> Series[Step]:
    """Return the steps of a ladder, and all of them together as the last point.

    Each step of another build or setting than the `first` is compared with the same step there.
    """
    title = said.title(ladder)
    doubt = words.doubting([d.text for d in doubts.of_comparison(ladder.panel) if d.large])
    points = [*ladder.steps, ladder.whole] if ladder.steps else []
    added = f"added to a client's {ladder.unit.request}"
    was = {} if first is ladder else {s.name: s.added_us for s in (*first.steps, first.whole)}

    def more(step: Step) -> Interval:
        return step.added_us.minus(was.get(step.name, NOTHING))

    versus, change = " ".join(said.between(first)) or "the usual", ""
    if was and points:
        told = [f"{step.name} ({said.us(more(step))} us)" for step in points if more(step).side(0)]
        what = f"what changed is {', '.join(told)}" if told else "no step can be told to differ"
        change = f"; against {versus}, {what}"
    return Series(
        axis="step",
        subject=title,
        points=points,
        columns=[
            Column("step", "step", "text", "name"),
            Column("added_us", "added us [95 %]", text=lambda step: said.us(step.added_us)),
            Column("points", "points of overhead [95 %]", "%"),
            Column("first_us", versus, of=lambda step: was.get(step.name, NOTHING).value),
            Column("more_us", "more [95 %]", of=more),
        ],
        views=[View(f"{title}\n{added}")],
        verdict=f"{said.verdict(ladder)}{change}{doubt}.",
        group={name: getattr(ladder.top, name) for name in _OF_TOP},
        own={
            "emulated": ladder.emulated,
            "rounds": ladder.slots,
        },
        at=lambda step: step.name,
        line=lambda _: Line("", ladder.device, "none"),
        plots=[Plot(f"us {added}", "added_us", mark=0.0)] if points else [],
    )  # fmt: skip


def _gains(ladders: Sequence[Ladder]) -> Series[Ladder]:
    """Return what one sync less a commit gives on these devices."""
    title = f"{said.subject(ladders[0])}\nthroughput without these syncs, x that with both"
    return Series(
        axis="device",
        subject=said.subject(ladders[0]),
        points=ladders,
        columns=[
            Column("device", "device", "text", said.device),
            *(Column(name, f"{name} [95 %]", "x", partial(_gain, name)) for name in FREED),
        ],
        views=[View(title)],
        verdict=f"{said.one_sync_less(ladders)}.",
        own={"frees": list(FREED)},
    )


def _gain(name: str, ladder: Ladder) -> Interval:
    return ladder.gains.get(name, NOTHING)
