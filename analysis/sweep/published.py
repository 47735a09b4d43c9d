"""A published db_bench study of key and value sizes: its table, and the ratios in it.

The source lists the sums of key and value (116 to 416 B) of keys of 16, 32 and 64 B and values
of 100, 200 and 400 B; each sum is that of one pair only. The first row stands in it twice, and
both are kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

STUDY_ROWS = Path(__file__).with_name("published.jsonl")
# The study's words for what db_bench calls its benchmarks.
BENCHES = {
    "fillseq": "write_seq",
    "fillrandom": "write_rand",
    "readseq": "read_seq",
    "readrandom": "read_rand",
}


@dataclass(frozen=True)
class StudyRow:
    """One line of the study's table: MB/s by benchmark; `listed` counts equal sizes from 1."""

    source: str
    entry_bytes: int  # key and value
    listed: int
    key_bytes: int
    value_bytes: int
    entries: int
    mb_per_s: dict[str, float]

    @property
    def size(self) -> str:
        """As cells call it."""
        return f"k{self.key_bytes}-v{self.value_bytes}"


def rows(path: Path = STUDY_ROWS) -> list[StudyRow]:
    """The table, in its order."""
    return [_row(json.loads(line)) for line in path.read_text().splitlines()]


def _row(columns: dict[str, str | float]) -> StudyRow:
    names = ("source", "entry_bytes", "listed", "key_bytes", "value_bytes", "entries")
    mb_per_s = {bench: columns[name] for bench, name in BENCHES.items()}
    return StudyRow(**{name: columns[name] for name in names}, mb_per_s=mb_per_s)  # type: ignore[arg-type]


def ratios(table: Sequence[StudyRow]) -> list[dict[str, float]]:
    """The study's second table: each row's figures over those of the first, by benchmark."""
    first = table[0].mb_per_s
    return [{bench: one.mb_per_s[bench] / first[bench] for bench in BENCHES} for one in table]


def ratio_of(size: str, bench: str) -> float | None:
    """MB/s of a size over the first row's; None where the study did not measure it."""
    table = rows()
    for one, its_ratios in zip(table, ratios(table), strict=True):
        if one.size == size and bench in its_ratios:
            return its_ratios[bench]
    return None
