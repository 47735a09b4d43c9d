"""The report of single SQL statements: ours beside a published study's."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..figures import empty
from ..json_lines import read
from ..numerals import share, times
from ..report import Lines, Report, Table, Verdict, numbers
from ..results import words
from ..series import Column, Series, View
from ..statements import (
    ARRIVALS,
    BASELINE,
    CLOSED,
    ENGINES,
    INSERT_RATIO,
    ROW_BYTES,
    SIZE_RATIO,
    Measured,
    published_of,
    remarks,
)
from ..stats import NOTHING, Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KEPT = "statements.jsonl"
_WANTED = {"way": str, "engine": str}
_COLOURS = {"innodb": "#1f6fb4", "myrocks": "#c0562b"}
_LEGEND = "docs/workloads.md says what theirs and ours were measured on, and what limits theirs"


def statements(folder: Path) -> Report:
    """Report the statements of a folder.

    Errors: UsageError if the folder has no lines, or a line is not one.
    """
    lines = read(folder / KEPT, _WANTED, "sweep statements")
    of = Measured(lines)
    points = [At(of, statement, engine) for statement in of.statements for engine in ENGINES]
    series, conclusions = Series("statement", "", points, _COLUMNS, _VIEWS), list(_conclusions(of))
    return Report(
        name="statements",
        parts=[
            *(Verdict(f"{claim}: {verdict}.") for claim, verdict in conclusions),
            *series.tables(),
            *([_sizes(of)] if of.loaded("innodb") else []),
            Lines(list(_inserts(of))),
            Lines([_LEGEND]),
        ],
        content={
            "schema": 1,
            "cells": series.content()["points"],
            "conclusions": dict(conclusions),
        },
        lines=series.lines(),
        figures={"insert-rate": lambda: _draw(of)} if of.series("innodb") else {},
        folder=folder,
    )


def _cost(mode: str) -> Column[At]:
    def of(at: At) -> Interval:
        return at.of.overhead(at.statement, at.engine, mode)

    return Column(mode, f"{mode} costs %", "%", of)


@dataclass(frozen=True)
class At:
    """A statement on an engine: the study's figures, means over its equal machines, and ours."""

    of: Measured
    statement: str
    engine: str

    def theirs(self, name: str) -> float | None:
        figures = (getattr(row, name) for row in published_of(self.statement, self.engine))
        known = [value for value in figures if value is not None]
        return statistics.mean(known) if known else None

    def ours(self, name: str, way: str, scale: float = 1.0) -> float | None:
        value = self.of.typical(name, self.statement, self.engine, way)
        return None if value is None else scale * value

    @property
    def ratio(self) -> Interval:
        """MyRocks over InnoDB, what the engines can do."""
        is_first = self.engine == ENGINES[0]
        return NOTHING if is_first else self.of.engines_ratio(self.statement, CLOSED)

    @property
    def their_ratio(self) -> str:
        """The study's ratio, if its figures are the engines' own."""
        limited = any(remarks(self.statement, engine) for engine in ENGINES)
        if limited or self.engine == ENGINES[0]:
            return "-"
        sides = [published_of(self.statement, engine) for engine in ENGINES]
        pairs = zip(*sides, strict=True)
        return _range([b.statements_per_s / a.statements_per_s for a, b in pairs], ".2f")


_COLUMNS: tuple[Column[At], ...] = (
    Column("statement", "statement", "text"),
    Column("engine", "engine", "text"),
    Column("theirs", "theirs/s", of=lambda at: at.theirs("statements_per_s")),
    Column("arrived", "ours/s", of=lambda at: at.ours("throughput", ARRIVALS)),
    Column("their_ms", "their ms", of=lambda at: at.theirs("latency_ms_p50")),
    Column("ms", "our ms", of=lambda at: at.ours("latency_us_p50", ARRIVALS, 1e-3)),
    Column("wait_ms", "wait ms", of=lambda at: at.ours("connection_wait_us_p50", ARRIVALS, 1e-3)),
    Column("remark", "remark", "text", lambda at: remarks(at.statement, at.engine)),
    Column("closed", "statements/s", of=lambda at: at.ours("throughput", CLOSED)),
    *(_cost(mode) for mode in ("flush", "sync")),
    Column("ratio", "over innodb", "x"),
    Column("their_ratio", "theirs", "text"),
)
_VIEWS: tuple[View[At], ...] = (
    View(
        "At the study's arrivals, the log synced: medians",
        "statement engine theirs arrived their_ms ms wait_ms remark",
    ),
    View(
        "What the engines can do, ten clients, the log synced; what it costs against "
        + " and ".join(f"{mode} ({engine})" for engine, mode in BASELINE.items()),
        "statement engine closed flush sync ratio their_ratio",
    ),
)


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
    return Table(title, numbers("engine", *randoms, "inserted", "rebuilt", "theirs"), rows)


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
        claim = f"Theirs, MyRocks inserts {low} to {high} times as fast as InnoDB"
        yield claim, f"{words.held(ratio, 1, 1)}, ours {times(ratio)}"
    rocks, inno = (_size(of.filled(engine)) for engine in ("myrocks", "innodb"))
    if rocks is not None and inno:
        claim = f"Theirs, MyRocks' table takes {SIZE_RATIO[0]} to {SIZE_RATIO[1]} of InnoDB's"
        held = words.held(Interval(rocks, rocks, rocks), inno, -1)
        yield claim, f"that it is smaller {held}, ours {rocks / inno:.2f}"
    if "delete-missing" in of.statements:
        closed = times(of.engines_ratio("delete-missing", CLOSED))
        yield (
            "Theirs, deletes are faster on MyRocks",
            f"cannot be told from arrivals that both kept up with; in a closed loop ours are "
            f"{closed} times as fast",
        )


def _range(values: list[float], form: str = ",.4g") -> str:
    ends = dict.fromkeys(f"{end:{form}}" for end in (min(values), max(values)))
    return " to ".join(ends)


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
