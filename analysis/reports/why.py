"""The report of ladders: the cost of each step from no log to a device, with counters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from functools import partial
from itertools import groupby
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...axes import PAIRED
from ...base.errors import UsageError
from ..figures import axes_below, empty, footnote, style
from ..figures.points import whiskers
from ..ladder import FREED, Ladder, Step, counters, ladders
from ..ladder import sentences as said
from ..numerals import share, times
from ..report import Lines, Part, Report, Table, Verdict, numbers
from ..results import Origin, doubts, read, words
from ..results.sums import Work
from ..series import Column, Line, Series, View, spelled
from ..stats import NOTHING
from . import cell_columns

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..stats import Interval

_LEGEND = (
    "bars: what a step adds to the one on its left; whiskers: its 95 % interval; a bar that goes "
    "down: it was faster with more to do; last: all steps together"
)
_DOWN, _TOTAL = "#b8b8b8", "#303030"
_WHISKERS = Line("", "", "none", marker=",", colour="#202020")
_OF_LINE = ("engine", "workload", "threads")
_OF_TOP = ("engine", "workload", "profile", "threads", "size")
_GUIDE = "docs/method.md says what each step adds"


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
    changed = _changed(every)
    content = [_content(ladder) for ladder in every]
    gains = [part for _, group in groupby(every, said.subject) for part in _gains(list(group))]
    # Campaigns of two logs, one for each device, have reports of their own.
    shown = [] if gains and len(campaigns) > 1 else every
    alone = {} if len(every) > 1 else {key: content[0][key] for key in ("steps", "remainder_us")}
    return cell_columns.report(
        of,
        "why",
        parts=[
            *gains,
            *(part for ladder in shown for part in _parts(ladder)),
            *(part for change in changed for part in _changes(*change)),
            Lines([_GUIDE]),
        ],
        content={
            **alone,
            "ladders": content,
            "changes": [
                {
                    "device": ladder.device,
                    "first": said.between(first),
                    "other": said.between(ladder),
                    "more_us": {name: asdict(us) for name, us in more.items()},
                }
                for first, ladder, more in changed
            ],
        },
        lines=[
            {
                **{name: getattr(ladder.top, name) for name in _OF_LINE},
                "device": ladder.device,
                **_step(step),
            }
            for ladder in every
            for step in ladder.steps
        ],
        figures={"why": lambda: _draw(every, of.origin)},
    )


def _parts(ladder: Ladder) -> list[Part]:
    failed = [f"{words.FAILED} {name}: {reason}" for name, reason in ladder.failures.items()]
    doubt = words.doubting(
        [doubt.text for doubt in doubts.of_comparison(ladder.panel) if doubt.large]
    )
    verdict = Verdict(f"{said.verdict(ladder)}{doubt}.")
    if not ladder.steps:
        return [verdict, Lines(failed)]
    sums = [said.remainder(ladder)] if ladder.remainder_us is not None else []
    agree = "they agree within the error of both"
    if not counters.compared(ladder):
        agree = "no step that the tap has a clock for"
    return [
        verdict,
        _table(ladder),
        Lines([*sums, *failed]),
        *_counters(ladder).tables(),
        Lines(said.evidence(ladder), "Evidence"),
        Lines(said.disagreements(ladder) or [agree], "Counters against interventions"),
    ]


def _gains(ladders: Sequence[Ladder]) -> list[Part]:
    """Return what one sync less a commit gives on these devices; nothing without two logs."""
    if not any(ladder.gains for ladder in ladders):
        return []
    title = f"{said.subject(ladders[0])}\nthroughput without these syncs, x that with both"
    rows = [
        (said.device(of), *(times(of.gains.get(name, NOTHING)) for name in FREED)) for of in ladders
    ]
    return [
        Verdict(f"{said.one_sync_less(ladders)}."),
        Table(title, numbers("device", *(f"{name} [95 %]" for name in FREED)), rows),
    ]


def _table(ladder: Ladder) -> Table:
    clocks = {each.step.name: each.counted_us for each in counters.compared(ladder)}
    rows = [
        (step.name, said.us(step.added_us), share(step.points), words.number(clocks.get(step.name)))
        for step in ladder.steps
    ]
    rows.append(("all", said.us(ladder.total_us), share(ladder.overhead), "-"))
    return Table(
        f"{said.title(ladder)}\nadded to a client's {ladder.request}",
        numbers("step", "added us [95 %]", "points of overhead [95 %]", "by the\ntap's clock"),
        rows,
    )


def _changed(ladders: Sequence[Ladder]) -> list[tuple[Ladder, Ladder, dict[str, Interval]]]:
    """Return the first build or setting, another one, and how much more its steps add, in us."""
    firsts: dict[tuple[object, ...], Ladder] = {}
    changed = []
    for ladder in (each for each in ladders if each.steps):
        top = ladder.top
        first = firsts.setdefault((ladder.device, top.workload, top.threads, top.size), ladder)
        if first is not ladder:
            was = _added(first)
            more = {name: us.minus(was[name]) for name, us in _added(ladder).items() if name in was}
            changed.append((first, ladder, more))
    return changed


def _added(ladder: Ladder) -> dict[str, Interval]:
    return {step.name: step.added_us for step in ladder.steps} | {"all": ladder.total_us}


def _changes(first: Ladder, ladder: Ladder, more: Mapping[str, Interval]) -> list[Part]:
    one, other = (" ".join(said.between(each)) or "the usual" for each in (first, ladder))
    told = [f"{name} ({said.us(us)} us)" for name, us in more.items() if us.side(0)]
    what = f"what changed is {', '.join(told)}" if told else "no step can be told to have changed"
    both = _added(first), _added(ladder)
    rows = [
        (name, *(words.number(added[name].value) for added in both), said.us(us))
        for name, us in more.items()
    ]
    columns = numbers("step", one, other, "more [95 %]")
    return [
        Verdict(f"{other} against {one}, on {said.device(ladder)}: {what}."),
        Table(f"What each step adds, in us per {ladder.request}", columns, rows),
    ]


def _counters(ladder: Ladder) -> Series[counters.Rung]:
    def each(name: str, heading: str, column: str, scale: float = 1.0) -> Column[counters.Rung]:
        return Column(name, heading, of=lambda rung: rung.each(column, scale=scale))

    return Series(
        axis="rung",
        subject=said.title(ladder),
        points=counters.rungs(ladder),
        columns=[
            Column("rung", "rung", "text"),
            Column("client_us", "a client\nwaits us"),
            each("run_us", "on a CPU\nus", "sched_run_s", 1e6),
            each("wait_us", "for a CPU\nus", "sched_wait_s", 1e6),
            Column("blocked_us", "blocked\nus"),
            each("switches_voluntary", "switches", "sched_switches_voluntary"),
            each("rescheduling_ipis", "IPIs", "machine_rescheduling_ipis"),
            each("idle_entries", "halts", "machine_idle_entries"),
            Column("cpu_us", of="work.cpu_us_per_request"),
            *(Column(f.name, "commits\na group", of=f"work.{f.name}") for f in fields(Work)),
            Column("_sync_us", "sync us", of="sync_us"),
        ],
        views=[
            View(
                "Counted on each rung, per request of any kind",
                "rung client_us run_us wait_us blocked_us switches_voluntary rescheduling_ipis "
                "idle_entries _sync_us commits_per_group",
            )
        ],
    )


def _content(ladder: Ladder) -> dict[str, Any]:
    """Return a ladder for programs: fractions, not percent, and microseconds."""
    top = ladder.top
    return {
        **{name: getattr(top, name) for name in _OF_TOP},
        "device": ladder.device,
        "emulated": ladder.emulated,
        "sentence": said.verdict(ladder),
        "rounds": ladder.slots,
        "steps": [_step(step) for step in ladder.steps],
        "remainder_us": ladder.remainder_us,
        "total_us": asdict(ladder.total_us),
        "overhead": asdict(ladder.overhead),
        **({"gains": {n: asdict(x) for n, x in ladder.gains.items()}} if ladder.gains else {}),
        "counted": _counters(ladder).content()["points"],
        "clocks": [
            {"step": each.step.name, "counted_us": each.counted_us, "agree": each.agree}
            for each in counters.compared(ladder)
        ],
        "disagreements": said.disagreements(ladder),
        "failures": dict(ladder.failures),
    }


def _step(step: Step) -> dict[str, Any]:
    """Return a step under the names of the file's contract."""
    added, points = asdict(step.added_us), spelled("points", step.points)
    return {"step": step.name, "added_us": added.pop("value"), **added, **points}


