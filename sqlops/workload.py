"""Single SQL statements on a table of students: one program and one data set, a statement each."""

from __future__ import annotations

from ..workload import Event, Parameter, Scale, Table, Unit, Workload, others

SECTION = "sqlops"
# What `--statement` takes, words for reports, and the operation that commits; "": none does.
_STATEMENTS: dict[str, tuple[str, str]] = {
    "insert": ("insert, ascending keys", "INSERT"),
    "insert-random": ("insert, random keys", "INSERT"),
    "select-names": ("select one column of 9 rows", ""),
    "select-subjects": ("select three columns of 6 rows", ""),
    "select-point": ("select a row by its key", ""),
    "update-hot": ("update one hot row", "UPDATE"),
    "update-random": ("update a random row", "UPDATE"),
    "delete-missing": ("delete that finds nothing", ""),
    "delete-present": ("delete a random row", "DELETE"),
    "order-key": ("order by the key, limit 100", ""),
    "order-column": ("order by a column without an index, limit 100", ""),
}
_SMALLEST_BYTES = 23.0  # MyRocks' record of a deleted row: nothing but its key
_FEWEST = 1_000  # students, of which a statement asks for a hundred at once


def _data(load: Table) -> str:
    if "students" not in load:
        return f"the program's own number of students{others(load)}"
    return f"{int(load['students']):,} students{others(load, 'students')}"


def _progress(event: Event) -> str:
    return f"{event['students']:,} of {event['of']:,} students in {event['seconds']:.0f} s"


def _loaded(event: Event) -> str:
    return f"{event['students']:,} students in {event['seconds']:.1f} s"


def _shrink(
    load: Table, run: Table, share: float, _threads: int
) -> tuple[dict[str, Parameter], Table]:
    return {**load, "students": max(_FEWEST, round(int(load["students"]) * share))}, run


def _workload(statement: str) -> Workload:
    words, commits = _STATEMENTS[statement]
    return Workload(
        name=f"{SECTION}-{statement}",
        title=f"SQL {words}",
        unit=Unit("statements/s", 1.0, "statement"),
        section=SECTION,
        program=SECTION,
        run={"statement": statement},
        engines=("myrocks", "innodb"),
        why_engines="it is SQL, which the embedded engine does not speak",
        asked_only=True,
        writes=(commits,) if commits else (),
        smallest_commit_bytes=_SMALLEST_BYTES,
        scale=Scale("students", "student", "students", _shrink),
        reserved=frozenset({"statement"}),
        clone_growth=4.0,
        written_mib_per_s=20,
        data=_data,
        progress=_progress,
        loaded=_loaded,
    )


WORKLOADS = tuple(map(_workload, _STATEMENTS))
