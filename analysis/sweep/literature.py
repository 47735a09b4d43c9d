"""A published db_bench study of key and value sizes: its table, and the ratios in it.

The source lists sums of key and value (116 to 416 B) for keys of 16, 32 and 64 B and values of 100,
200 and 400 B; each sum belongs to only one pair. Its first row appears twice, and both are kept.
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
        """The size as cells name it."""
        return f"k{self.key_bytes}-v{self.value_bytes}"


def rows(path: Path = STUDY_ROWS) -> list[StudyRow]:
    """Return the table in its order."""
    lines = []
    for line in path.read_text().splitlines():
        columns = json.loads(line)
        del columns["unit"]
        columns["mb_per_s"] = {bench: columns.pop(name) for bench, name in BENCHES.items()}
        lines.append(StudyRow(**columns))
    return lines


def ratios(table: Sequence[StudyRow]) -> list[dict[str, float]]:
    """Return the study's second table: each row's figures over those of the first, by benchmark."""
    first = table[0].mb_per_s
    return [{bench: row.mb_per_s[bench] / first[bench] for bench in BENCHES} for row in table]


def ratio_of(size: str, bench: str) -> float | None:
    """Return MB/s of a size over the first row's; None if the study did not measure it."""
    pairs = zip(table := rows(), ratios(table), strict=True)
    return next((its[bench] for row, its in pairs if row.size == size and bench in its), None)
