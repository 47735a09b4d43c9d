"""The settings of a server (its my.cnf), and the variables that it must show.

The effect of the modes, measured with the tap on MariaDB 10.11.19 (1000 commits of one row each,
one client; calls on the log's files per commit, including background threads):

    engine   mode      writes  bytes  syncs  a second of idling
    myrocks  sync      1       36     1      nothing
    myrocks  flush     1       36     0      1 sync
    myrocks  delayed   0       0      0      1 write, if there is something; 1 sync
    myrocks  off       0       0      0      1 sync, of nothing
    innodb   sync      1       4284   1      nothing, after the purge
    innodb   flush     1       4284   0      1 sync
    innodb   delayed   0       0      0      1 write, 1 sync
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from ...base.errors import UsageError
from .. import ENGINES, Settings

_PLAIN = re.compile(r"[A-Za-z0-9_./,:;=+*-]*")
# One client's cost is measured, so everything else that the server could do is off.
_BASE: Settings = {
    # Only the socket: a port would be open to others, and have another cost.
    "skip_networking": True,
    "skip_name_resolve": True,
    # A binlog is a second log, on another device, with syncs of its own.
    "skip_log_bin": True,
    # It counts every statement and every wait, which is not a cost of the WAL.
    "performance_schema": False,
    # It would send statistics home; not every build has it.
    "loose_feedback": False,
    # The bulk load sends its rows from the client.
    "local_infile": True,
    "character_set_server": "latin1",
    "collation_server": "latin1_bin",
    # As in the published MyRocks settings, and the same for both engines.
    "transaction_isolation": "READ-COMMITTED",
    "max_connections": 1000,
    "key_buffer_size": "1M",
    "aria_pagecache_buffer_size": "8M",
    "query_cache_type": False,
    "query_cache_size": 0,
}
CLOSED: Settings = {
    "skip_networking": True,
    "skip_log_bin": True,
    "skip_grant_tables": False,
    # Otherwise DATA DIRECTORY makes files wherever this user may.
    "symbolic_links": False,
}
"""Settings that no profile can change, under any of their names."""

BINLOG: Settings = {
    "sync_binlog": 1,
    # MyRocks and READ COMMITTED need rows: they reject statements.
    "binlog_format": "ROW",
    # Every server with a binlog must have one.
    "server_id": 1,
}
"""The settings of a server with a binlog, apart from its place."""
BINLOG_NAME = "binlog"
"""The prefix of its files, by which the tap knows them: binlog.000001."""


def base(engine: str) -> dict[str, str | int | float | bool]:
    """Return the settings of every server of `engine`, which its profile may override."""
    return {**_BASE, **ENGINES[engine].served.settings}


def durability(
    engine: str, mode: str, *, binlog: bool = False
) -> dict[str, str | int | float | bool]:
    """Return the settings that implement `mode` on `engine`, with a binlog or without.

    Errors: UsageError for a mode that the engine does not have.
    """
    modes = ENGINES[engine].served.modes
    if mode not in modes:
        raise UsageError(f"{engine}: has no WAL mode {mode!r}; it has {', '.join(modes)}")
    more = ENGINES[engine].served.modes_with_binlog.get(mode, {}) if binlog else {}
    return {**modes[mode], **more}


def render(settings: Settings) -> str:
    """Return a my.cnf with `settings` in their order."""
    lines = [f"{key} = {_text(value)}" for key, value in settings.items()]
    return "\n".join(["[mariadbd]", *lines, ""])


def _word(value: str | int | float | bool) -> str:
    # Always with a value, because a switch without one disables MyRocks instead.
    return ("ON" if value else "OFF") if isinstance(value, bool) else str(value)


def _text(value: str | int | float | bool) -> str:
    if isinstance(value, str) and not _PLAIN.fullmatch(value):
        # To mariadbd, a backslash begins an escape even outside quotes, and a `#` begins a comment
        # unless quotes of either kind are open.
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return _word(value)


def wanted(
    engine: str, mode: str, places: Mapping[str, str], *, binlog: bool = False
) -> dict[str, str]:
    """Return what SHOW GLOBAL VARIABLES must show in `mode`, with a binlog or without.

    `places` are `Spec.places`: variables and paths.
    """
    variables: dict[str, str | int | float | bool] = {"log_bin": binlog, "skip_networking": True}
    variables |= durability(engine, mode, binlog=binlog)
    variables |= ENGINES[engine].served.shown
    return {**{key: _word(value) for key, value in variables.items()}, **places}


def contradictions(wanted: Mapping[str, str], shown: Mapping[str, str]) -> list[str]:
    """Return a sentence for each variable that differs from `wanted`."""
    return [
        f"{name} is {shown.get(name, 'unknown to the server')}, and must be {value}"
        for name, value in wanted.items()
        if _same(shown.get(name)) != _same(value)
    ]


def _same(value: str | None) -> str | None:
    """Normalise a path: the server may show it with a final slash, and without `..` or `//`."""
    return os.path.realpath(value) if value is not None and value.startswith("/") else value
