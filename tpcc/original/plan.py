"""What a run was asked to do, checked as far as that needs no driver."""

from __future__ import annotations

from ...driver.original.place import AnyPlace, Place
from ...errors import UsageError

MOST_CONNECTIONS = 1024
# Clause 4.2.2.
_TERMINALS_PER_WAREHOUSE = 10


def connections(asked: int | None, warehouses: int | None, *, paced: bool) -> int:
    """Return -c, or its default. Errors: UsageError where clause 4.2.2 forbids the pacing."""
    if not paced:
        return 10 if asked is None else asked
    if warehouses is None:
        raise UsageError(
            "--paced: found no -w, want one: there are "
            f"{_TERMINALS_PER_WAREHOUSE} terminals at each warehouse (clause 4.2.2)"
        )
    wanted = warehouses * _TERMINALS_PER_WAREHOUSE
    if wanted > MOST_CONNECTIONS:
        most = MOST_CONNECTIONS // _TERMINALS_PER_WAREHOUSE
        raise UsageError(
            f"-w: found {warehouses} with --paced, want at most {most}: each has "
            f"{_TERMINALS_PER_WAREHOUSE} terminals, and there are at most {MOST_CONNECTIONS} "
            "connections"
        )
    if asked not in (None, wanted):
        raise UsageError(
            f"-c: found {asked} with --paced, want {_TERMINALS_PER_WAREHOUSE} terminals for each "
            f"of {warehouses} warehouses (clause 4.2.2); type -c {wanted}, or leave -c out"
        )
    return wanted


def refuse_no_data(place: AnyPlace, warehouses: int | None) -> None:
    """Refuse a directory without a data set to run on or to check. Errors: UsageError.

    What a server has, its driver finds out.
    """
    if isinstance(place, Place) and not (place.db / "CURRENT").exists():
        where = "" if place.ours else f" --db {place.db}"
        raise UsageError(
            f"--db: found no data set in {place.db}; "
            f"type: waltax tpcc load -w {warehouses or 10}{where}"
        )
