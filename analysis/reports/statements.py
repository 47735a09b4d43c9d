"""The report of single SQL statements: ours beside a published study's."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..figures import empty
from ..json_lines import read
from ..numerals import share, times
from ..report import Column, Lines, Part, Report, Table, Verdict, numbers
from ..series import spelled
from ..statements import literature
from ..statements.literature import ENGINES, INSERT_RATIO, ROW_BYTES, SIZE_RATIO
from ..statements.ratios import ARRIVALS, BASELINE, CLOSED, Measured
from ..stats import NOTHING, Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KEPT = "statements.jsonl"
_WANTED = {"way": str, "engine": str}
_MODES = {engine: (baseline, "flush", "sync") for engine, baseline in BASELINE.items()}
_TYPICAL = (
    *("throughput", "latency_us_mean", "latency_us_p50", "latency_us_p99"),
    *("connection_wait_us_p50", "service_us_p50", "wal_bytes", "wal_syncs", "slice_requests"),
)
_COLOURS = {"innodb": "#1f6fb4", "myrocks": "#c0562b"}
_HOLDS, _NOT, _UNTOLD = "holds here", "does not hold here", "cannot be told"
_LEGEND = "docs/workloads.md says what theirs and ours were measured on, and what limits theirs"


def statements(folder: Path) -> Report:
    """Report the statements of a folder.

    Errors: UsageError if the folder has no lines, or a line is not one.
    """
    lines = read(folder / KEPT, _WANTED, "sweep statements")
    of = Measured(lines)
    conclusions, cells = list(_conclusions(of)), list(_cells(of))
    return Report(
        name="statements",
        parts=[
            *(Verdict(f"{claim}: {verdict}.") for claim, verdict in conclusions),
            *_parts(of),
            Lines([_LEGEND]),
        ],
        content={"schema": 1, "cells": cells, "conclusions": dict(conclusions)},
        lines=cells,
        figures={"insert-rate": lambda: _draw(of)} if of.series("innodb") else {},
        folder=folder,
    )


def _parts(of: Measured) -> Iterator[Part]:
    if of.statements:
        yield _arrivals(of)
        yield _closed(of)
        yield from (_modes(of, engine) for engine in ENGINES)
    if of.loaded("innodb"):
        yield _sizes(of)
    yield Lines(list(_inserts(of)))


def _cells(of: Measured) -> Iterator[dict[str, Any]]:
    """Yield medians over the rounds, with the evidence of the log; overheads are fractions."""
    for statement in of.statements:
        for engine in ENGINES:
            for way, mode in ((ARRIVALS, "sync"), *((CLOSED, mode) for mode in _MODES[engine])):
                at = (statement, engine, way, mode)
                cost = of.overhead(statement, engine, mode) if way == CLOSED else NOTHING
                yield {
                    **dict(zip(("statement", "engine", "way", "mode"), at, strict=True)),
                    **{name: of.typical(name, *at) for name in _TYPICAL},
                    **spelled("overhead", cost),
                }


def _arrivals(of: Measured) -> Table:
    """Return a table of the study's own way, its figures beside ours; medians in milliseconds."""
    columns = [
        Column("statement"),
        Column("engine", is_text=True),
        *numbers("theirs/s", "ours/s", "their ms", "our ms", "wait ms"),
        Column("remark", is_text=True),
    ]
    rows = []
    for statement in of.statements:
        for engine in ENGINES:
            theirs = literature.of(statement, engine)
            rows.append(
                (
                    statement if engine == ENGINES[0] else "",
                    engine,
                    _figure(_mean(row.statements_per_s for row in theirs)),
                    _figure(of.typical("throughput", statement, engine, ARRIVALS)),
                    _figure(_mean(row.latency_ms_p50 for row in theirs)),
                    _ms(of.typical("latency_us_p50", statement, engine, ARRIVALS)),
                    _ms(of.typical("connection_wait_us_p50", statement, engine, ARRIVALS)),
                    literature.remarks(statement, engine),
                )
            )
    return Table("At the study's arrivals, the log synced: medians", columns, rows)


def _closed(of: Measured) -> Table:
    """Return a table of what the engines can do."""
    columns = [
        Column("statement"),
        *numbers("innodb/s", "myrocks/s", "myrocks / innodb", "theirs"),
    ]
    rows = []
    for statement in of.statements:
        figures_of = (of.typical("throughput", statement, name, CLOSED) for name in ENGINES)
        ratio = of.engines_ratio(statement, CLOSED)
        rows.append((statement, *map(_figure, figures_of), times(ratio), _theirs(statement)))
    return Table("What the engines can do: ten clients, statements a second", columns, rows)


