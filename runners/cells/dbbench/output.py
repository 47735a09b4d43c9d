"""What db_bench prints, read strictly: a line that is not known is an error.

fillrandom   :      99.332 micros/op 38787 ops/sec 1.050 seconds 40726 operations;    4.3 MB/s
rocksdb.wal.synced COUNT : 40726
rocksdb.db.write.micros P50 : 2.9 P95 : 9.1 P99 : 17.4 P100 : 607192.0 COUNT : 40726 SUM : 4124
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ....base.errors import WaltaxError
from ....base.printable import shorten

# More digits than a counter of 64 bits or a time has are refused as a line that is not known.
_WHOLE = r"[0-9]{1,20}"
_NUMBER = rf"{_WHOLE}(?:\.[0-9]{{1,20}})?"
_BENCH = re.compile(
    rf"(?P<name>[a-z]+) +: +(?P<micros>{_NUMBER}) micros/op (?P<rate>{_WHOLE}) ops/sec "
    rf"(?P<seconds>{_NUMBER}) seconds (?P<operations>{_WHOLE}) operations;"
    rf"(?: +(?P<mb>{_NUMBER}) MB/s)?(?: \((?P<message>.*)\))?"
)
_TICKER = re.compile(rf"(rocksdb\.\S+) COUNT : ({_WHOLE})")
_HISTOGRAM = re.compile(
    rf"(rocksdb\.\S+) P50 : ({_NUMBER}) P95 : ({_NUMBER}) P99 : ({_NUMBER}) "
    rf"P100 : ({_NUMBER}) COUNT : ({_WHOLE}) SUM : ({_WHOLE})"
)
# What it says of itself before and between. `Set seed to ...` is not among them: a seed that
# db_bench takes from the clock cannot be had again.
_KNOWN = re.compile(
    r"-+|STATISTICS:|flush memtable|DB path: \[.*\]"
    r"|Initializing RocksDB Options from .*|Integrated BlobDB: .*"
    r"|(RocksDB|Date|CPU|CPUCache|Keys|Values|Values Distribution|Entries|Prefix|Keys per prefix"
    r"|RawSize|FileSize|Write rate|Read rate|Compression|Compression sampling rate|Memtablerep"
    r"|Perf Level): +.*"
)
_WARNING = re.compile(r"WARNING: (.+)")
_ROUNDING_S = 0.001  # times are printed with three digits


@dataclass(frozen=True)
class Histogram:
    """The histogram of a statistic of RocksDB's, in the unit that its name ends in."""

    p50: float
    p95: float
    p99: float
    p100: float
    count: int
    sum: int


@dataclass(frozen=True)
class Result:
    """One run. `mb_per_s` is in 2^20 bytes of keys and values, None when there were none.

    Tickers and histograms are of the whole run, opening and closing the database included.
    """

    bench: str
    rate: int  # in operations a second, as printed
    elapsed_s: float
    operations: int
    mb_per_s: float | None
    message: str  # in parentheses after the figures: (20000 of 20000 found)
    warnings: tuple[str, ...]
    tickers: Mapping[str, int]
    histograms: Mapping[str, Histogram]

    @property
    def ops_per_s(self) -> float:
        """By the more exact of the two printed figures, whole operations a second or its time."""
        if self.rate * _ROUNDING_S > self.elapsed_s:
            return float(self.rate)
        return self.operations / self.elapsed_s


@dataclass
class _Found:
    benches: list[re.Match[str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    tickers: dict[str, int] = field(default_factory=dict)
    histograms: dict[str, Histogram] = field(default_factory=dict)


def parse(text: str, bench: str) -> Result:
    """Read what one run of `bench` printed on its standard output.

    Errors: WaltaxError with the line that is not known, or naming what is missing.
    """
    found = _Found()
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not _take(line.rstrip(), found):
            raise WaltaxError(
                f"db_bench: line {number} of its output is not known: {_quoted(line)}"
            )
    if len(found.benches) != 1 or found.benches[0]["name"] != bench:
        names = [one["name"] for one in found.benches]
        raise WaltaxError(f"db_bench: want one result, of {bench}; its output has {_quoted(names)}")
    if not found.tickers or not found.histograms:
        raise WaltaxError("db_bench: its output has no statistics")
    return _result(found)


def _take(line: str, found: _Found) -> bool:
    """Whether the line is one of those that db_bench prints; it is in `found` then."""
    if one := _TICKER.fullmatch(line):
        found.tickers[one[1]] = int(one[2])
    elif one := _HISTOGRAM.fullmatch(line):
        p50, p95, p99, p100 = (float(one[i]) for i in range(2, 6))
        found.histograms[one[1]] = Histogram(p50, p95, p99, p100, int(one[6]), int(one[7]))
    elif one := _BENCH.fullmatch(line):
        found.benches.append(one)
    elif one := _WARNING.fullmatch(line):
        found.warnings.append(one[1])
    else:
        return _KNOWN.fullmatch(line) is not None
    return True


def _result(found: _Found) -> Result:
    line = found.benches[0]
    elapsed_s, operations, rate = (
        float(line["seconds"]),
        int(line["operations"]),
        int(line["rate"]),
    )
    if not rate or not operations:
        raise WaltaxError(f"db_bench: it did nothing: {_quoted(line[0])}")
    if not operations / (rate + 1) - _ROUNDING_S <= elapsed_s <= operations / rate + _ROUNDING_S:
        raise WaltaxError(f"db_bench: its figures contradict each other: {_quoted(line[0])}")
    return Result(
        bench=line["name"],
        rate=rate,
        elapsed_s=elapsed_s,
        operations=operations,
        mb_per_s=None if line["mb"] is None else float(line["mb"]),
        message=(line["message"] or "").strip(),
        warnings=tuple(found.warnings),
        tickers=found.tickers,
        histograms=found.histograms,
    )


def _quoted(found: object) -> str:
    return repr(shorten(str(found), 200))
