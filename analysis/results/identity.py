"""What stood behind the names of a cell, by which two of one name are the same thing, or not.

The driver, or the server, makes a data set from the profile with a fixed seed, so their digests
also identify it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...base.printable import shorten
from ...row import Row
from .hosts import host_of

PROGRAM, TOOL = "program", "tool"
_COLUMNS = {
    "profile": ("profile_digest",),
    "device": (
        *("placement_digest", "emulated", "device_kind"),
        *("binlog_device", "binlog_digest"),
    ),
    PROGRAM: ("driver_digest", "server_digest"),
    TOOL: ("tap_digest",),
    "workload": ("throughput_unit", "workload_digest", "isolation", "paced", "warehouses"),
}
# For a device that is no model: each host has its own place and its own disk for it.
_OF_A_HOST = {"placement_digest": "emulated", "binlog_digest": "binlog_emulated"}
_OURS = "waltax"  # in a row's versions; the others are programs under test


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
            is_own = name in _OF_A_HOST and not row.get(_OF_A_HOST[name])
            values = known.setdefault((word, name, host_of(row) if is_own else ""), [])
            if value is not None and (text := shorten(str(value))) not in values:
                values.append(text)
    return {key: values for key, values in known.items() if values}
