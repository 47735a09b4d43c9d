"""What a server is told (its my.cnf), and what it must say in return.

What the modes do, measured with the tap on MariaDB 10.11.19 (1000 commits of one row each, one
client; calls on the log's files a commit, background included):

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
# One client's cost is measured, so whatever else the server could do is off.
_BASE: Settings = {
    # The socket only: a port would be open to others, and cost something else.
    "skip_networking": True,
    "skip_name_resolve": True,
    # A binlog is a second log, on another device, with syncs of its own.
    "skip_log_bin": True,
    # It counts every statement and every wait: a cost that is not the WAL's.
    "performance_schema": False,
    # Sends statistics home where it is on; not every build has it.
    "loose_feedback": False,
    # The bulk load sends its rows from the client.
    "local_infile": True,
    "character_set_server": "latin1",
    "collation_server": "latin1_bin",
    # What the published MyRocks settings use, and both engines the same.
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
    # Else DATA DIRECTORY makes files wherever the servers' user may.
    "symbolic_links": False,
}
"""What no profile can open again, under whatever other name for it."""

BINLOG: Settings = {
    "sync_binlog": 1,
    # What MyRocks and READ COMMITTED need: statements would be refused.
    "binlog_format": "ROW",
    # Every server with a binlog has one.
    "server_id": 1,
}
"""What a server is told that has a binlog, beside its place."""
BINLOG_NAME = "binlog"
"""How its files' names begin, which the tap knows them by: binlog.000001."""


def base(engine: str) -> dict[str, str | int | float | bool]:
    """What every server of `engine` is told before its profile speaks."""
    return {**_BASE, **ENGINES[engine].served.settings}


def durability(
    engine: str, mode: str, *, binlog: bool = False
) -> dict[str, str | int | float | bool]:
    """The settings that make `mode` mean on `engine` what the word says, with a binlog or without.

    Errors: UsageError for a mode that the engine does not have.
    """
    modes = ENGINES[engine].served.modes
    if mode not in modes:
        raise UsageError(f"{engine}: has no WAL mode {mode!r}; it has {', '.join(modes)}")
    more = ENGINES[engine].served.modes_with_binlog.get(mode, {}) if binlog else {}
    return {**modes[mode], **more}


def of_a_mode(engine: str, setting: str) -> bool:
    """Whether `setting` is one by which a mode is made what it is."""
    return any(setting in told for told in ENGINES[engine].served.modes.values())


def render(settings: Settings) -> str:
    """A my.cnf that holds `settings` in their order."""
    lines = [f"{key} = {_text(value)}" for key, value in settings.items()]
    return "\n".join(["[mariadbd]", *lines, ""])


def _word(value: str | int | float | bool) -> str:
    # Said in full, because a switch without a value disables MyRocks instead.
    return ("ON" if value else "OFF") if isinstance(value, bool) else str(value)


def _text(value: str | int | float | bool) -> str:
    if isinstance(value, str) and not _PLAIN.fullmatch(value):
        # As mariadbd reads it: a backslash begins an escape also without quotes around, and a `#`
        # a comment unless quotes, whichever, are open.
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return _word(value)


def wanted(
    engine: str, mode: str, places: Mapping[str, str], *, binlog: bool = False
) -> dict[str, str]:
    """What SHOW GLOBAL VARIABLES must show on a server that is in `mode`, with a binlog or without.

    `places` are `Spec.places`: variables and paths.
    """
    told: dict[str, str | int | float | bool] = {"log_bin": binlog, "skip_networking": True}
    told |= durability(engine, mode, binlog=binlog)
    told |= ENGINES[engine].served.shown
    return {**{key: _word(value) for key, value in told.items()}, **places}


def contradictions(wanted: Mapping[str, str], found: Mapping[str, str]) -> list[str]:
    """One sentence for each variable that is not as wanted."""
    return [
        f"{name} is {found.get(name, 'unknown to the server')}, and must be {value}"
        for name, value in wanted.items()
        if _same(found.get(name)) != _same(value)
    ]


def _same(value: str | None) -> str | None:
    """The server shows a path with or without a slash at its end, and without `..` or `//`."""
    return os.path.realpath(value) if value is not None and value.startswith("/") else value
