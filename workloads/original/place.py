"""Where a command line keeps its data set: in a directory, or on a running server."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ... import engines
from ...base.errors import UsageError
from ...driver import patience
from ...driver.argv import Command, Parameters

_EMBEDDED, _SERVED = ("db", "wal_dir", "durability"), ("socket", "user", "database")
_OF_SERVER = "where data and log are the server's own: its socket is -S"
_NO_SERVER = "which has no server; type --engine myrocks or --engine innodb, or leave it out"


@dataclass(frozen=True)
class Place:
    """The database of an embedded engine in a directory, or of a server that knows its own log.

    `where` are the driver's flags that name it; without a user or a database, the driver takes its
    own user's name and `waltax`.
    """

    engine: str
    where: Mapping[str, str]
    durability: str = ""

    @property
    def db(self) -> Path | None:
        """The directory; None on a server."""
        return Path(self.where["db"]) if "db" in self.where else None

    @property
    def still_s(self) -> float | None:
        """How long a load or a check may do nothing, in seconds; None is for ever.

        Nobody here can say whether a user's own server is busy.
        """
        return None if self.db is None else patience.STILL_S

    def flags(self, command: Command) -> Parameters:
        """Return the flags by which a driver's command finds the data; a load writes no WAL."""
        if self.db is None:
            return {**self.where, "store": self.engine}
        if command == "load":
            return {"db": self.where["db"]}
        return {**self.where, **({"durability": self.durability} if command == "run" else {})}


def chosen(options: Mapping[str, Any], durability: str, command: Command) -> Place:
    """Return the place that a command's --engine and the options beside it name.

    `durability` is that of an embedded one. Errors: UsageError for an option that the engine has
    no use for, for one that is missing, and for a log of another database.
    """
    engine = options["engine"]
    served = engine in engines.SERVED
    for name in _EMBEDDED if served else _SERVED:
        if (value := options.get(name)) is not None:
            raise UsageError(
                f"--{name.replace('_', '-')}: found {str(value)!r} with --engine {engine}, "
                f"{_OF_SERVER if served else _NO_SERVER}"
            )
    given = {name: options[name] for name in (_SERVED if served else _EMBEDDED[:2])}
    where = {name: str(value) for name, value in given.items() if value is not None}
    if served and "socket" not in where:
        raise UsageError(
            f"--socket: found nothing with --engine {engine}, want a server's Unix socket; "
            f"waltax try --preset {engine} --device nvme starts a server, whose socket is m in the "
            "folder that it prints"
        )
    if served:
        return Place(engine, where)
    if "db" not in where:
        raise UsageError("--db: found nothing, want a directory for the data; type --db DIR")
    refuse_foreign_wal(options["db"], options["wal_dir"], fresh=command == "load")
    return Place(engine, where, durability)


def refuse_foreign_wal(db: Path, wal_dir: Path | None, *, fresh: bool) -> None:
    """Refuse a WAL directory with logs of another database.

    RocksDB replays the logs that it finds there, and removes them. A `fresh` database has none
    yet. Errors: UsageError.
    """
    if wal_dir is None or wal_dir == db:
        return
    old = sorted(wal_dir.glob("*.log"))
    if old and (fresh or not _logs_in(db, wal_dir)):
        raise UsageError(
            f"--wal-dir: {wal_dir} holds the WAL of another database ({old[0].name}); "
            "empty it, or name another directory"
        )


def _logs_in(db: Path, wal_dir: Path) -> bool:
    """Say whether the database was opened with this directory, by its newest OPTIONS file."""
    written = max(db.glob("OPTIONS-*"), default=None)
    if written is None:
        return False
    line = re.search(r"^\s*wal_dir=(.*)$", written.read_text(errors="replace"), re.MULTILINE)
    return line is not None and Path(line[1].strip()).resolve() == wal_dir.resolve()


def server_log_words(engine: Mapping[str, Any]) -> str:
    """Return the server's own values of the variables that decide durability, as one line.

    `engine` is that of the driver's event `ready`.
    """
    names = (*engines.ENGINES[engine["name"]].served.log_variables, "log_bin")
    return ", ".join(
        f"{name}={value}" for name in names if (value := engine["variables"].get(name))
    )
