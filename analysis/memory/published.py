"""What the study says of its three data sets, and what keeps that from being compared.

Its figures have no numbers on them: these are the values of its prose, most of them bounds or
ratios. It says in one place that its machine had 4 GB of memory, and 8 GB in another; a c5.large
has 4 GiB.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_TABLE = Path(__file__).with_name("published.jsonl")
MEMORY_GIB = 4
ROWS = {"small": 10_600_000, "medium": 18_000_000, "large": 35_000_000}
"""Of its data sets, which it calls 3, 5 and 10 GB: in memory, just above it, well above it."""
MINUTES = {4: 60, 1: 30}
"""How long its runs took, by threads; each ran once, in epochs of a minute."""


@dataclass(frozen=True)
class Published:
    """One value: `what` of which data set, from `least` to `most` of a unit; None: not said.

    `threads` is None of a ratio between numbers of threads. `words` are the study's, in short.
    """

    source: str
    what: str
    data: str
    threads: int | None
    unit: str
    least: float | None
    most: float | None
    words: str
    remark: str

    @property
    def is_a_bound(self) -> bool:
        """Whether it says no more than on which side of a value it was."""
        return self.least is None or self.most is None

    def of(self, data: str) -> bool:
        return self.data == "all" or data in self.data.split(", ")

    def holds(self, ours: float, slack: float = 0.0) -> bool:
        """Whether a value of ours is in its range, widened at both ends by a share of them."""
        above = self.least is None or ours >= self.least * (1 - slack)
        return above and (self.most is None or ours <= self.most * (1 + slack))


@cache
def table() -> tuple[Published, ...]:
    """All of it, in its order."""
    return tuple(Published(**json.loads(line)) for line in _TABLE.read_text().splitlines())


def said(what: str, data: str, threads: int | None) -> list[Published]:
    """What it says of one data set; empty: nothing."""
    return [one for one in table() if (one.what, one.threads) == (what, threads) and one.of(data)]


def ratio_to_memory(data: str, bytes_per_row: float) -> float:
    """How much of its memory a data set took, by the types of its rows."""
    return ROWS[data] * bytes_per_row / (MEMORY_GIB << 30)
