"""db_bench as workloads: each of its benchmarks is one, named `dbbench-<name>`."""

from __future__ import annotations

from ...engines import EMBEDDED
from ...workload import Scale, Unit, Workload
from .argv import READERS

SECTION = "dbbench"
# By db_bench's own names.
BENCHES = ("fillseq", "fillrandom", "overwrite", "readrandom", "readseq")
DEFAULT_BENCHES = ("fillseq", "fillrandom", "overwrite")
"""Benchmarks that write a log."""
# For these a profile has another place, or the command line a flag.
_RESERVED = frozenset(
    ("num", "key_size", "value_size", "cache_size", "duration", "sync", "disable_wal")
)


def workload_of(bench: str) -> str:
    """Return the workload's name of one of `BENCHES`."""
    return f"{SECTION}-{bench}"


def bench_of(workload: str) -> str:
    """Return the benchmark of a workload of db_bench."""
    return workload.removeprefix(f"{SECTION}-")


def _workload(bench: str) -> Workload:
    """Return the record of a benchmark. It loads silently, and each run starts from the load."""
    return Workload(
        name=workload_of(bench),
        title=f"db_bench {bench}",
        unit=Unit("ops/s", 1.0, "operation"),
        section=SECTION,
        life="dbbench",
        engines=(EMBEDDED,),
        why_engines="db_bench has RocksDB inside",
        asked_only=True,
        writes=() if bench in READERS else ("PUT",),
        scale=Scale("num"),
        reserved=_RESERVED,
    )


WORKLOADS = tuple(map(_workload, BENCHES))
