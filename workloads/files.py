"""Files that are workloads: those of mixes, and the workload files of YCSB's, which become mixes.

What reads and judges them is imported when it is used.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..workload import Workload
from .mix import record as mix

if TYPE_CHECKING:
    from .mix.file import Mix


def record(name: str, text: str) -> Workload:
    """Make the record of a file from its text. REQUIRES: `require` accepts it.

    Errors: any exception, for a text that is neither.
    """
    if not mix.is_mix(text):
        from .ycsb import translate

        text, _ = translate.of_campaigns(name, text)
    return mix.record(name, text)


def require(path: Path, content: bytes) -> tuple[str, ...]:
    """Return notes on what in a file has no effect.

    Errors: UsageError with each mistake in it, by its line.
    """
    return _read(path, content)[1]


def explained(path: Path, content: bytes) -> list[str]:
    """Return in words what a file describes. Errors: as `require`."""
    from .mix import explain

    whole, notes = _read(path, content)
    return [*explain.words(path.stem, whole), *notes]


def _read(path: Path, content: bytes) -> tuple[Mix, tuple[str, ...]]:
    from .mix import read

    if path.suffix == ".toml" or mix.is_mix(content.decode(errors="replace")):
        return read.read(path, content), ()
    from .ycsb import translate

    text, notes = translate.of_campaigns(str(path), content.decode("latin-1"))
    return read.read(path, text.encode()), notes
