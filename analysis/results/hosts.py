"""The host and the machine on which rows were measured, and what stood behind a cell's names there.

A ratio belongs to one host, since a session never has two. All rows of one comparison and host come
from one machine. The driver, or the server, makes a data set from the profile with a fixed seed, so
their digests also identify it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...base.printable import shorten
from ...row import Row

NAMELESS = "(no host)"
"""The name for the host of rows that name none, next to rows that name one."""

PROGRAM, TOOL, MACHINE = "program", "tool", "machine"
_COLUMNS = {
    "profile": ("profile_digest",),
    "device": (
        *("placement_digest", "emulated", "device_kind"),
        *("binlog_device", "binlog_digest"),
    ),
    PROGRAM: ("driver_digest", "server_digest"),
    TOOL: ("tap_digest",),
    MACHINE: ("cpu_model", "cores"),
    "workload": ("throughput_unit", "workload_digest", "isolation", "paced", "warehouses"),
}
# Each host is a machine, with its own place and disk for a device that the named column calls no
# model.
_OF_A_HOST = {"placement_digest": "emulated", "binlog_digest": "binlog_emulated"}
_OURS = "waltax"  # in a row's versions; the others are programs under test


def host_of(row: Row) -> str:
    """Return the name of a row's host; empty if the row names none."""
    return row.get("host") or ""


def names(rows: Iterable[Row]) -> list[str]:
    """Return the hosts of these rows, sorted; an empty list if the campaign names none."""
    hosts = sorted({host_of(row) for row in rows})
    return [] if hosts == [""] else hosts


@dataclass(frozen=True)
class Machine:
    """The properties that a machine's figures depend on, as rows record them."""

    cpu_model: str
    cores: int
    memory_gib: float
    kernel: str

    @property
    def words(self) -> str:
        return f"{self.cores} x {self.cpu_model}, {self.memory_gib:g} GiB, kernel {self.kernel}"


def machine_of(rows: Iterable[Row]) -> Machine | None:
    """Return the machine of these rows; None if they do not name one, or name several."""
    names = tuple(Machine.__dataclass_fields__)
    machines = {tuple(row.get(name) for name in names) for row in rows if row["status"] == "ok"}
    if len(machines) != 1:
        return None
    values: tuple[Any, ...] = machines.pop()
    return None if None in values else Machine(*values)


def findings(kept: object) -> list[tuple[str, str, str]]:
    """Return the kept findings of `waltax doctor`: check, state, and text with advice."""
    found = []
    for each in kept if isinstance(kept, list) else []:
        if isinstance(each, Mapping):
            names = ("check", "state", "text", "advice")
            check, state, text, advice = (str(each.get(key) or "") for key in names)
            found.append((check, state, f"{text}; {advice}" if advice else text))
    return found


def behind(rows: Iterable[Row]) -> dict[tuple[str, str, str], list[str]]:
    """Return the values that the rows of a cell have, by what they say: word, key and host.

    A value that no row has is left out. The host is empty for what is the same on all of them.
    """
    known: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        said = {(word, name): row.get(name) for word, names in _COLUMNS.items() for name in names}
        for program, version in (row.get("versions") or {}).items():
            said[TOOL if program == _OURS else PROGRAM, f"version of {program}"] = version
        for (word, name), value in said.items():
            is_own = word == MACHINE or (name in _OF_A_HOST and not row.get(_OF_A_HOST[name]))
            values = known.setdefault((word, name, host_of(row) if is_own else ""), [])
            if value is not None and (text := shorten(str(value))) not in values:
                values.append(text)
    return {key: values for key, values in known.items() if values}