def _modes(of: Measured, engine: str) -> Table:
    modes = _MODES[engine][1:]
    rows = [
        (statement, *(_cost(of.overhead(statement, engine, mode)) for mode in modes))
        for statement in of.statements
    ]
    title = f"What the log costs {engine}, % of the throughput with {BASELINE[engine]}"
    return Table(title, [Column("statement"), *numbers(*modes)], rows)


def _sizes(of: Measured) -> Table:
    randoms = [f"{share:.0%} random" for share in of.loaded("innodb")]
    rows = []
    for engine in ENGINES:
        filled = of.filled(engine)
        said = [_size(filled, name) for name in ("schema_bytes", "schema_bytes_rebuilt")]
        sizes = [*of.loaded(engine).values(), *said]
        texts = ("-" if size is None else f"{size:.0f}" for size in sizes)
        rows.append((engine, *texts, _range(list(ROW_BYTES[engine]))))
    title = "Bytes a row: files of a bulk load, its texts so much random; as the server says"
    headings = numbers(*randoms, "inserted", "rebuilt", "theirs")
    return Table(title, [Column("engine"), *headings], rows)


def _size(filled: Any, name: str = "schema_bytes") -> float | None:
    """Return bytes per row; None if nothing was filled."""
    return None if filled is None else float(filled[name]) / max(1, int(filled["table_rows"]))


def _inserts(of: Measured) -> Iterator[str]:
    cost = of.foreign_keys()
    if cost.value is not None:
        yield (
            "inserts on innodb whose three courses are foreign keys, each with the index that it "
            f"takes: {share(cost)} % slower than without, the log synced"
        )
    for engine in ENGINES:
        seconds = [rate for rates in of.series(engine) for rate in rates]
        if seconds:
            yield (
                f"inserts on {engine}, second by second: {min(seconds):,} to {max(seconds):,} in "
                f"{len(seconds)} whole seconds, {seconds.count(0)} of them without any"
            )


def _conclusions(of: Measured) -> Iterator[tuple[str, str]]:
    """Yield what the study concluded, and whether our rows agree."""
    ratio = of.engines_ratio("insert", ARRIVALS)
    if ratio.value is not None:
        low, high = INSERT_RATIO
        verdict = {1: _HOLDS, -1: _NOT}.get(ratio.side(1) or 0, _UNTOLD)
        claim = f"Theirs, MyRocks inserts {low} to {high} times as fast as InnoDB"
        yield claim, f"{verdict}, ours {times(ratio)}"
    rocks, inno = (_size(of.filled(engine)) for engine in ("myrocks", "innodb"))
    if rocks is not None and inno:
        claim = f"Theirs, MyRocks' table takes {SIZE_RATIO[0]} to {SIZE_RATIO[1]} of InnoDB's"
        verdict = _HOLDS if rocks < inno else _NOT
        yield claim, f"that it is smaller {verdict}, ours {rocks / inno:.2f}"
    if "delete-missing" in of.statements:
        closed = times(of.engines_ratio("delete-missing", CLOSED))
        yield (
            "Theirs, deletes are faster on MyRocks",
            f"{_UNTOLD} from arrivals that both kept up with; in a closed loop ours are "
            f"{closed} times as fast",
        )


def _theirs(statement: str) -> str:
    """Return the study's ratio, if its figures are the engines' own."""
    if any(literature.remarks(statement, engine) for engine in ENGINES):
        return "-"
    sides = [literature.of(statement, engine) for engine in ENGINES]
    return _range(
        [b.statements_per_s / a.statements_per_s for a, b in zip(*sides, strict=True)], ".2f"
    )


def _range(values: list[float], form: str = ",.4g") -> str:
    ends = dict.fromkeys(f"{end:{form}}" for end in (min(values), max(values)))
    return " to ".join(ends)


def _mean(values: Iterable[float | None]) -> float | None:
    """Return the mean over the study's equal machines; None for what it does not state."""
    known = [value for value in values if value is not None]
    return statistics.mean(known) if known else None


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _ms(us: float | None) -> str:
    return "-" if us is None else f"{us / 1e3:.2f}"


def _cost(interval: Interval) -> str:
    return "-" if interval.value is None else share(interval)


def _draw(of: Measured) -> Figure:
    """Draw the series; both axes begin at 0."""
    figure = empty(6.4, 4.0)
    axes = figure.subplots()
    for engine, colour in _COLOURS.items():
        for number, rates in enumerate(of.series(engine)):
            seconds = [second + 0.5 for second in range(len(rates))]
            label = engine if number == 0 else None
            axes.plot(seconds, rates, "o-", color=colour, label=label, alpha=0.6, markersize=3)
    title = "Inserts a second as the table grows"
    axes.set(title=title, xlabel="seconds", ylabel="inserts/s", xlim=(0, None), ylim=(0, None))
    axes.legend(loc="lower right", fontsize=8)
    return figure
