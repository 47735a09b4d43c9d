"""Writes of keys and values, as db_bench has them: one program, several shapes, transactions."""

from __future__ import annotations

from ..engines import EMBEDDED
from ..workload import Event, Parameter, Scale, Table, Unit, Workload, others

SECTION = "kv"
_SHAPES = {
    "fillseq": "ascending keys",
    "fillrandom": "random keys",
    "overwrite": "random loaded keys",
}
_TRANSACTIONS: dict[str, tuple[str, dict[str, Parameter]]] = {
    "pessimistic": ("transactions that lock their keys", {"transactions": "pessimistic"}),
    "2pc": (
        "transactions that are prepared, then committed",
        {"transactions": "pessimistic", "two_phase": True},
    ),
    "optimistic": (
        "transactions that look for conflicts when they commit",
        {"transactions": "optimistic"},
    ),
}
_OF_TRANSACTIONS = "fillrandom"  # their shape
_FEWEST = 1_000  # keys, which random draws come back to


def _data(load: Table) -> str:
    if "num" not in load:
        return f"the program's own number of keys{others(load)}"
    return f"{int(load['num']):,} keys{others(load, 'num')}"


def _progress(event: Event) -> str:
    return f"{event['keys']:,} of {event['of']:,} keys in {event['seconds']:.0f} s"


def _loaded(event: Event) -> str:
    return f"{event['keys']:,} keys in {event['seconds']:.1f} s"


def _shrink(
    load: Table, run: Table, share: float, _threads: int
) -> tuple[dict[str, Parameter], Table]:
    return {**load, "num": max(_FEWEST, round(int(load["num"]) * share))}, run


def _workload(name: str, title: str, run: dict[str, Parameter]) -> Workload:
    return Workload(
        name=f"{SECTION}-{name}",
        title=f"kv {name} ({title})",
        unit=Unit("writes/s", 1.0, "write"),
        section=SECTION,
        program=SECTION,
        run=run,
        engines=(EMBEDDED,),
        why_engines="it is a workload of RocksDB's own write path",
        asked_only=True,
        named_alone="transactions" in run,
        # The default, that of the loaded keys, and that of those filled in.
        column_families=3,
        writes=("WRITE",),
        records_a_commit=2 if "two_phase" in run else 1,
        scale=Scale("num", "key", "keys", _shrink),
        reserved=frozenset({"shape", "transactions", "two_phase"}),
        clone_growth=8.0,
        written_mib_per_s=60,
        data=_data,
        progress=_progress,
        loaded=_loaded,
    )


WORKLOADS = (
    *(_workload(shape, title, {"shape": shape}) for shape, title in _SHAPES.items()),
    *(
        _workload(name, title, {"shape": _OF_TRANSACTIONS, **run})
        for name, (title, run) in _TRANSACTIONS.items()
    ),
)
