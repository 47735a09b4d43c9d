"""What a server is started from: its directories and its my.cnf."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError, WaltaxError
from . import access
from .binaries import Binaries
from .settings import WAL_DIR, Settings, base, render

# The kernel's sun_path has 108 bytes, a zero at the end.
SOCKET_BYTES = 107


@dataclass(frozen=True)
class Spec:
    """One server. `name` is what errors call it: a cell's, or "load".

    `home` holds its my.cnf, error.log, socket and temporary files. `settings` come on top of
    `settings.base`; the places are ours. `wal_dir` None: the log stays in the data directory.
    """

    name: str
    engine: str
    home: Path
    datadir: Path
    wal_dir: Path | None
    settings: Settings
    socket: Path | None = None

    @property
    def socket_path(self) -> Path:
        return self.home / "s.sock" if self.socket is None else self.socket

    @property
    def config(self) -> Path:
        return self.home / "my.cnf"

    @property
    def error_log(self) -> Path:
        return self.home / "error.log"


def require_short_socket(spec: Spec) -> None:
    """Errors: UsageError naming a socket path that the kernel would not take."""
    path = str(spec.socket_path)
    length = len(path.encode())
    if length > SOCKET_BYTES:
        # A cell's has a place of its own, in memory: its length comes from the profile's name.
        shorter = (
            "choose a shorter directory with --data-dir"
            if spec.socket is None
            else "give the profile a shorter name"
        )
        raise UsageError(
            f"{spec.name}: the socket's path {path} has {length} bytes, and a Unix socket's "
            f"may have {SOCKET_BYTES}; {shorter}"
        )


def prepare_home(spec: Spec) -> None:
    """Make the server's directories; its user owns them, and can reach and write them."""
    folders = [spec.home, spec.home / "tmp", spec.datadir]
    if spec.wal_dir is not None:
        folders.append(spec.wal_dir)
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WaltaxError(f"{spec.name}: {folder}: {error.strerror}") from error
        access.give(folder)
    for folder in folders[1:]:
        access.require_writable(folder)


def write_config(spec: Spec, server: Binaries) -> Path:
    """Write the server's my.cnf and return its path."""
    places: dict[str, str] = {
        "datadir": str(spec.datadir),
        "socket": str(spec.socket_path),
        "pid_file": str(spec.home / "pid"),
        "tmpdir": str(spec.home / "tmp"),
        "plugin_dir": str(server.plugin_dir),
    }
    if spec.wal_dir is not None:
        places[WAL_DIR[spec.engine]] = str(spec.wal_dir)
    spec.config.write_text(render({**base(spec.engine), **spec.settings, **places}))
    return spec.config
