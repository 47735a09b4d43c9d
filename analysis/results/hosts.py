"""On which host a row was measured. A ratio is of one host: a session never has two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...cell import Cell
from ...errors import WaltaxError
from ...row import Row

NAMELESS = "(no host)"
"""How the host of rows is called that name none, beside rows that do."""


def host_of(one: Row) -> str:
    """Its name; empty where the row names none."""
    return one.get("host") or ""


def names(rows: Iterable[Row]) -> list[str]:
    """The hosts of these rows, sorted: none of a campaign that names none."""
    found = sorted({host_of(one) for one in rows})
    return [] if found == [""] else found


def of_sessions(rows: Iterable[Row]) -> dict[tuple[str, int], str]:
    """The host of each session, by campaign and number.

    Errors: WaltaxError for a session with rows of two hosts, whose ratios would be of two machines.
    """
    found: dict[tuple[str, int], str] = {}
    for one in rows:
        key, host = (one["campaign"], one["session"]), host_of(one)
        if found.setdefault(key, host) != host:
            raise WaltaxError(
                f"campaign {key[0]}, session {key[1]}: found rows of the hosts "
                f"{found[key] or NAMELESS} and {host or NAMELESS}; a session is of one host: "
                "leave this session out"
            )
    return found


Cells = dict[Cell, list[Row]]


def without_failed(cells: Mapping[Cell, list[Row]]) -> tuple[Cells, Cells]:
    """The cells without their rows of hosts on which they have a failed slice; and these rows.

    One broken host of many leaves a cell the others. A cell that failed on all keeps its rows.
    """
    kept: Cells = {}
    left: Cells = {}
    for cell, mine in cells.items():
        failed = {host_of(one) for one in mine if one["status"] != "ok"}
        others = [one for one in mine if host_of(one) not in failed]
        kept[cell] = others or mine
        if failed and others:
            left[cell] = [one for one in mine if host_of(one) in failed]
    return kept, left
