"""The report of a sweep of sizes: speed and work of each benchmark, and conclusions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ..report import Lines, Report
from ..results import read, words
from ..series import Column, Line, Plot, Series, View, plain
from ..stats import NOTHING
from ..sweep import literature
from ..sweep.sizes import (
    COMPACTED,
    COMPACTIONS,
    MB,
    METRICS,
    SPEED,
    THROUGHPUT,
    TIME,
    WORK,
    Figure,
    Metric,
    Point,
    Sweep,
    of_rows,
    sentences,
)
from . import cell_columns, sweeps

_LEGEND = (
    "ratios to the smallest size, of the same benchmark and log; whiskers: 95 % intervals; "
    "hollow: sizes are drawn, at their mean"
)


def sizes(folder: Path) -> Report:
    """Report every benchmark over the sizes of its keys and values.

    Errors: UsageError if the rows are not from a sweep of sizes; else as `load`.
    """
    of = read([folder])
    sweep = of_rows(of.rows)
    failed = [f"{words.FAILED} {name}: {why}" for name, why in sweep.failures.items()]
    table = literature.rows()
    ratios = zip(table, literature.ratios(table), strict=True)
    return sweeps.of_series(
        "sizes", of, [_series(sweep, bench) for bench in sweep.benches],
        legend=_LEGEND, size=(3.1, 2.0), is_column=True, guide="reports.md", proven=False,
        content={
            "failures": sweep.failures,
            "study": [{**asdict(row), "ratios": its} for row, its in ratios],
        },
        more=lambda _: [Lines(failed, "Without a result")],
    )  # fmt: skip


def _series(sweep: Sweep, bench: str) -> Series[Point]:
    """Return the series of a benchmark; metrics that it lacks are null."""
    every = [point for wal in (True, False) for point in sweep.of(bench, wal)]
    result = every[0].result
    clients = f"{result.threads} thread{'s' if result.threads > 1 else ''}"
    shown = _views(f"db_bench {bench}", f"profile {result.profile}, {clients}")
    return Series(
        axis="key + value, B",
        subject=f"db_bench {bench}",
        points=every,
        columns=[
            Column("bench"),
            Column("size", "size", "text"),
            *plain("key_bytes value_bytes"),
            Column("entry_bytes", "B", text=_bytes),
            Column("_wal", "log", "text", "label"),
            *plain("device durability"),
            Column("emulated", of="shows_model"),
            Column("rounds"),
            *(column for metric in METRICS for column in _of_metric(metric)),
            Column("study_mb_per_s_ratio", "study x", "x", "study_ratio"),
            cell_columns.OVERHEAD,
        ],
        views=[view for view in shown if COMPACTIONS.key in every[0].figures or view is shown[0]],
        sentences=list(sentences(sweep, bench)),
        at=lambda point: point.entry_bytes,
        line=_line,
        plots=_PLOTS,
    )


def _bytes(point: Point) -> str:
    return "-" if point.entry_bytes is None else f"{'~' * point.drawn}{point.entry_bytes:,.0f}"


def _of_metric(metric: Metric) -> list[Column[Point]]:
    """Return columns for a metric's mean and its ratio to the first size's."""
    key, title = metric.key, metric.title.replace("total ", "")
    nothing = Figure(None, NOTHING)
    return [
        Column(key, title, "", lambda at: at.figures.get(key, nothing).mean),
        Column(f"{key}_ratio", "x", "x alone", lambda at: at.figures.get(key, nothing).ratio),
    ]


def _views(bench: str, experiment: str) -> list[View[Point]]:
    def of(metrics: Sequence[Metric]) -> list[str]:
        return [name for metric in metrics for name in (metric.key, f"{metric.key}_ratio")]

    place = ["size", "entry_bytes", "_wal"]
    speed = [*place, *of(SPEED[:1]), "study_mb_per_s_ratio", *of(SPEED[1:]), "overhead"]
    return [
        View(f"{bench}, {experiment}: speed", " ".join(speed)),
        View(f"{bench}: work of a run", " ".join([*place, *of(WORK)])),
    ]


def _line(point: Point) -> Line:
    """Return a point's line; drawn sizes are on none, as they differ in more than their mean."""
    if point.drawn:
        return Line("_", point.result.device, "none", is_open=True)
    return cell_columns.line(point)


_PLOTS: tuple[Plot[Point], ...] = (
    *(
        Plot(
            f"{metric.title.replace(' s', ' (s)')}, ratio", f"{metric.key}_ratio", mark=1.0,
            study="study_mb_per_s_ratio" if metric is MB else "",
        )
        for metric in (MB, THROUGHPUT, TIME, COMPACTIONS, COMPACTED)
    ),
    Plot("WAL overhead, %", "overhead", lambda point: point.result.writes_wal),
)  # fmt: skip
