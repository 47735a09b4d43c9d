"""Read strictly what db_bench prints: an unknown line is an error.

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

# A number with more digits than a 64-bit counter or a time has makes its line unknown.
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
# What it says of itself before and between. `Set seed to ...` is missing on purpose: a seed that
# db_bench takes from the clock cannot be reproduced.
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
    """The histogram of one of RocksDB's statistics, in the unit that its name ends in."""

    p50: float
    p95: float
    p99: float
    p100: float
    count: int
    sum: int


@dataclass(frozen=True)
class Result:
    """One run. `mb_per_s` is in 2^20 bytes of keys and values; None without any.

    Tickers and histograms cover the whole run, with opening and closing the database.
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
        """The more exact of two printed figures: whole operations a second, or those by time."""
        if self.rate * _ROUNDING_S > self.elapsed_s:
            return float(self.rate)
        return self.operations / self.elapsed_s


@dataclass
class _Parsed:
    benches: list[re.Match[str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    tickers: dict[str, int] = field(default_factory=dict)
    histograms: dict[str, Histogram] = field(default_factory=dict)


def parse(text: str, bench: str) -> Result:
    """Read what one run of `bench` printed on its standard output.

    Errors: WaltaxError with the unknown line, or naming what is missing.
    """
    parsed = _Parsed()
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not _take(line.rstrip(), parsed):
            raise WaltaxError(
                f"db_bench: line {number} of its output is not known: {_quoted(line)}"
            )
    if len(parsed.benches) != 1 or parsed.benches[0]["name"] != bench:
        names = [match["name"] for match in parsed.benches]
        raise WaltaxError(f"db_bench: want one result, of {bench}; its output has {_quoted(names)}")
    if not parsed.tickers or not parsed.histograms:
        raise WaltaxError("db_bench: its output has no statistics")
    return _result(parsed)


def _take(line: str, parsed: _Parsed) -> bool:
    """Return whether db_bench prints such lines; if so, add it to `parsed`."""
    if match := _TICKER.fullmatch(line):
        parsed.tickers[match[1]] = int(match[2])
    elif match := _HISTOGRAM.fullmatch(line):
        p50, p95, p99, p100 = (float(match[i]) for i in range(2, 6))
        parsed.histograms[match[1]] = Histogram(p50, p95, p99, p100, int(match[6]), int(match[7]))
    elif match := _BENCH.fullmatch(line):
        parsed.benches.append(match)
    elif match := _WARNING.fullmatch(line):
        parsed.warnings.append(match[1])
    else:
        return _KNOWN.fullmatch(line) is not None
    return True


def _result(parsed: _Parsed) -> Result:
    line = parsed.benches[0]
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
        warnings=tuple(parsed.warnings),
        tickers=parsed.tickers,
        histograms=parsed.histograms,
    )


def _quoted(text: object) -> str:
    return repr(shorten(str(text), 200))
