"""On which host and on which machine rows were measured.

A ratio is of one host: a session never has two; and those of one comparison and host are of one
machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...base.errors import WaltaxError
from ...cell import Cell
from ...row import Row

# A kernel keeps more or less of the memory for itself than the one before it.
_MEMORY_SHARE = 0.05
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


@dataclass(frozen=True)
class Machine:
    """What a machine's figures hang on, as rows have it; equal machines have equal ones."""

    cpu_model: str
    cores: int
    memory_gib: float
    kernel: str

    @property
    def words(self) -> str:
        return f"{self.cores} x {self.cpu_model}, {self.memory_gib:g} GiB, kernel {self.kernel}"


def machine_of(rows: Iterable[Row]) -> Machine | None:
    """The machine of all these rows; None where they do not say, or are of several."""
    names = tuple(Machine.__dataclass_fields__)
    found = {tuple(one.get(name) for name in names) for one in rows if one["status"] == "ok"}
    if len(found) != 1:
        return None
    values: tuple[Any, ...] = found.pop()
    return None if None in values else Machine(*values)


def findings(kept: object) -> list[tuple[str, str, str]]:
    """Of `waltax doctor`, as a campaign keeps them: check, state, and text with advice."""
    each = [one for one in kept if isinstance(one, Mapping)] if isinstance(kept, list) else []
    names = ("check", "state", "text", "advice")
    told = [[str(one.get(key) or "") for key in names] for one in each]
    return [
        (check, state, f"{text}; {advice}" if advice else text)
        for check, state, text, advice in told
    ]


def require_one_machine(rows: Iterable[Row]) -> None:
    """Errors: WaltaxError for rows of two machines, naming the campaigns and what differs.

    Each host is a machine of its own, on which alone ratios are taken. A kernel may be updated
    between two sessions: the cells of a session have the same one.
    """
    first: dict[tuple[str, str], Row] = {}
    for one in rows:
        for name in ("cpu_model", "cores", "memory_gib"):
            if one["status"] != "ok" or one.get(name) is None:
                continue
            before = first.setdefault((host_of(one), name), one)
            same = before[name] == one[name]
            if name == "memory_gib":
                same = math.isclose(before[name], one[name], rel_tol=_MEMORY_SHARE)
            if not same:
                raise WaltaxError(
                    f"found {name} {before[name]} ({_where(before)}) and {one[name]} "
                    f"({_where(one)}): rows of two machines are not to be compared; report them "
                    "separately"
                )


def _where(one: Row) -> str:
    host = f", host {host_of(one)}" if host_of(one) else ""
    return f"campaign {one['campaign']}, session {one['session']}{host}"