def _draw(ladders: Sequence[Ladder], origin: Origin) -> Figure:
    shown = [ladder for ladder in ladders if ladder.steps]
    figure = empty(8.6, 3.5 * max(len(shown), 1) + 0.7)
    for axes, one in zip(axes_below(figure, max(len(shown), 1)), shown, strict=False):
        _waterfall(axes, one)
    footnote(figure, origin, _LEGEND)
    return figure


def _waterfall(axes: Axes, ladder: Ladder) -> None:
    base = 0.0
    for place, step in enumerate(ladder.steps):
        value = step.added_us.value or 0.0
        colour = style.colour(ladder.device) if value >= 0 else _DOWN
        axes.bar(place, value, bottom=base, width=0.62, color=colour)
        whiskers(axes, [place], [step.added_us.mapped(partial(add, base))], _WHISKERS)
        base += value
        axes.text(place + 0.34, base, words.number(value), va="center", fontsize=8.5)
    last = len(ladder.steps)
    axes.bar(last, base, width=0.62, color=_TOTAL)
    whiskers(axes, [last], [ladder.total_us], _WHISKERS)
    axes.text(last + 0.34, base, words.number(base), va="center", fontsize=8.5)
    axes.set_xticks(range(last + 1), [*(step.name for step in ladder.steps), "all"])
    axes.set_xlim(-0.6, last + 0.9)
    axes.axhline(0, color="#808080", linewidth=0.8)
    axes.set_ylabel(f"us added to a client's {ladder.request}")
    axes.set_title(said.title(ladder))
