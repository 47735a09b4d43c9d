"""Sizes of keys and values: `k16-v100`, or one of the published ones in sizes.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

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
    flags: Mapping[str, Value] = field(default_factory=dict)

    @property
    def pair_bytes(self) -> int:
        return self.key_bytes + self.value_bytes


SIZES = {
    name: Size(**said)
    for name, said in tomllib.loads(Path(__file__).with_suffix(".toml").read_text()).items()
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
