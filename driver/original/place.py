"""Where a command line keeps its data set: in a directory, or on a running server."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ... import engines
from ...base import home, proc
from ...base.errors import UsageError, WaltaxError
from ...base.folders import folder, places
from ...base.folders.folder import Folder, HeldError, NotOursError
from .. import argv, patience
from ..argv import Parameters

_KIND = "database"
Command = Literal["load", "run", "check"]
DATABASE = "waltax"
"""The database of the servers that waltax starts."""

# Settings that a server got when it started, by the flag of `waltax serve`.
_SERVE = {"--db": "--data DIR", "--wal-dir": "--wal-dir DIR", "--durability": "--wal MODE"}


@dataclass(frozen=True)
class Place:
    """A directory, and how commits to the database in it are acknowledged."""

    db: Path
    wal_dir: Path
    durability: str
    ours: bool  # the user did not choose `db`, so a new load may replace its folder

    engine = engines.EMBEDDED

    @property
    def still_s(self) -> float | None:
        """How long a load or a check may do nothing, in seconds; None is for ever."""
        return patience.STILL_S

    def command_line(
        self,
        binary: Path,
        command: Command,
        *,
        threads: int,
        seed: int = 0,
        parameters: Parameters,
    ) -> list[str]:
        """Return the command line of a driver that works on the data; a check has no seed."""
        if command == "load":
            return argv.load_argv(
                binary, self.db, threads=threads, seed=seed, parameters=parameters
            )
        if command == "check":
            return argv.check_argv(
                binary, self.db, self.wal_dir, threads=threads, parameters=parameters
            )
        flags = {"durability": self.durability, **parameters}
        return argv.run_argv(
            binary, self.db, self.wal_dir, threads=threads, seed=seed, parameters=flags
        )


@dataclass(frozen=True)
class ServerPlace:
    """A database of a running server, which alone knows where its log is and when it syncs."""

    engine: str
    socket: Path
    user: str
    database: str

    still_s = None  # nobody here can say whether a user's own server is busy

    def command_line(
        self,
        binary: Path,
        command: Command,
        *,
        threads: int,
        seed: int = 0,
        parameters: Parameters,
    ) -> list[str]:
        """Return the command line likewise, with the server's store in place of any other."""
        others = {name: value for name, value in parameters.items() if name != "store"}
        flags = {"user": self.user, "database": self.database, **others}
        drawn = None if command == "check" else seed
        return argv.server_argv(
            binary, command, self.engine, self.socket, threads=threads, seed=drawn, parameters=flags
        )


AnyPlace = Place | ServerPlace


def embedded(default_db: str, db: Path | None, wal_dir: Path | None, durability: str) -> Place:
    """Return the place in `db`, or in waltax's folder `default_db` if none was chosen."""
    where = db or home.place("data").parent / default_db
    return Place(where, wal_dir or where, durability, ours=db is None)


def on_server(
    engine: str,
    flag: str,
    socket: Path | None,
    user: str | None,
    database: str | None,
    beside: Mapping[str, object],
) -> ServerPlace:
    """Return the place behind `socket`, which the user gives with `flag`.

    `beside` are flags of an embedded data set, None if they were not given. Errors: UsageError for
    a flag that was given, and for a missing socket.
    """
    _refuse_beside_server(engine, beside)
    start = f"`waltax serve --engine {engine}` starts a server and prints its socket"
    if socket is None:
        raise UsageError(
            f"{flag}: found nothing with --engine {engine}, want a server's Unix socket; {start}"
        )
    try:
        mode = socket.stat().st_mode
    except OSError as error:
        raise UsageError(
            f"{flag}: found {str(socket)!r}, which cannot be reached ({error.strerror}); {start}"
        ) from error
    if not stat.S_ISSOCK(mode):
        raise UsageError(f"{flag}: found {str(socket)!r}, which is no socket; {start}")
    return ServerPlace(engine, socket, user or _own_account(), database or DATABASE)


