"""The report on a sweep of sizes: tables, sizes.csv, sizes.json, sizes.png, sizes.svg."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from rich.console import Console

from ...row import Row
from .. import facts, figures, summary
from ..reading import load
from . import conclusions, files, size_figures, size_tables, study
from .files import Line
from .measures import METRICS
from .points import Point, Sweep, of_rows

NAME = "sizes"


def report(campaign: Path, console: Console) -> list[Path]:
    """Print the tables of a campaign; write its files beside its rows and return their paths.

    Errors: UsageError when the rows are not of a sweep of sizes.
    """
    rows = load([campaign])
    sweep = of_rows(rows)
    for part in size_tables.tables(sweep):
        console.print(part)
    return write(sweep, rows, campaign) if campaign.is_dir() else []


def write(sweep: Sweep, rows: list[Row], folder: Path) -> list[Path]:
    about = facts.of_rows(rows)
    content = {
        **dataclasses.asdict(about),
        "intervals": summary.INTERVALS,
        "conclusions": conclusions.sentences(sweep),
        "failures": sweep.failures,
        "study": [_study(one, ratios) for one, ratios in _study_rows()],
    }
    lines = [_line(point) for series in sweep.series for point in series.points]
    written = files.write(NAME, lines, content, folder)
    return written + figures.save({NAME: lambda: size_figures.draw(sweep, about)}, folder)


def _line(point: Point) -> Line:
    """Metrics that a benchmark does not have are null in it."""
    line: Line = {
        "bench": point.bench,
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
        found = point.figures.get(metric.key)
        line[metric.key] = found.mean if found else None
        line[f"{metric.key}_ratio"] = found.ratio.value if found else None
        line[f"{metric.key}_ratio_low"] = found.ratio.low if found else None
        line[f"{metric.key}_ratio_high"] = found.ratio.high if found else None
    line["study_mb_per_s_ratio"] = point.study_ratio
    line["overhead"] = point.estimate.overhead
    line["overhead_low"], line["overhead_high"] = point.estimate.low, point.estimate.high
    return line


def _study_rows() -> list[tuple[study.StudyRow, dict[str, float]]]:
    table = study.rows()
    return list(zip(table, study.ratios(table), strict=True))


def _study(one: study.StudyRow, ratios: dict[str, float]) -> Line:
    return {**dataclasses.asdict(one), "ratios": ratios}
