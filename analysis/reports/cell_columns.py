"""What every report says about its cells: numbers in tables, notes, and evidence in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from .. import published, series, stats
from ..figures import style
from ..numerals import share
from ..report import Lines, Part, Report
from ..results import CellResult, Proof, Source, words
from ..results.proof import BinlogProof

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
    if any(result.proof.served for result in results):  # a server's RocksDB is not the embedded one
        versions = dict.fromkeys(
            name for result in results for name in result.proof.engine_versions
        )
        lines.append(f"server: {', '.join(versions) or 'its version was not recorded'}")
    for result in results:
        proof = result.proof
        wal = "" if proof.wal_bytes is None else _wal(proof)
        if proof.rests_on:
            counted = f"{wal}, by its server's count; " if wal else ""
            lines.append(f"{name(result)}: {counted}{proof.rests_on}")
        elif wal:
            said = f"{wal}; {_syncs(proof)}{_tables(proof)}{_recorded(result)}"
            lines.append(f"{name(result)}: {said}")
        if proof.binlog is not None:
            lines.append(f"  {_second_log(proof.binlog)}")
        if folders:
            lines += [f"  in {folder}" for folder in proof.wal_dirs if proof.wal_bytes]
    lines += [f"warning: {warning}" for warning in warnings]
    return Lines(lines or ["the rows carry none"], "Evidence")


def _second_log(binlog: BinlogProof) -> str:
    median = "" if binlog.sync_us_p50 is None else f" of {binlog.sync_us_p50:,.1f} us (p50)"
    return (
        f"binlog on {binlog.place}: {words.number(binlog.bytes)} bytes in {binlog.files:,} files; "
        f"{words.number(binlog.syncs)} syncs{median}, by the tap"
    )


def _wal(proof: Proof) -> str:
    if not proof.wal_bytes:
        return "no WAL byte"
    files = "" if proof.wal_files is None else f" in {proof.wal_files:,} files"
    return f"{proof.wal_bytes:,} WAL bytes{files}"


def _tables(proof: Proof) -> str:
    """Return what flushes and compactions wrote, as a further clause."""
    flushed, compacted = proof.flushed_bytes_per_request, proof.compacted_bytes_per_request
    if flushed is None or compacted is None:
        return ""
    return f"; {flushed:.1f} bytes flushed and {compacted:.1f} compacted a request"


def _syncs(proof: Proof) -> str:
    by_engine, by_tap = proof.wal_syncs or 0, proof.tap_syncs or 0
    if not proof.commits_sync:
        who = "in the background" if proof.served else "by memtable flushes"
        tapped = "no tap" if proof.tap_syncs is None else f"{by_tap:,} {who} (tap)"
        return f"no sync per commit; {tapped}"
    if proof.tap_agrees is None:  # there is only one witness
        if proof.wal_syncs is None and proof.tap_syncs is not None:
            return f"{by_tap:,} syncs (tap); the engine does not count them"
        return f"{words.number(proof.wal_syncs)} syncs by the engine, no tap"
    if by_engine == by_tap:
        return f"{by_engine:,} syncs, tap == engine"
    if not proof.wal_bytes and not by_tap:
        return f"no syncs (tap); the engine counts {by_engine:,} that it skips"
    if proof.tap_agrees:  # its background thread syncs between the two readings
        return f"{by_engine:,} syncs by the server, {by_tap:,} by the tap: within 1 %"
    # Only for the embedded release, whose difference the runner bounded.
    if not proof.served and by_tap < by_engine:
        return (
            f"{by_tap:,} syncs (tap); the engine counts {by_engine:,}, with those of closed, "
            "durable logs that cost no system call"
        )
    return f"SYNCS DISAGREE: engine {by_engine:,}, tap {by_tap:,}"


def _recorded(result: CellResult) -> str:
    """Return as further clauses what only some campaigns record."""
    figures = {name: words.number(value) for name, value in result.recorded.items()}
    each = {
        "data_reads_per_request": "{} delayed data reads a request",
        "data_read_us_p50": "each {} us (p50)",
    }
    return "".join(f"; {said.format(figures[key])}" for key, said in each.items() if key in figures)
