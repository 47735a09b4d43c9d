"""What every report says about its cells: numbers in tables, notes, and evidence in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from .. import published, series, stats
from ..figures import style
from ..numerals import share
from ..report import Lines, Part, Report
from ..results import CellResult, Source, words

NAME: series.Column[Any] = series.Column("device", "device", "text")
LABEL: series.Column[Any] = series.Column(
    "_label", "device", "text", of=lambda point: words.label(series.result_of(point))
)
OVERHEAD: series.Column[Any] = series.Column(
    "overhead", "overhead % [95 %]", "%",
    of=lambda point: series.result_of(point).interval,
    text=lambda point: overhead(series.result_of(point)),
)  # fmt: skip
INTERVALS = (
    f"{100 * stats.CONFIDENCE:.0f} % hierarchical bootstrap: hosts, sessions, then rounds; "
    f"{stats.RESAMPLES} resamples, seed {stats.SEED}; as long as the longest of Student's t "
    "intervals over rounds, sessions, hosts and occasions; of a workload that ended early "
    "stretched up to the target"
)


def line(point: Any) -> series.Line:
    """Return a cell's line style in figures, by its device and mode."""
    result = series.result_of(point)
    return series.Line(words.label(result), result.device, style.line(result.durability))


def over(name: str, heading: str, above: str, below: str, unit: str = "") -> series.Column[Any]:
    """Return a column for the ratio of two columns' sums over a cell's accepted slices."""
    return series.Column(
        name, heading, unit, lambda point: series.result_of(point).sums.over([above], below)
    )


def report(
    of: Source,
    name: str,
    *,
    content: Mapping[str, Any],
    parts: Sequence[Part],
    beside: Sequence[published.Study] = (),
    **more: Any,
) -> Report:
    """Return the report of these rows. `more` is passed to `Report`.

    For programs it contains the origin of the rows, then the study's own `content`. What differs in
    the published studies `beside` its figures follows its parts.
    """
    whole = {"schema": 1, **asdict(of.origin), "intervals": INTERVALS, **content}
    known = {"warnings": of.warnings, "folder": of.folder, "source": of}
    studies = list(dict.fromkeys(beside))
    if studies:
        whole["published"] = [study.about for study in studies]
    differ = [f"{study.title}: {study.reference}. {study.differs}" for study in studies]
    return Report(
        name=name, content=whole, parts=[*parts, Lines(differ, "Published")], **known | more
    )


def overhead(result: CellResult) -> str:
    """Return the overhead of a cell in a table, in percent."""
    if result.failed:
        return words.FAILED
    return (
        f"{words.percent(result.overhead)} baseline"
        if result.is_baseline
        else share(result.interval)
    )


def throughput(result: CellResult) -> str:
    """Return the throughput with the half-width of its own interval, which includes drift."""
    rate, half_width = words.number(result.throughput), result.rate.half_width
    known = half_width is not None
    return f"{rate} \N{PLUS-MINUS SIGN}{words.number(half_width)}" if known else rate


def evidence(results: Sequence[CellResult], warnings: Sequence[str]) -> list[Part]:
    """Say what proves the labels of these cells, where their logs were, and what rows warn of."""
    lines = []
    if any(result.served for result in results):  # a server's RocksDB is not the embedded one
        versions = dict.fromkeys(v for result in results for v in result.facts["engine_versions"])
        lines.append(f"server: {', '.join(versions) or 'its version was not recorded'}")
    for result in results:
        name, facts = words.label(result), result.facts
        lines += [f"{name}: {facts['rests_on']}"] if facts["rests_on"] else []
        lines += [f"{name}: in {folder}" for folder in facts["wal_dirs"] if facts["wal_bytes"]]
    lines += [f"warning: {warning}" for warning in warnings]
    request = results[0].unit.request
    written = [
        series.Column[CellResult](
            work, f"{work}\nB/{request}", of=f"facts.{work}_bytes_per_request", only_wide=True
        )
        for work in ("flushed", "compacted")
    ]
    return [*known("Evidence", results, [*_EVIDENCE, *written]), Lines(lines)]


def known(
    title: str, results: Sequence[CellResult], columns: Sequence[series.Column[CellResult]]
) -> list[Part]:
    """Return a table of these columns behind the cells' labels, if it says anything."""
    table = series.table(title, results, [LABEL, *columns])
    return [table] if table.columns[1:] else []


_EVIDENCE: tuple[series.Column[CellResult], ...] = (
    series.Column("wal_bytes", "WAL bytes", "whole"),
    series.Column("wal_files", "files", "whole"),
    series.Column("wal_syncs", "syncs by\nengine", "whole"),
    series.Column("tap_syncs", "syncs by\ntap", "whole"),
    series.Column("binlog_place", "binlog on", "text", "binlog_place", only_wide=True),
    series.Column("binlog_bytes", "binlog\nbytes", "whole"),
    series.Column("binlog_syncs", "binlog\nsyncs", "whole"),
    series.Column("binlog_sync_us_p50", "p50 us", only_wide=True),
)
