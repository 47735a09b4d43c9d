"""Sizes of keys and values: `k16-v100`, or one of the published ones in `SIZES`.

The published ones are of Z. Cao, S. Dong, S. Vemuri, D. Du, "Characterizing, Modeling, and
Benchmarking RocksDB Key-Value Workloads at Facebook", FAST'20, table 3: mean and standard deviation
of the sizes. db_bench has keys of one size, so they are the rounded means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ...base.errors import UsageError

Value = str | int | float
_PATTERN = re.compile(r"k(\d+)-v(\d+)")
_MIN_KEY, _MAX_KEY, _MAX_VALUE = 8, 1024, 1 << 20


@dataclass(frozen=True)
class Size:
    """Sizes of db_bench's keys and values, in bytes.

    value_bytes  the mean where values are drawn
    flags        how values are drawn; empty: all are equal
    """

    key_bytes: int
    value_bytes: int
    source: str = ""
    flags: Mapping[str, Value] = field(default_factory=dict)

    @property
    def pair_bytes(self) -> int:
        return self.key_bytes + self.value_bytes


def _normal(mean: float, deviation: float) -> dict[str, Value]:
    """Return flags for normal sizes; db_bench places its bounds three deviations from the mean."""
    low, high = round(mean - 3 * deviation), round(mean + 3 * deviation)
    return {"value_size_distribution_type": "normal", "value_size_min": low, "value_size_max": high}


SIZES: dict[str, Size] = {
    "facebook-udb": Size(
        key_bytes=27,
        value_bytes=127,
        source="FAST'20 table 3: keys 27.1 (2.6), values 126.7 (22.1) bytes. The paper gives no "
        "distribution with these moments; values are drawn as a normal one.",
        flags=_normal(126.7, 22.1),
    ),
    "zippydb": Size(
        key_bytes=48,
        value_bytes=43,
        source="FAST'20 table 3: keys 47.9 (3.7), values 42.9 (26.1) bytes; values of 43 bytes as "
        "in the published commands.",
    ),
    "up2x": Size(
        key_bytes=10,
        value_bytes=47,
        source="FAST'20 table 3: keys 10.45 (1.4), values 46.8 (11.6) bytes. Values are drawn as a "
        "normal distribution; most of its writes are merges, which no benchmark here has.",
        flags=_normal(46.8, 11.6),
    ),
}


def size(name: str) -> Size:
    """Return the size of this name. Errors: UsageError, which names the known sizes."""
    if name in SIZES:
        return SIZES[name]
    match = _PATTERN.fullmatch(name)
    if match is None:
        raise UsageError(
            f"size: found {name!r}; type key and value bytes as in k16-v100, or one of "
            f"{', '.join(SIZES)}"
        )
    key, value = int(match[1]), int(match[2])
    if not (_MIN_KEY <= key <= _MAX_KEY and 1 <= value <= _MAX_VALUE):
        raise UsageError(
            f"size: found {name}; keys of {_MIN_KEY} to {_MAX_KEY:,} bytes and values of 1 to "
            f"{_MAX_VALUE:,} are accepted"
        )
    return Size(key, value)
