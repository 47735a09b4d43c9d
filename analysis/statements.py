"""A published study of single SQL statements, and what our rows say about the same.

Its load generator started threads at fixed intervals, each with a fixed number of statements: an
engine that keeps up shows the rate of these arrivals, and not what it could do. Our rows are those
of `waltax sweep statements`: statements a second by round, and ratios of what took turns.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from .stats import NOTHING, Interval, paired

ENGINES = ("innodb", "myrocks")
_TABLE = Path(__file__).with_suffix(".jsonl")
_WITHIN = 0.02  # of the arrivals: time for starting and ending
INSERT_RATIO = (1.21, 1.22)
"""MyRocks over InnoDB in statements a second, on its two machines."""
SIZE_RATIO = (0.27, 0.30)
"""The same for its table's size, as the servers reported it."""
ROW_BYTES = {"innodb": (238, 242), "myrocks": (66, 71)}
"""For its 20 million rows."""


@dataclass(frozen=True)
class Arrivals:
    """`threads` start over `ramp_s`, and each executes `loops` statements."""

    threads: int
    ramp_s: float
    loops: int

    @property
    def per_s(self) -> float:
        return self.threads * self.loops / self.ramp_s

    def __str__(self) -> str:
        times = "once" if self.loops == 1 else f"{self.loops:,} times"
        return f"{self.threads:,} over {self.ramp_s:g} s, {times}"


RAMPS = {
    "insert": Arrivals(1000, 100, 20_000),
    "select-names": Arrivals(3000, 300, 5),
    "select-subjects": Arrivals(3000, 300, 1),
    "update-hot": Arrivals(500, 50, 1),
    "delete-missing": Arrivals(500, 50, 1),
    "order-key": Arrivals(500, 50, 1),
    "order-column": Arrivals(500, 50, 1),
}
_UNKNOWN = frozenset({"order-key", "order-column"})


@dataclass(frozen=True)
class Published:
    """One statement and engine on one of its machines. Milliseconds; None if not stated."""

    source: str
    statement: str
    engine: str
    machine: str
    latency_ms_mean: float | None
    latency_ms_p50: float | None
    latency_ms_p99: float | None
    latency_ms_max: float | None
    statements_per_s: float


@cache
def published() -> tuple[Published, ...]:
    """Return all published figures in their order."""
    return tuple(Published(**json.loads(line)) for line in _TABLE.read_text().splitlines())


def published_of(statement: str, engine: str) -> list[Published]:
    return [
        figure for figure in published() if (figure.statement, figure.engine) == (statement, engine)
    ]


def is_arrival_limited(figure: Published) -> bool:
    """Return whether it is the rate at which statements came, and not what the engine can do."""
    return abs(figure.statements_per_s / RAMPS[figure.statement].per_s - 1) <= _WITHIN


def remarks(statement: str, engine: str) -> str:
    """Say why a figure is not what it seems; "" if it is.

    unknown: the study does not say which statement it was. arrival-limited: see above.
    """
    limited = all(map(is_arrival_limited, published_of(statement, engine)))
    words = {"unknown": statement in _UNKNOWN, "arrival-limited": limited}
    return ", ".join(word for word, holds in words.items() if holds)


Line = Mapping[str, Any]
CLOSED, ARRIVALS, FOREIGN = "closed", "arrivals", "foreign"
LOADED, FILLED = "loaded", "filled"
_PREFIX = "sqlops-"
# The mode with which each engine's others are compared: no log, or one that nobody waits for.
BASELINE = {"myrocks": "off", "innodb": "delayed"}


@dataclass(frozen=True)
class Measured:
    """The slices of a command; sizes are separate lines."""

    lines: Sequence[Line]

    @property
    def statements(self) -> list[str]:
        """The statements in the order in which they were measured."""
        named = (row["workload"] for row in self.lines if row["way"] in (CLOSED, ARRIVALS))
        return [name.removeprefix(_PREFIX) for name in dict.fromkeys(named)]

    def slices(self, statement: str, engine: str, way: str, mode: str = "sync") -> list[Line]:
        """Return slices by round."""
        wanted = (_PREFIX + statement, engine, way, mode)
        names = ("workload", "engine", "way", "durability")
        lines = [line for line in self.lines if tuple(map(line.get, names)) == wanted]
        return sorted(lines, key=lambda line: int(line["round"]))

    def typical(
        self, column: str, statement: str, engine: str, way: str, mode: str = "sync"
    ) -> float | None:
        """Return the median over the rounds; None if it was not measured."""
        values = [row.get(column) for row in self.slices(statement, engine, way, mode)]
        known = [value for value in values if value is not None]
        return statistics.median(known) if known else None

    def engines_ratio(self, statement: str, way: str) -> Interval:
        """Return MyRocks over InnoDB, in statements a second, with synced logs."""
        return self._ratio((statement, "myrocks", way, "sync"), (statement, "innodb", way, "sync"))

    def overhead(self, statement: str, engine: str, mode: str) -> Interval:
        """Return what the mode costs of the baseline's throughput, in a closed loop."""
        of = (statement, engine, CLOSED)
        return self._ratio((*of, mode), (*of, BASELINE[engine])).complement()

    def foreign_keys(self) -> Interval:
        """Return what a student's three references cost InnoDB in inserts, in a closed loop."""
        of = ("insert", "innodb")
        return self._ratio((*of, FOREIGN, "sync"), (*of, CLOSED, "sync")).complement()

    def _ratio(
        self, above: tuple[str, str, str, str], below: tuple[str, str, str, str]
    ) -> Interval:
        """Return a ratio over rounds that have both; nothing if a slice completed no statement."""
        sides = [
            {int(row["round"]): float(row["throughput"]) for row in self.slices(*of)}
            for of in (above, below)
        ]
        rounds = sorted(sides[0].keys() & sides[1].keys())
        if not rounds or not all(side[number] for side in sides for number in rounds):
            return NOTHING
        return paired(*([side[number] for number in rounds] for side in sides))

    def loaded(self, engine: str) -> dict[float, float]:
        """Return bytes of files per student of a bulk load, by the share that is random."""
        return {
            float(row["compression_ratio"]): row["file_bytes"] / row["students"]
            for row in self.lines
            if (row["way"], row["engine"]) == (LOADED, engine)
        }

    def filled(self, engine: str) -> Line | None:
        """Return what an engine's server said about the table that statements filled."""
        lines = [line for line in self.lines if (line["way"], line["engine"]) == (FILLED, engine)]
        return lines[-1] if lines else None

    def series(self, engine: str) -> list[list[int]]:
        """Return inserts done in each second, per round; the last second is not a whole one."""
        series = []
        for row in self.slices("insert", engine, ARRIVALS):
            done = [0, *row.get("requests_done", [])]
            series.append([later - earlier for earlier, later in pairwise(done)])
        return series
