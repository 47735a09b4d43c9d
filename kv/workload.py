"""Writes of keys and values, as db_bench has them: one program, and a shape each."""

from __future__ import annotations

from ..engines import EMBEDDED
from ..workload import Event, Parameter, Scale, Table, Unit, Workload, others

SECTION = "kv"
_SHAPES = {
    "fillseq": "ascending keys",
    "fillrandom": "random keys",
    "overwrite": "random loaded keys",
}
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


def _workload(shape: str) -> Workload:
    return Workload(
        name=f"{SECTION}-{shape}",
        title=f"kv {shape} ({_SHAPES[shape]})",
        unit=Unit("writes/s", 1.0, "write"),
        section=SECTION,
        program=SECTION,
        run={"shape": shape},
        engines=(EMBEDDED,),
        why_engines="it is a workload of RocksDB's own write path",
        asked_only=True,
        # The default, that of the loaded keys, and that of those filled in.
        column_families=3,
        writes=("WRITE",),
        scale=Scale("num", "key", "keys", _shrink),
        reserved=frozenset({"shape"}),
        clone_growth=8.0,
        written_mib_per_s=60,
        data=_data,
        progress=_progress,
        loaded=_loaded,
    )


WORKLOADS = tuple(map(_workload, _SHAPES))
