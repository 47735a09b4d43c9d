"""Files that are workloads: those of mixes, and the workload files of YCSB's.

What reads and judges them is imported when it is used.
"""

from __future__ import annotations

from pathlib import Path

from ..workload import Workload
from .mix import record as mix


def record(name: str, text: str) -> Workload:
    """Make the record of a file from its text. REQUIRES: `require` accepts it.

    Errors: any exception, for a text that is neither.
    """
    if mix.is_mix(text):
        return mix.record(name, text)
    from .ycsb.original import record as ycsb

    return ycsb.record(name, text)


def require(path: Path, content: bytes) -> tuple[str, ...]:
    """Return notes on what in a file has no effect.

    Errors: UsageError with each mistake in it, by its line.
    """
    if _is_mix(path, content):
        from .mix import read

        read.read(path, content)
        return ()
    from .ycsb.original import record as ycsb

    return ycsb.read(path, content.decode("latin-1"))


def explained(path: Path, content: bytes) -> list[str]:
    """Return in words what a file describes. Errors: as `require`."""
    if _is_mix(path, content):
        from .mix import compiled, explain, read

        whole = read.read(path, content)
        rows = {name: compiled.rows(whole, table) for name, table in whole.tables.items()}
        return list(explain.words(path.stem, whole, rows))
    from .ycsb.original import record as ycsb

    notes = ycsb.read(path, content.decode("latin-1"))
    return [ycsb.words(path.name, content.decode("latin-1")), *notes]


def _is_mix(path: Path, content: bytes) -> bool:
    return path.suffix == ".toml" or mix.is_mix(content.decode(errors="replace"))
