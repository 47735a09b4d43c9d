"""YCSB's core workloads A to F: one program and one data set, and a mix of operations each."""

from __future__ import annotations

from collections.abc import Mapping

from ...workload import Event, Parameter, Scale, Table, Unit, Workload, others

SECTION = "ycsb"
# Shares of operations by the driver's flags, and who is asked, as the original's workload files
# say it; what is left out is 0.
_SHARES = ("read", "update", "insert", "scan", "readmodifywrite")
_MIXES: dict[str, tuple[str, dict[str, float], str]] = {
    "a": ("update heavy", {"read": 0.5, "update": 0.5}, "zipfian"),
    "b": ("read mostly", {"read": 0.95, "update": 0.05}, "zipfian"),
    "c": ("read only", {"read": 1.0}, "zipfian"),
    "d": ("read latest", {"read": 0.95, "insert": 0.05}, "latest"),
    "e": ("short ranges", {"scan": 0.95, "insert": 0.05}, "zipfian"),
    "f": ("read-modify-write", {"read": 0.5, "readmodifywrite": 0.5}, "zipfian"),
}
_LONGEST_SCAN = 100  # of workload e
_COMMITS = {"update": "UPDATE", "insert": "INSERT", "readmodifywrite": "READ-MODIFY-WRITE"}
_MIN_RECORDS = 1_000  # enough for the draws to differ


def _data(load: Table) -> str:
    if "recordcount" not in load:
        return f"the program's own number of records{others(load)}"
    return f"{int(load['recordcount']):,} records{others(load, 'recordcount')}"


def _progress(event: Event) -> str:
    return f"{event['records']:,} of {event['of']:,} records in {event['seconds']:.0f} s"


def _loaded(event: Event) -> str:
    return f"{event['records']:,} records in {event['seconds']:.1f} s"


def _shrink(
    load: Table, run: Table, share: float, _threads: int
) -> tuple[dict[str, Parameter], Table]:
    """Shrink the expected operations with the records."""
    records = max(_MIN_RECORDS, round(int(load["recordcount"]) * share))
    works = dict(run)
    if "operationcount" in works:
        works["operationcount"] = max(1, round(int(works["operationcount"]) * share))
    return {**load, "recordcount": records}, works


def core(name: str, title: str, shares: Mapping[str, float], run: Table) -> Workload:
    """Make the record of operations with these shares, by `run`'s flags beside them."""
    return Workload(
        name=name,
        title=title,
        unit=Unit("ops/s", 1.0, "operation"),
        section=SECTION,
        program=SECTION,
        run={**{f"{share}proportion": shares.get(share, 0.0) for share in _SHARES}, **run},
        sharded=True,
        asked_only=True,
        column_families=2,
        says=("fieldcount", "fieldlength"),
        writes=tuple(_COMMITS[share] for share in _COMMITS if shares.get(share)),
        scale=Scale("recordcount", "record", "records", _shrink, in_bytes=True),
        reserved=frozenset({*(f"{share}proportion" for share in _SHARES), "requestdistribution"}),
        clone_growth=2.0,
        written_mib_per_s=20,
        data=_data,
        progress=_progress,
        loaded=_loaded,
    )


def _letter(letter: str) -> Workload:
    words, shares, distribution = _MIXES[letter]
    run: dict[str, Parameter] = {"requestdistribution": distribution}
    if "scan" in shares:
        run["maxscanlength"] = _LONGEST_SCAN
    return core(f"{SECTION}-{letter}", f"YCSB {letter.upper()} ({words})", shares, run)


WORKLOADS = tuple(map(_letter, _MIXES))
