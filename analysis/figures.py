"""Estimates to figures. Functions draw onto given axes; the caller decides where they go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from ..owned.places import require_own
from ..row import Row
from . import style, words
from .facts import Facts
from .overhead import CellEstimate, by_group

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def write(rows: list[Row], estimates: list[CellEstimate], facts: Facts, folder: Path) -> list[Path]:
    """overhead.png/.svg and drift.png/.svg in `folder`; returns their paths."""
    drawn = {
        "overhead": lambda: overheads(estimates, facts),
        "drift": lambda: drift(rows, estimates, facts),
    }
    return save(drawn, folder)


def save(drawn: Mapping[str, Callable[[], Figure]], folder: Path) -> list[Path]:
    """What each name's function draws as <name>.png and .svg in `folder`; returns their paths."""
    import matplotlib as mpl

    require_own(folder)
    written = []
    with mpl.rc_context(style.RC):
        for name, draw in drawn.items():
            figure = draw()
            for suffix in ("png", "svg"):
                path = folder / f"{name}.{suffix}"
                metadata = {"Date": None} if suffix == "svg" else None  # equal rows, equal file
                figure.savefig(path, metadata=metadata)
                written.append(path)
    return written


def overheads(estimates: list[CellEstimate], facts: Facts) -> Figure:
    """Throughput left, overhead right; one line of axes per comparison group."""
    groups = by_group(estimates)
    bars = max(len(group) for group in groups)
    figure = empty(max(8.0, 2.2 + 1.8 * bars), 4.3 * len(groups))
    axes = figure.subplots(len(groups), 2, squeeze=False)
    for (left, right), group in zip(axes, groups, strict=True):
        draw_throughput(left, group)
        draw_overhead(right, group)
    hatched = "; hatched: the WAL's device is emulated by a latency model"
    emulated = any(one.shows_model for one in estimates)
    lacking = [f"; {said}" for group in groups if (said := words.no_off(group))]
    legend = "bars: means; whiskers: 95 % intervals" + hatched * emulated
    footnote(figure, facts, legend + "".join(dict.fromkeys(lacking)))
    return figure


def draw_throughput(axes: Axes, group: list[CellEstimate]) -> None:
    shown = [one for one in group if one.throughput is not None or one.failed]
    _bars(
        axes,
        shown,
        [(one.throughput, one.throughput_low, one.throughput_high) for one in shown],
        [words.FAILED if one.failed else words.number(one.throughput) for one in shown],
    )
    # In two lines: beside it stands the title of the overheads.
    axes.set_title(words.group_title(group[0]).replace(", profile", ",\nprofile"))
    axes.set_ylabel(group[0].throughput_unit)
    axes.yaxis.set_major_formatter("{x:,.0f}")


def draw_overhead(axes: Axes, group: list[CellEstimate]) -> None:
    shown = [
        one for one in group if (one.overhead is not None or one.failed) and not one.is_baseline
    ]
    ends = [
        tuple(None if end is None else 100 * end for end in (one.overhead, one.low, one.high))
        for one in shown
    ]
    _bars(axes, shown, ends, [_overhead_name(one) for one in shown])
    axes.axhline(0, color="#404040", linewidth=0.8)
    what = "the WAL" if group[0].has_off else "waiting for the log"
    axes.set_title(f"Cost of {what} against {words.reference(group)} (baseline, 0 %)")
    axes.set_ylabel(f"overhead, % of the throughput of {group[0].reference}")
    if not shown:
        axes.text(0.5, 0.5, "no overhead known", transform=axes.transAxes, ha="center")


def _overhead_name(one: CellEstimate) -> str:
    if one.failed:
        return words.FAILED
    doubt = "" if one.resolvable or one.low is None else "\nnot resolvable"
    return f"{words.percent(one.overhead)} %{doubt}"


Ends = tuple[float | None, ...]


def _bars(axes: Axes, shown: list[CellEstimate], ends: list[Ends], names: list[str]) -> None:
    """One bar per cell with its interval; `ends` are (value, low, high).

    A cell without a value has its name only, on the axis.
    """
    places = range(len(shown))
    for place, one, (value, low, high), name in zip(places, shown, ends, names, strict=True):
        height = value or 0.0
        axes.bar(
            place,
            height,
            width=0.62,
            color=style.colour(one.device),
            edgecolor="white",
            hatch=style.EMULATED_HATCH if one.shows_model else None,
        )
        top = max(height, 0.0)
        if low is not None and high is not None:
            error = [[height - low], [high - height]]
            axes.errorbar(place, height, error, color="#202020", capsize=5, elinewidth=1.3)
            top = max(high, 0.0)
        axes.annotate(
            name, (place, top), (0, 4), textcoords="offset points", ha="center", va="bottom"
        )
    axes.set_xticks(list(places), [words.label(one).replace(" (", "\n(") for one in shown])
    axes.set_xlim(-0.6, max(len(shown), 1) - 0.4)
    axes.margins(y=0.13)  # above only: bars hold the axis at zero


def drift(rows: list[Row], estimates: list[CellEstimate], facts: Facts) -> Figure:
    """Throughput of every slice over time: what the rounds' ratios had to cancel."""
    groups = by_group(estimates)
    figure = empty(8.0, 3.6 * len(groups))
    for axes, group in zip(
        figure.subplots(len(groups), 1, squeeze=False)[:, 0], groups, strict=True
    ):
        draw_drift(axes, rows, group)
    footnote(figure, facts, "a line breaks where a session ends: fresh data, fresh processes")
    return figure


def draw_drift(axes: Axes, rows: list[Row], group: list[CellEstimate]) -> None:
    """A line per cell, broken between sessions."""
    ids = {one.cell for one in group}
    accepted = [one for one in rows if one["cell"] in ids and one["status"] == "ok"]
    for one in group:
        name = words.label(one) + f" {words.FAILED}" * one.failed
        for _, slices in groupby(
            ((place, row) for place, row in enumerate(accepted) if row["cell"] == one.cell),
            key=lambda placed: (placed[1]["campaign"], placed[1]["session"]),
        ):
            places, session = zip(*slices, strict=True)
            axes.plot(
                places,
                [row["throughput"] for row in session],
                color=style.colour(one.device),
                marker=style.marker(one.device),
                markersize=4,
                linewidth=1,
                linestyle=style.line(one.durability),
                label=name,
            )
            name = "_"  # one entry in the legend
    axes.set_ylim(bottom=0)
    axes.set_title(f"{words.group_title(group[0])}: every slice")
    axes.set_xlabel("slice, in the order measured")
    axes.set_ylabel(group[0].throughput_unit)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))


def empty(width: float, height: float) -> Figure:
    """An empty figure of so many inches, with room for the footnote."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    below = 0.36 / height
    layout = ConstrainedLayoutEngine(rect=(0.01, below, 0.98, 1 - below), wspace=0.06)
    return Figure(figsize=(width, height), layout=layout)


def footnote(figure: Figure, facts: Facts, legend: str) -> None:
    """Where the rows come from, and under it how to read the figure."""
    versions = [f"{name} {'/'.join(found)}" for name, found in facts.versions.items()]
    parts = [f"campaign {', '.join(facts.campaigns)}", *versions, *facts.measured_on]
    text = "  |  ".join(parts) + "\n" + legend
    figure.text(0.012, 0.012, text, fontsize=7.5, color="#606060", va="bottom")
