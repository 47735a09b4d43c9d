"""A run's OPTIONS file: the profile's, with what waltax and a knob add.

With a file, db_bench takes RocksDB's settings from there alone: of its flags, it keeps those of
the load (sync, disable_wal, num, threads, seed, ...), of statistics and of the block cache. What
the file leaves out has RocksDB's default and not db_bench's, so that pipelined writes are off.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .knobs import Knob, Value

_SECTION = "[DBOptions]"


def text(profile: str, wal_dir: Path | None, knob: Knob | None) -> str:
    """The text of a run's file, from that of the profile's. `wal_dir` None: beside the data.

    What a closing database flushes only because it has no log is left out: it would be counted
    as a part of the run, in the cells without a WAL alone.
    """
    added: dict[str, Value] = {"avoid_flush_during_shutdown": True}
    if wal_dir is not None:
        added["wal_dir"] = str(wal_dir)
    return _with(profile, added | dict(knob.options if knob else {}))


def _with(profile: str, added: Mapping[str, Value]) -> str:
    """Every line of the other sections stays; of this one, those that are not replaced."""
    lines: list[str] = []
    section = ""
    for line in profile.splitlines():
        section = line if line.startswith("[") else section
        if section == _SECTION and line.partition("=")[0].strip() in added:
            continue
        lines.append(line)
        if line == _SECTION:
            lines += [f"  {name}={_text(value)}" for name, value in added.items()]
    return "\n".join([*lines, ""])


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
