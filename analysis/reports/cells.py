"""What every report says of its cells: numbers in tables, notes, and the evidence in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from .. import series, stats
from ..figures import style
from ..numerals import share
from ..report import Column, Lines, Report
from ..results import CellResult, Proof, Source, words
from ..results.proof import BinlogProof

DEVICE = Column("device")
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
_COUNTED = {
    "instructions_per_request": "instructions",
    "cycles_per_request": "cycles",
    "llc_misses_per_request": "LLC misses",
}


def line(point: Any) -> series.Line:
    """How a figure draws a cell: by its device, and by its mode."""
    one = series.result_of(point)
    return series.Line(words.label(one), one.device, style.line(one.durability))


def over(name: str, heading: str, above: str, below: str, unit: str = "") -> series.Column[Any]:
    """The sum of a column of the rows, over that of another, of a cell's accepted slices."""
    return series.Column(
        name, heading, unit, lambda point: series.result_of(point).sums.over([above], below)
    )


def report(of: Source, name: str, *, content: Mapping[str, Any], **more: Any) -> Report:
    """The report of these rows. `more` is as `Report` has it.

    Of every study a program gets where the rows come from, then its own `content`.
    """
    whole = {"schema": 1, **asdict(of.origin), "intervals": INTERVALS, **content}
    known = {"warnings": of.warnings, "folder": of.folder, "source": of}
    return Report(name=name, content=whole, **known | more)


def overhead(one: CellResult) -> str:
    """The overhead of a cell in a table, in percent."""
    if one.failed:
        return words.FAILED
    return f"{words.percent(one.overhead)} baseline" if one.is_baseline else share(one.interval)


def throughput(one: CellResult) -> str:
    """With the half-width of its own interval, drift and all."""
    rate, half_width = words.number(one.throughput), one.rate.half_width
    known = half_width is not None
    return f"{rate} \N{PLUS-MINUS SIGN}{words.number(half_width)}" if known else rate


def evidence(
    results: Sequence[CellResult], name: Name, warnings: Sequence[str], *, folders: bool = False
) -> Lines:
    """What proves the labels of these cells, and what their rows warn of.

    With `folders` also where their logs were.
    """
    lines = _server([one.proof for one in results])
    for one in results:
        if one.proof.rests_on:
            lines.append(f"{name(one)}: {_by_its_server(one.proof)}")
        elif one.proof.wal_bytes is not None:
            lines.append(f"{name(one)}: {_wal(one.proof)}; {_syncs(one.proof)}{_recorded(one)}")
        if one.proof.binlog is not None:
            lines.append(f"  {_second_log(one.proof.binlog)}")
        if folders:
            lines += [f"  in {folder}" for folder in one.proof.wal_dirs if one.proof.wal_bytes]
    lines += [f"warning: {warning}" for warning in warnings]
    return Lines(lines or ["the rows carry none"], "Evidence")


def _by_its_server(proof: Proof) -> str:
    counted = "" if proof.wal_bytes is None else f"{_wal(proof)}, by its server's count; "
    return f"{counted}{proof.rests_on}"


def _second_log(binlog: BinlogProof) -> str:
    median = "" if binlog.sync_us_p50 is None else f" of {binlog.sync_us_p50:,.1f} us (p50)"
    return (
        f"binlog on {binlog.place}: {words.number(binlog.bytes)} bytes in {binlog.files:,} files; "
        f"{words.number(binlog.syncs)} syncs{median}, by the tap"
    )


def _server(proofs: Sequence[Proof]) -> list[str]:
    """Which server it was: its RocksDB is not the one that waltax embeds."""
    versions = [name for proof in proofs for name in proof.engine_versions]
    if not any(proof.served for proof in proofs):
        return []
    return [f"server: {', '.join(dict.fromkeys(versions)) or 'its version was not recorded'}"]


def _wal(proof: Proof) -> str:
    if not proof.wal_bytes:
        return "no WAL byte"
    files = "" if proof.wal_files is None else f" in {proof.wal_files:,} files"
    return f"{proof.wal_bytes:,} WAL bytes{files}"


def _syncs(proof: Proof) -> str:
    if not proof.commits_sync:
        return f"no sync per commit; {_not_by_commits(proof)}"
    if proof.tap_agrees is None:
        return _by_one_witness(proof)
    if proof.wal_syncs == proof.tap_syncs:
        return f"{proof.wal_syncs:,} syncs, tap == engine"
    if proof.tap_agrees and not proof.served:
        return (
            f"{proof.wal_syncs:,} syncs, {proof.tap_syncs:,} by the tap: with this knob they may "
            "differ by one a log file"
        )
    if not proof.wal_bytes and not proof.tap_syncs:
        return f"no syncs (tap); the engine counts {proof.wal_syncs:,} that it skips"
    if proof.tap_agrees:  # its background thread syncs while the one or the other is read
        return (
            f"{proof.wal_syncs:,} syncs by the server, {proof.tap_syncs:,} by the tap: within 1 %"
        )
    # Of the embedded release only; the runner bounded the difference.
    if not proof.served and (proof.tap_syncs or 0) < (proof.wal_syncs or 0):
        return (
            f"{proof.tap_syncs:,} syncs (tap); the engine counts {proof.wal_syncs:,}, "
            "with those of closed, durable logs that cost no system call"
        )
    return f"SYNCS DISAGREE: engine {proof.wal_syncs:,}, tap {proof.tap_syncs:,}"


def _recorded(one: CellResult) -> str:
    """What only some campaigns record, as further clauses."""
    found = {name: words.number(value) for name, value in one.recorded.items()}
    clauses = []
    if "data_reads_per_request" in found:
        clauses.append(f"{found['data_reads_per_request']} delayed data reads a request")
    if "data_read_us_p50" in found:
        clauses.append(f"each {found['data_read_us_p50']} us (p50)")
    clauses += [f"{found[key]} {word} a request" for key, word in _COUNTED.items() if key in found]
    return "".join(f"; {clause}" for clause in clauses)


def _not_by_commits(proof: Proof) -> str:
    if proof.tap_syncs is None:
        return "no tap"
    who = "in the background" if proof.served else "by memtable flushes"
    return f"{proof.tap_syncs:,} {who} (tap)"


def _by_one_witness(proof: Proof) -> str:
    if proof.wal_syncs is None and proof.tap_syncs is not None:
        return f"{proof.tap_syncs:,} syncs (tap); the engine does not count them"
    return f"{words.number(proof.wal_syncs)} syncs by the engine, no tap"
