"""Read what db_bench prints of a run and of RocksDB's statistics.

fillrandom   :      99.332 micros/op 38787 ops/sec 1.050 seconds 40726 operations;    4.3 MB/s
rocksdb.wal.synced COUNT : 40726
rocksdb.db.write.micros P50 : 2.9 P95 : 9.1 P99 : 17.4 P100 : 607192.0 COUNT : 40726 SUM : 4124
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ....base.errors import WaltaxError
from ....base.printable import shorten

# A number with more digits than a 64-bit counter or a time has is none.
_WHOLE = r"[0-9]{1,20}"
_NUMBER = rf"{_WHOLE}(?:\.[0-9]{{1,20}})?"
_BENCH = re.compile(
    rf"^(?P<name>[a-z]+) +: +{_NUMBER} micros/op (?P<rate>{_WHOLE}) ops/sec "
    rf"(?P<seconds>{_NUMBER}) seconds (?P<operations>{_WHOLE}) operations;"
    rf"(?: +(?P<mb>{_NUMBER}) MB/s)?",
    re.MULTILINE,
)
_TICKER = re.compile(rf"^(rocksdb\.\S+) COUNT : ({_WHOLE})$", re.MULTILINE)
_HISTOGRAM = re.compile(
    rf"^(rocksdb\.\S+) P50 : ({_NUMBER}) P95 : ({_NUMBER}) P99 : ({_NUMBER}) "
    rf"P100 : ({_NUMBER}) COUNT : ({_WHOLE}) SUM : {_WHOLE}$",
    re.MULTILINE,
)
_WARNING = re.compile(r"^WARNING: (.+)$", re.MULTILINE)
_ROUNDING_S = 0.001  # times are printed with three digits


@dataclass(frozen=True)
class Histogram:
    """The histogram of one of RocksDB's statistics, in the unit that its name ends in."""

    p50: float
    p95: float
    p99: float
    p100: float
    count: int


@dataclass(frozen=True)
class Result:
    """One run. `mb_per_s` is in 2^20 bytes of keys and values; None without any.

    Tickers and histograms cover the whole run, with opening and closing the database.
    """

    rate: int  # in operations a second, as printed
    elapsed_s: float
    operations: int
    mb_per_s: float | None
    warnings: tuple[str, ...]
    tickers: Mapping[str, int]
    histograms: Mapping[str, Histogram]

    @property
    def ops_per_s(self) -> float:
        """The more exact of two printed figures: whole operations a second, or those by time."""
        if self.rate * _ROUNDING_S > self.elapsed_s:
            return float(self.rate)
        return self.operations / self.elapsed_s


def parse(text: str, bench: str) -> Result:
    """Read what one run of `bench` printed on its standard output.

    Errors: WaltaxError when it has no result, several, one of another benchmark, one that
    contradicts itself, or no statistics.
    """
    lines = list(_BENCH.finditer(text))
    if [line["name"] for line in lines] != [bench]:
        names = repr([shorten(line["name"], 50) for line in lines])
        raise WaltaxError(f"db_bench: want one result, of {bench}; its output has {names}")
    result = _result(lines[0], text)
    if not result.tickers or not result.histograms:
        raise WaltaxError("db_bench: its output has no statistics")
    rate, operations, most_s = result.rate, result.operations, result.elapsed_s + _ROUNDING_S
    if not rate or not operations:
        raise WaltaxError(f"db_bench: it did nothing: {shorten(repr(lines[0][0]), 200)}")
    if not operations / (rate + 1) <= most_s <= operations / rate + 2 * _ROUNDING_S:
        words = shorten(repr(lines[0][0]), 200)
        raise WaltaxError(f"db_bench: its figures contradict each other: {words}")
    return result


def _result(line: re.Match[str], text: str) -> Result:
    histograms = {}
    for found in _HISTOGRAM.finditer(text):
        p50, p95, p99, p100 = (float(found[i]) for i in range(2, 6))
        histograms[found[1]] = Histogram(p50, p95, p99, p100, int(found[6]))
    return Result(
        rate=int(line["rate"]),
        elapsed_s=float(line["seconds"]),
        operations=int(line["operations"]),
        mb_per_s=None if line["mb"] is None else float(line["mb"]),
        warnings=tuple(_WARNING.findall(text)),
        tickers={found[1]: int(found[2]) for found in _TICKER.finditer(text)},
        histograms=histograms,
    )
