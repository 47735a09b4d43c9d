"""The report of a sweep of sizes: speed and work of each benchmark, and conclusions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..figures import sizes as figures
from ..report import Column, Lines, Part, Report, Table, numbers
from ..results import read, words
from ..sweep import conclusions, published
from ..sweep.measures import METRICS, SPEED, WORK, Metric
from ..sweep.sizes import Point, Series, Sweep, of_rows
from . import cells

_WIDTH = 112  # columns of the widest table
_PLACE = (Column("size"), Column("B"), Column("WAL", is_text=True))


def sizes(folder: Path) -> Report:
    """Every benchmark over the sizes of its keys and values.

    Errors: UsageError when the rows are not of a sweep of sizes; else as `load`.
    """
    of = read([folder])
    sweep = of_rows(of.rows)
    concluded = conclusions.sentences(sweep)
    table = published.rows()
    theirs = [
        {**asdict(one), "ratios": ratios}
        for one, ratios in zip(table, published.ratios(table), strict=True)
    ]
    content = {"conclusions": concluded, "failures": sweep.failures, "study": theirs}
    lines = [_line(one.bench, point) for one in sweep.series for point in one.points]
    return Report(
        name="sizes",
        parts=_parts(sweep, concluded),
        content=cells.content(of.origin, **content, lines=lines),
        lines=lines,
        figures={"sizes": lambda: figures.draw(sweep, of.origin)},
        warnings=of.warnings,
        folder=of.folder,
        source=of,
        width=_WIDTH,
    )


def _parts(sweep: Sweep, concluded: Sequence[str]) -> list[Part]:
    parts: list[Part] = []
    for bench in sweep.benches:
        both = [series for wal in (True, False) if (series := sweep.of(bench, wal))]
        parts.append(_speed(bench, both))
        if not both[0].only_reads:
            parts.append(_work(bench, both))
    failed = [f"{words.FAILED} {name}: {why}" for name, why in sweep.failures.items()]
    return [
        *parts,
        Lines(failed, "Without a result"),
        Lines(_legend(sweep), "How to read it"),
        Lines(concluded, "What these rows show of the study's conclusions"),
    ]


def _legend(sweep: Sweep) -> list[str]:
    first = next((one.points[0] for one in sweep.series), None)
    lines = [
        f"x: over the first size, {first.size if first else '-'}, of the same benchmark and log",
        f"study x: that of MB/s in {published.rows()[0].source}, with its log",
        "overhead: 1 - ops/s over ops/s without a log, of the same size, round by round",
        "MB/s counts keys and values, in 2^20 bytes; compacted: read and written by compactions",
        "a run ends with its last operation: compactions that are still to be done are not counted",
        "reads write no log: there `on` and `off` differ by chance",
    ]
    if any(point.drawn for series in sweep.series for point in series.points):
        lines.append("B: key and value; ~ where values are drawn, the mean that db_bench counted")
    return lines


def _speed(bench: str, both: Sequence[Series]) -> Table:
    columns = []
    for metric in SPEED:
        columns += numbers(metric.title.replace("total ", ""), "x")
        columns += numbers("study x") if metric is SPEED[0] else []
    rows = []
    for series, point in _points(both):
        mb, *others = (_figure(point, metric) for metric in SPEED)
        texts = [*mb, _times(point.study_ratio), *(text for pair in others for text in pair)]
        rows.append((*_place(series, point), *texts, cells.overhead(point.estimate)))
    one = both[0].points[0].estimate
    clients = f"{one.threads} thread{'s' if one.threads > 1 else ''}"
    title = f"db_bench {bench}, profile {one.profile}, {clients}: speed"
    return Table(title, [*_PLACE, *columns, *numbers("overhead % [95 %]")], rows)


def _work(bench: str, both: Sequence[Series]) -> Table:
    columns = [column for metric in WORK for column in numbers(metric.title, "x")]
    rows = [
        (*_place(series, point), *(text for metric in WORK for text in _figure(point, metric)))
        for series, point in _points(both)
    ]
    return Table(f"db_bench {bench}: work of a run", [*_PLACE, *columns], rows)


def _points(both: Sequence[Series]) -> list[tuple[Series, Point]]:
    return [(series, point) for series in both for point in series.points]


def _place(series: Series, point: Point) -> tuple[str, str, str]:
    size = "-" if point.entry_bytes is None else f"{'~' * point.drawn}{point.entry_bytes:,.0f}"
    return point.size, size, "on" if series.wal else "off"


def _figure(point: Point, metric: Metric) -> tuple[str, str]:
    figure = point.figures[metric.key]
    return words.number(figure.mean), _times(figure.ratio.value)


def _times(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.2f}"


def _line(bench: str, point: Point) -> dict[str, Any]:
    """Metrics that a benchmark does not have are null in it."""
    line: dict[str, Any] = {
        "bench": bench,
        "size": point.size,
        "key_bytes": point.key_bytes,
        "value_bytes": point.value_bytes,
        "entry_bytes": point.entry_bytes,
        "device": point.estimate.device,
        "durability": point.estimate.durability,
        "emulated": point.estimate.shows_model,
        "rounds": point.estimate.rounds,
    }
    for metric in METRICS:
        figure = point.figures.get(metric.key)
        line[metric.key] = figure.mean if figure else None
        line[f"{metric.key}_ratio"] = figure.ratio.value if figure else None
        line[f"{metric.key}_ratio_low"] = figure.ratio.low if figure else None
        line[f"{metric.key}_ratio_high"] = figure.ratio.high if figure else None
    line["study_mb_per_s_ratio"] = point.study_ratio
    line["overhead"] = point.estimate.overhead
    line["overhead_low"], line["overhead_high"] = point.estimate.low, point.estimate.high
    return line
