"""The report on sizes as text: a table of speed per benchmark, one of work, and conclusions."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from .. import layout, words
from . import conclusions, study
from .measures import SPEED, WORK, Metric
from .points import READS, Point, Series, Sweep


def tables(sweep: Sweep) -> list[RenderableType]:
    parts: list[RenderableType] = []
    for bench in sweep.benches:
        both = [series for wal in (True, False) if (series := sweep.of(bench, wal))]
        parts.append(_speed(bench, both))
        if bench not in READS:
            parts.append(_work(bench, both))
    failed = [f"{words.FAILED} {name}: {why}" for name, why in sweep.failures.items()]
    return [
        *parts,
        *_lines("Without a result", failed),
        *_lines("How to read it", _legend(sweep)),
        *_lines("What these rows show of the study's conclusions", conclusions.sentences(sweep)),
    ]


def _legend(sweep: Sweep) -> list[str]:
    first = next((one.points[0] for one in sweep.series), None)
    lines = [
        f"x: over the first size, {first.size if first else '-'}, of the same benchmark and log",
        f"study x: that of MB/s in {study.rows()[0].source}, with its log",
        "overhead: 1 - ops/s over ops/s without a log, of the same size, round by round",
        "MB/s counts keys and values, in 2^20 bytes; compacted: read and written by compactions",
        "a run ends with its last operation: compactions that are still to be done are not counted",
        "reads write no log: there `on` and `off` differ by chance",
    ]
    if any(point.drawn for series in sweep.series for point in series.points):
        lines.append("B: key and value; ~ where values are drawn, the mean that db_bench counted")
    return lines


def _speed(bench: str, both: list[Series]) -> Table:
    one = both[0].points[0].estimate
    clients = f"{one.threads} thread{'s' if one.threads > 1 else ''}"
    table = _table(f"db_bench {bench}, profile {one.profile}, {clients}: speed")
    for metric in SPEED:
        table.add_column(metric.title.replace("total ", ""), justify="right", no_wrap=True)
        table.add_column("x", justify="right", no_wrap=True)
        if metric is SPEED[0]:
            table.add_column("study x", justify="right", no_wrap=True)
    table.add_column("overhead % [95 %]", justify="right", no_wrap=True)
    for series in both:
        for point in series.points:
            mb, *others = (_figure(point, metric) for metric in SPEED)
            cells = [*mb, _times(point.study_ratio), *(text for pair in others for text in pair)]
            table.add_row(*_place(series, point), *cells, _overhead(point))
    return table


def _work(bench: str, both: list[Series]) -> Table:
    table = _table(f"db_bench {bench}: work of a run")
    for metric in WORK:
        table.add_column(metric.title, justify="right", no_wrap=True)
        table.add_column("x", justify="right", no_wrap=True)
    for series in both:
        for point in series.points:
            cells = [text for metric in WORK for text in _figure(point, metric)]
            table.add_row(*_place(series, point), *cells)
    return table


def _table(title: str) -> Table:
    table = layout.table(title, [])
    table.columns[0].header = "size"
    table.add_column("B", justify="right", no_wrap=True)
    table.add_column("WAL", no_wrap=True)
    return table


def _place(series: Series, point: Point) -> tuple[str, str, str]:
    size = "-" if point.entry_bytes is None else f"{'~' * point.drawn}{point.entry_bytes:,.0f}"
    return point.size, size, "on" if series.wal else "off"


def _figure(point: Point, metric: Metric) -> tuple[str, str]:
    found = point.figures[metric.key]
    return words.number(found.mean), _times(found.ratio.value)


def _times(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.2f}"


def _overhead(point: Point) -> str:
    return layout.overhead(point.estimate)


def _lines(title: str, lines: list[str]) -> list[RenderableType]:
    return [Text(title, style="bold"), *(Text(f"  {line}") for line in lines), Text()] * bool(lines)
