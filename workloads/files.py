"""Files that are workloads: of mixes, of YCSB's, which become mixes, and of LinkBench's.

What reads and judges mixes is imported when it is used.
"""

from __future__ import annotations

from pathlib import Path

from ..workload import Workload
from . import linkbench_file, ycsb
from .mix import record as mix
from .properties import parse


def record(name: str, text: str) -> Workload:
    """Make the record of a file from the text that a record of it had.

    Errors: any exception, for a text that is none.
    """
    if mix.is_mix(text):
        return mix.record(name, text)
    return linkbench_file.record(name, parse(text, name))


def read(path: Path, content: bytes) -> tuple[Workload, tuple[str, ...]]:
    """Return the workload of a file, and notes on what in it has no effect.

    Errors: UsageError with each mistake in it, by its line.
    """
    from .mix import read

    name, text = mix.name_of(path), content.decode(errors="replace")
    notes: tuple[str, ...] = ()
    if path.suffix != ".toml" and not mix.is_mix(text):
        written = parse(content.decode("latin-1"), str(path))
        if len(linkbench_file.KNOWN & written.keys()) > len(ycsb.KNOWN & written.keys()):
            return linkbench_file.read(name, path, written)
        text, notes = ycsb.mix(name, path, written)
        content = text.encode()
    read.read(path, content)
    return mix.record(name, text), notes


def explained(path: Path, content: bytes) -> list[str]:
    """Return in words what a file describes. Errors: as `read`."""
    from .mix import explain
    from .mix import read as models

    workload, notes = read(path, content)
    if not workload.is_mix:
        return [f"{workload.title}: {workload.data(workload.own_load)}", *notes]
    return [*explain.words(path.stem, models.read(path, workload.text.encode())), *notes]
