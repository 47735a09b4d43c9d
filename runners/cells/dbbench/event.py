"""Describe a run of db_bench as the event of a slice, which becomes a row like any other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from ....base.errors import WaltaxError
from ....workloads.dbbench.argv import WRITERS, Run
from ..live import Event
from ..program.shell import Finished
from .output import Result

_Value = TypeVar("_Value")
# Operations, and the histogram of RocksDB that times each.
_TIMED = {"GET": "rocksdb.db.get.micros", "PUT": "rocksdb.db.write.micros"}
_READ = {"readrandom": "GET"}
# Only these counters are kept in the row; all are in the output file.
_KEPT = (
    *("rocksdb.wal.synced", "rocksdb.wal.bytes", "rocksdb.write.self", "rocksdb.write.other"),
    *("rocksdb.write.wal", "rocksdb.number.keys.written", "rocksdb.number.keys.read"),
    *("rocksdb.bytes.written", "rocksdb.bytes.read", "rocksdb.stall.micros"),
    *("rocksdb.flush.write.bytes", "rocksdb.compact.write.bytes", "rocksdb.compact.read.bytes"),
)
_SHORT = 0.5  # a share of the time asked for


def event(run: Run, ended: Finished, result: Result, output_file: Path) -> Event:
    """Return what a driver would say of the slice. Errors: WaltaxError when witnesses disagree."""
    counters = {name: _statistic(result.tickers, name) for name in _KEPT}
    operations = _operations(run, result, counters)
    seconds = result.operations / result.ops_per_s
    return {
        **ended.event(result.ops_per_s, "ops/s", counters, measure_s=seconds),
        "requests": result.operations,
        "slice_requests": result.operations,
        "commits": operations.get("PUT", {"count": 0})["count"],
        "context_switches_voluntary": ended.switches_voluntary,
        "context_switches_involuntary": ended.switches_involuntary,
        "all_operations": _all(run, operations),
        "operations": operations,
        "threads": [],
        "data_bytes": sum(file.stat().st_size for file in run.db.glob("*.sst")),
        "inputs": [],
        "columns": _columns(run, result, counters, output_file),
    }


def _columns(
    run: Run, result: Result, counters: dict[str, int], output_file: Path
) -> dict[str, Any]:
    """Return the columns that only db_bench's rows have."""
    user = counters["rocksdb.bytes.written"]
    flushed = counters["rocksdb.flush.write.bytes"]
    compacted = counters["rocksdb.compact.write.bytes"]
    return {
        "whole_run": True,
        "output_file": str(output_file),
        "elapsed_s": result.elapsed_s,
        "operations": result.operations,
        "mb_per_s": result.mb_per_s,
        "key_bytes": run.size.key_bytes,
        "value_bytes": None if run.size.flags else run.size.value_bytes,
        "compactions": _statistic(result.histograms, "rocksdb.compaction.times.micros").count,
        "compaction_read_bytes": counters["rocksdb.compact.read.bytes"],
        "compaction_written_bytes": compacted,
        "flush_written_bytes": flushed,
        "user_written_bytes": user,
        "write_amplification": round((flushed + compacted) / user, 4) if user else None,
    }


def warnings(run: Run, result: Result) -> list[str]:
    """Return what makes the figures doubtful."""
    doubts = [f"db_bench says: {words}" for words in result.warnings]
    if run.seconds is not None and result.elapsed_s < _SHORT * run.seconds:
        doubts.append(f"the run took {result.elapsed_s:g} s of the {run.seconds} s that were asked")
    if run.operations is not None and result.operations < run.operations:
        doubts.append(f"all data were read in {result.elapsed_s:g} s, and the run was over")
    return doubts


def _operations(run: Run, result: Result, counters: dict[str, int]) -> dict[str, dict[str, Any]]:
    """Return operations by kind; a PUT commits a batch of keys if one was requested. The engine's
    counters confirm that a fill wrote all of them.

    Unordered writes are timed in two parts each, so there are no times of whole ones.
    """
    written = counters["rocksdb.number.keys.written"]
    commits = written // run.batch
    by_kind: dict[str, dict[str, Any]] = {"PUT": {"count": commits}} if written else {}
    for name, histogram in _TIMED.items():
        times = _statistic(result.histograms, histogram)
        if times.count and times.count == by_kind.get(name, {}).get("count", times.count):
            by_kind[name] = {
                **{"count": times.count, "p50_us": times.p50, "p95_us": times.p95},
                **{"p99_us": times.p99, "max_us": times.p100},
            }
    if run.bench in WRITERS and written != result.operations:
        raise WaltaxError(
            f"db_bench says that it did {result.operations} writes, RocksDB that it wrote "
            f"{written} keys"
        )
    return by_kind


def _all(run: Run, operations: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return times of the operations that db_bench's figure counts."""
    kind = "PUT" if run.bench in WRITERS else _READ.get(run.bench)
    if kind is None or kind not in operations:
        return {}
    return {name: value for name, value in operations[kind].items() if name.endswith("_us")}


def _statistic(statistics: Mapping[str, _Value], name: str) -> _Value:
    if name not in statistics:
        raise WaltaxError(f"db_bench: its statistics have no {name}")
    return statistics[name]
