"""Ask a server about itself with MariaDB's own client program."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass

from ....base import home, proc
from ....base.errors import UsageError, WaltaxError
from ....engines import ENGINES
from ....engines.server.server import Server

_CLIENT = "mariadb"
_WITHIN_S = 60.0
_PAGES = "innodb_buffer_pool_pages_flushed"
# Statements whose log is synced in every mode; each has a counter of its own.
_DEFINITION = re.compile(
    "com_((create|alter|drop)_.*|rename_table|truncate|optimize|analyze|repair)", re.IGNORECASE
)


@dataclass(frozen=True)
class Counters:
    """What a server counted since its start, or between two moments."""

    log: dict[str, int]  # the engine's counters of its log, by their names in small letters
    definitions: int  # statements such as CREATE TABLE
    pages: int  # data pages written, for which an engine may sync its log first

    def minus(self, earlier: Counters) -> Counters:
        """Return what was counted since `earlier`."""
        return Counters(
            {name: value - earlier.log[name] for name, value in self.log.items()},
            self.definitions - earlier.definitions,
            self.pages - earlier.pages,
        )


def ask(server: Server) -> Counters:
    """Return the current counters, from one query."""
    engine = ENGINES[server.spec.engine]
    names = (engine.wal_bytes, engine.wal_syncs, engine.commit_groups)
    quoted = ", ".join(f"'{name}'" for name in (*names, _PAGES) if name is not None)
    wanted = f"variable_name LIKE 'Com\\_%' OR variable_name IN ({quoted})"
    rows = _rows(server, f"SHOW GLOBAL STATUS WHERE {wanted}")
    counts = {name.lower(): int(value) for name, value in rows.items()}
    return Counters(
        log={name: counts[name] for name in names if name is not None},
        definitions=sum(value for name, value in counts.items() if _DEFINITION.fullmatch(name)),
        pages=counts.get(_PAGES, 0),
    )


def variables(server: Server) -> dict[str, str]:
    """Return the server's global variables."""
    return _rows(server, "SHOW GLOBAL VARIABLES")


def _rows(server: Server, sql: str) -> dict[str, str]:
    program = shutil.which(_CLIENT)
    if program is None:
        raise UsageError(
            f"{_CLIENT}: no such program; --engine asks the server with it; run: {home.SET_UP}"
        )
    argv = [
        *(program, "--no-defaults", f"--socket={server.socket}", f"--user={server.user}"),
        *("--default-character-set=utf8mb4", "--batch", "--raw", "--skip-column-names"),
        f"--execute={sql}",
    ]
    try:
        lines = proc.run(argv, timeout_s=_WITHIN_S).splitlines()
    except proc.TimedOut:
        raise WaltaxError(
            f"the server did not answer within {_WITHIN_S:g} s ({proc.standing(server.pid)}): {sql}"
        ) from None
    return {name: value for name, _, value in (line.partition("\t") for line in lines)}
