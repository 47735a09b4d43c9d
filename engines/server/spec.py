"""The specification of a server: its directories and its my.cnf."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import UsageError, WaltaxError, in_words
from .. import ENGINES, Settings
from .binaries import Binaries
from .settings import BINLOG, BINLOG_NAME, CLOSED, base, render

# Spaces, quotes, apostrophes, `#`, backslashes and letters of any language work, in both engines.
_REFUSED = {
    ":": "a colon, at which MariaDB divides lists of directories",
    ";": "a semicolon, at which MariaDB and the loader of libraries divide lists",
    " --": "a blank before dashes, which MariaDB's program that makes data directories takes "
    "for an option",
}


@dataclass(frozen=True)
class Spec:
    """A server. `name` identifies it in errors: a cell's id, or "load".

    `home` holds its my.cnf, error.log and temporary files, and by default the socket, as run/s.
    `settings` override `settings.base`, except for places. Without `wal_dir` the log stays in the
    data directory. `mariadbd` is by default the server of all others. `loopback_port` is for
    clients without Unix sockets, which a bench compares with ours; it is closed by default, and
    always to other machines.
    """

    name: str
    engine: str
    home: Path
    datadir: Path
    wal_dir: Path | None
    settings: Settings
    socket: Path | None = None
    mariadbd: Path | None = None
    loopback_port: int | None = None
    binlog_dir: Path | None = None  # of a second log, synced with each group of commits

    @property
    def socket_path(self) -> Path:
        return self.home / "run" / "s" if self.socket is None else self.socket

    @property
    def places(self) -> dict[str, str]:
        """The server's variables for its places, and their values."""
        places = {"datadir": str(self.datadir), "socket": str(self.socket_path)}
        if self.wal_dir is not None:
            places[ENGINES[self.engine].served.wal_dir] = str(self.wal_dir)
        if self.binlog_dir is not None:
            places["log_bin_basename"] = str(self.binlog_dir / BINLOG_NAME)
        return places

    @property
    def config(self) -> Path:
        return self.home / "my.cnf"

    @property
    def error_log(self) -> Path:
        return self.home / "error.log"


def require_plain(path: Path, flag: str = "--data-dir") -> None:
    """Raise UsageError naming what a server cannot handle in `path`, which `flag` sets."""
    wrong = next((why for what, why in _REFUSED.items() if what in str(path)), None)
    # A control character, a byte that is no UTF-8, or what a server shows as a question mark.
    strange = next((c for c in str(path) if not c.isprintable() or c > "\uffff"), None)
    if wrong is None and strange is not None:
        wrong = f"the character {strange!r}, which a server cannot be told"
    if wrong is not None:
        raise UsageError(f"{str(path)!r}: has {wrong}; choose a directory without it with {flag}")


def make_folders(spec: Spec) -> None:
    """Make the server's folders, which nobody but this user enters.

    Errors: UsageError naming a path that a server cannot handle; WaltaxError for a folder that
    cannot be made.
    """
    logs = [log for log in (spec.wal_dir, spec.binlog_dir) if log is not None]
    for path in (spec.home, spec.datadir, spec.socket_path):
        require_plain(path)
    for log in logs:
        require_plain(log, "--wal-dir")
    ours = [spec.home, spec.socket_path.parent, _no_files(spec), spec.home / "tmp"]
    for folder in (*ours, spec.datadir, *logs):
        try:
            folder.mkdir(0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise WaltaxError(f"{spec.name}: {in_words(error)}: cannot be made") from error


def _no_files(spec: Spec) -> Path:
    """Return the only directory whose files statements could read and write: an empty one."""
    return spec.home / "no-files"


def write_config(spec: Spec, server: Binaries) -> Path:
    """Write the server's my.cnf and return its path. Later settings override earlier ones."""
    ours: dict[str, str | int | float | bool] = {
        **CLOSED,
        **spec.places,
        "pid_file": str(spec.socket_path.parent / "pid"),
        "tmpdir": str(spec.home / "tmp"),
        "secure_file_priv": str(_no_files(spec)),
        "plugin_dir": str(server.plugin_dir),
    }
    if spec.binlog_dir is not None:
        ours |= {**BINLOG, "log_bin": str(spec.binlog_dir / BINLOG_NAME)}
        ours["sync_binlog"] = spec.settings.get("sync_binlog", BINLOG["sync_binlog"])
        del ours["log_bin_basename"], ours["skip_log_bin"]  # the first is read-only
    if spec.loopback_port is not None:
        ours |= {"skip_networking": False, "port": spec.loopback_port, "bind_address": "127.0.0.1"}
    theirs = {**base(spec.engine), **spec.settings}
    others = {name: value for name, value in theirs.items() if name not in {*ours, *CLOSED}}
    if os.geteuid() == 0:  # of which MariaDB must be told that it is meant
        ours["user"] = "root"
    spec.config.write_text(render({**others, **ours}))
    return spec.config
