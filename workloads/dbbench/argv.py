"""Command lines of db_bench."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .sizes import Size

Value = str | int | float | bool

FILLS = ("fillseq", "fillrandom")
"""Benchmarks that begin with an empty database; the others run on loaded data."""
WRITERS = (*FILLS, "overwrite")
"""Benchmarks with only writes."""
COUNTED = ("fillseq", "readseq")
"""Benchmarks that ignore --duration and end after a number of operations."""
READERS = ("readrandom", "readseq")
"""Benchmarks that write nothing."""

# A thread checks the clock once in this many operations: with syncs of 5 ms it is 50 ms late.
_BETWEEN_CHECKS = 10


@dataclass(frozen=True)
class Run:
    """One run of one benchmark.

    entries     of the loaded data, and the range that random keys are drawn from
    seconds     how long it runs; None: `operations` says how much it does
    operations  of all threads together; each does its share, rounded up to whole batches
    """

    bench: str
    db: Path
    options: Path
    size: Size
    entries: int
    threads: int
    seed: int
    cache_mb: int
    durability: str
    seconds: int | None = None
    operations: int | None = None
    flags: Mapping[str, Value] = field(default_factory=dict)

    @property
    def batch(self) -> int:
        """The number of keys that a commit writes."""
        return max(1, int(self.flags.get("batch_size", 1))) if self.bench in WRITERS else 1


def run_argv(program: Path, run: Run) -> list[str]:
    """Return the command of a run. REQUIRES: an empty directory for `FILLS`, else loaded data."""
    return _argv(
        program,
        run,
        {
            "use_existing_db": int(run.bench not in FILLS),
            "sync": int(run.durability == "sync"),
            "disable_wal": int(run.durability == "off"),
            **_amount(run),
            **run.flags,
        },
    )


def load_argv(program: Path, run: Run) -> list[str]:
    """Return the command of a load in key order with a flush, which leaves no compaction or log."""
    return _argv(program, run, {"benchmarks": "fillseq,flush", "disable_wal": 1})


def _argv(program: Path, run: Run, flags: Mapping[str, Value]) -> list[str]:
    everything: dict[str, Value] = {
        "benchmarks": run.bench,
        "db": str(run.db),
        "options_file": str(run.options),
        "num": run.entries,
        "threads": run.threads,
        "seed": run.seed + 1,  # db_bench seeds by the clock if it is 0
        "key_size": run.size.key_bytes,
        "value_size": run.size.value_bytes,
        **run.size.flags,
        "cache_size": run.cache_mb << 20,
        "statistics": 1,
        "progress_reports": 0,
        **flags,
    }
    return [str(program), *(f"--{name}={_text(value)}" for name, value in everything.items())]


def _amount(run: Run) -> dict[str, Value]:
    if run.operations is None:
        assert run.seconds is not None
        return {"duration": run.seconds, "ops_between_duration_checks": _BETWEEN_CHECKS}
    # db_bench writes whole batches.
    each = -(-run.operations // run.threads // run.batch) * run.batch
    if run.bench == "fillseq":
        return {"num": each}  # for each thread; all write the same keys
    return {"writes" if run.bench in WRITERS else "reads": each}


def _text(value: Value) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)
