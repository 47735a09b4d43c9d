"""The study's figures, and which of them its load generator decided rather than the engine.

Its generator started threads at fixed intervals, each with a fixed number of statements: an engine
that keeps up shows the rate of these arrivals, and not what it could do.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ENGINES = ("innodb", "myrocks")
_TABLE = Path(__file__).with_name("published.jsonl")
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


ARRIVALS = {
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
def table() -> tuple[Published, ...]:
    """Return all published figures in their order."""
    return tuple(Published(**json.loads(line)) for line in _TABLE.read_text().splitlines())


def of(statement: str, engine: str) -> list[Published]:
    return [
        figure for figure in table() if (figure.statement, figure.engine) == (statement, engine)
    ]


def is_arrival_limited(published: Published) -> bool:
    """Return whether it is the rate at which statements came, and not what the engine can do."""
    return abs(published.statements_per_s / ARRIVALS[published.statement].per_s - 1) <= _WITHIN


def remarks(statement: str, engine: str) -> str:
    """Say why a figure is not what it seems; "" if it is.

    unknown: the study does not say which statement it was. arrival-limited: see above.
    """
    limited = all(map(is_arrival_limited, of(statement, engine)))
    words = {"unknown": statement in _UNKNOWN, "arrival-limited": limited}
    return ", ".join(word for word, holds in words.items() if holds)
