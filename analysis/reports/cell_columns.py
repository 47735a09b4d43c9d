"""What every report says about its cells: numbers in tables, notes, and evidence in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    "stretched up to the target; simultaneous: max-T over the cells compared"
)
Name = Callable[[CellResult], str]
Facts = Mapping[str, Any]


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
    beside: Sequence[published.Study | None] = (),
    **more: Any,
) -> Report:
    """Return the report of these rows. `more` is passed to `Report`.

    For programs it contains the origin of the rows, then the study's own `content`. What differs in
    the published studies `beside` its figures follows its parts.
    """
    whole = {"schema": 1, **asdict(of.origin), "intervals": INTERVALS, **content}
    known = {"warnings": of.warnings, "folder": of.folder, "source": of}
    studies = list(dict.fromkeys(study for study in beside if study))
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


def evidence(
    results: Sequence[CellResult], name: Name, warnings: Sequence[str], *, folders: bool = False
) -> Lines:
    """Say what proves the labels of these cells, and what their rows warn of.

    With `folders`, also say where their logs were.
    """
    lines = []
    if any(result.served for result in results):  # a server's RocksDB is not the embedded one
        versions = dict.fromkeys(v for result in results for v in result.facts["engine_versions"])
        lines.append(f"server: {', '.join(versions) or 'its version was not recorded'}")
    for result in results:
        facts = result.facts
        wal = "" if facts["wal_bytes"] is None else _wal(facts)
        if facts["rests_on"]:
            counted = f"{wal}, by its server's count; " if wal else ""
            lines.append(f"{name(result)}: {counted}{facts['rests_on']}")
        elif wal:
            lines.append(f"{name(result)}: {wal}; {_syncs(result)}{_tables(facts)}{_reads(facts)}")
        if facts["binlog_place"]:
            lines.append(f"  {_second_log(facts)}")
        if folders and facts["wal_bytes"]:
            lines += [f"  in {folder}" for folder in facts["wal_dirs"]]
    lines += [f"warning: {warning}" for warning in warnings]
    return Lines(lines or ["the rows carry none"], "Evidence")


def _second_log(facts: Facts) -> str:
    p50 = facts["binlog_sync_us_p50"]
    return (
        f"binlog on {facts['binlog_place']}: {words.number(facts['binlog_bytes'])} bytes in "
        f"{facts['binlog_files'] or 0:,} files; {words.number(facts['binlog_syncs'])} syncs"
        f"{'' if p50 is None else f' of {p50:,.1f} us (p50)'}, by the tap"
    )


def _wal(facts: Facts) -> str:
    if not facts["wal_bytes"]:
        return "no WAL byte"
    files = "" if facts["wal_files"] is None else f" in {facts['wal_files']:,} files"
    return f"{facts['wal_bytes']:,} WAL bytes{files}"


def _tables(facts: Facts) -> str:
    """Return what flushes and compactions wrote, as a further clause."""
    flushed, compacted = facts["flushed_bytes_per_request"], facts["compacted_bytes_per_request"]
    if flushed is None or compacted is None:
        return ""
    return f"; {flushed:.1f} bytes flushed and {compacted:.1f} compacted a request"


def _syncs(result: CellResult) -> str:
    counted, seen = result.facts["wal_syncs"], result.facts["tap_syncs"]
    by_engine, by_tap = counted or 0, seen or 0
    if not result.commits_sync:
        who = "in the background" if result.served else "by memtable flushes"
        tapped = "no tap" if seen is None else f"{by_tap:,} {who} (tap)"
        return f"no sync per commit; {tapped}"
    if result.tap_agrees is None:  # there is only one witness
        if counted is None and seen is not None:
            return f"{by_tap:,} syncs (tap); the engine does not count them"
        return f"{words.number(counted)} syncs by the engine, no tap"
    if by_engine == by_tap:
        return f"{by_engine:,} syncs, tap == engine"
    if not result.facts["wal_bytes"] and not by_tap:
        return f"no syncs (tap); the engine counts {by_engine:,} that it skips"
    if result.tap_agrees:  # its background thread syncs between the two readings
        return f"{by_engine:,} syncs by the server, {by_tap:,} by the tap: within 1 %"
    # Only for the embedded release, whose difference the runner bounded.
    if not result.served and by_tap < by_engine:
        return (
            f"{by_tap:,} syncs (tap); the engine counts {by_engine:,}, with those of closed, "
            "durable logs that cost no system call"
        )
    return f"SYNCS DISAGREE: engine {by_engine:,}, tap {by_tap:,}"


def _reads(facts: Facts) -> str:
    """Return what is known of delayed reads of data, as further clauses."""
    each, p50 = facts["data_reads_per_request"], facts["data_read_us_p50"]
    said = "" if each is None else f"; {words.number(each)} delayed data reads a request"
    return said + ("" if p50 is None else f"; each {words.number(p50)} us (p50)")