def chosen(options: Mapping[str, Any], default_db: str, durability: str) -> AnyPlace:
    """Return the place that a command's --engine and the options beside it name.

    `durability` is that of an embedded one. Errors: UsageError.
    """
    engine, socket = options["engine"], options["socket"]
    user, database = options["user"], options["database"]
    if engine in engines.SERVED:
        names = {"--db": "db", "--wal-dir": "wal_dir", "--durability": "durability"}
        beside = {flag: options.get(name) for flag, name in names.items()}
        return on_server(engine, "--socket", socket, user, database, beside)
    for flag, value in (("--socket", socket), ("--user", user), ("--database", database)):
        if value is not None:
            raise UsageError(
                f"{flag}: found {str(value)!r} with --engine rocksdb, which has no server; "
                "type --engine myrocks or --engine innodb, or leave it out"
            )
    return embedded(default_db, options["db"], options["wal_dir"], durability)


def _refuse_beside_server(engine: str, given: Mapping[str, object]) -> None:
    for flag, value in given.items():
        if value is not None:
            where = _SERVE.get(flag)
            how = f"; that is said when it is started: waltax serve {where}" if where else ""
            raise UsageError(
                f"{flag}: found {str(value)!r} with --engine {engine}, where data and log are the "
                f"server's own; leave it out{how}"
            )


def _own_account() -> str:
    """Return our account on the servers that we start, which has the name of their user."""
    return proc.user_name("a server knows users by their names; name an account of it")


def refuse_foreign_wal(place: Place, *, fresh: bool) -> None:
    """Refuse a WAL directory with logs of another database.

    RocksDB replays the logs that it finds there, and removes them. A `fresh` database has none
    yet. Errors: UsageError.
    """
    old = sorted(place.wal_dir.glob("*.log")) if place.wal_dir != place.db else []
    if old and (fresh or not _logs_in(place.db, place.wal_dir)):
        raise UsageError(
            f"--wal-dir: {place.wal_dir} holds the WAL of another database ({old[0].name}); "
            "empty it, or name another directory"
        )


def _logs_in(db: Path, wal_dir: Path) -> bool:
    """Say whether the database was opened with this directory, by its newest OPTIONS file."""
    written = sorted(db.glob("OPTIONS-*"))
    if not written:
        return False
    line = re.search(r"^\s*wal_dir=(.*)$", written[-1].read_text(errors="replace"), re.MULTILINE)
    return line is not None and Path(line[1].strip()).resolve() == wal_dir.resolve()


@contextmanager
def held(place: AnyPlace, *, fresh: bool, say: Callable[[str], None]) -> Iterator[None]:
    """Hold the folder of a data set that the user did not choose, so that waltax keeps it.

    `fresh`, before a load, replaces the data set that waltax made there. Errors: UsageError for
    files that waltax did not make; WaltaxError when another process works on it.
    """
    if not isinstance(place, Place):
        yield
        return
    refuse_foreign_wal(place, fresh=fresh)
    home = _fresh(place, say) if place.ours and fresh else _taken(place)
    try:
        yield
    finally:
        if home is not None:
            home.release()


def _fresh(place: Place, say: Callable[[str], None]) -> Folder:
    home = place.db.parent
    if place.db.exists():
        say(f"Replacing the data set in {place.db}")
    places.discard(home, _KIND, "--db")
    home.parent.mkdir(parents=True, exist_ok=True)
    return folder.make(home, _KIND)


def _taken(place: Place) -> Folder | None:
    """Take the folder; None if a user chose it, or it is invalid: the driver reports that."""
    try:
        return Folder.take(place.db.parent, _KIND) if place.ours else None
    except HeldError:
        raise WaltaxError(f"{place.db}: another process is working on it; wait for it") from None
    except (OSError, NotOursError):
        return None


def server_log(engine: Mapping[str, Any]) -> dict[str, str]:
    """Return the server's own values of the variables that decide durability.

    `engine` is that of the driver's event `ready`. Variables that the server lacks are left out.
    """
    variables = engine["variables"]
    names = (*engines.ENGINES[engine["name"]].served.log_variables, "log_bin")
    return {name: variables[name] for name in names if name in variables}


def server_log_words(engine: Mapping[str, Any]) -> str:
    """Return the values of `server_log` as one line."""
    shown = [f"{name}={value}" for name, value in server_log(engine).items() if value]
    return ", ".join(shown) or "durability unknown (the server shows no variable of its log)"
