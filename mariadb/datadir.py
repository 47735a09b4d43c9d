"""Data directories: made empty, and cloned. Reachable, writable and owned as servers need it."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from pathlib import Path

from .. import proc
from ..errors import UsageError, WaltaxError
from . import binaries
from .access import as_owner, give, owner, reachable_copy, require_reachable, require_writable
from .binaries import Binaries
from .spec import Spec, prepare_home, write_config
from .words import ServerDied, complaint, last_words

__all__ = [
    "clone",
    "create",
    "give",
    "owner",
    "reachable_copy",
    "require_reachable",
    "require_writable",
]

USER = "waltax"
DATABASE = "waltax"
_ROCKSDB = "#rocksdb"
IMMUTABLE = {".sst", ".blob"}
"""Suffixes of RocksDB's files that whoever opens a clone never writes to: a link is enough."""
INSTALL_S = 120.0
"""How long MariaDB's program may take to make a data directory: it takes a second."""
# Of the server that loaded: its info logs and its locks.
_LEFT_BEHIND = ("LOG", "LOCK")
_PIECE = 1 << 30
_LARGE = 1 << 20
# The server reads a statement a line.
_ACCOUNT = f"""\
FLUSH PRIVILEGES;
CREATE DATABASE {DATABASE} CHARACTER SET latin1 COLLATE latin1_bin;
CREATE USER {USER}@localhost;
GRANT ALL PRIVILEGES ON *.* TO {USER}@localhost WITH GRANT OPTION;
"""


def create(spec: Spec) -> None:
    """Make an empty data directory with the account and the database `waltax`.

    The account has no password and all rights: its server has a socket and no port, and the
    socket lies in a directory of ours. Errors: UsageError when there is data already or the
    directory cannot be used; WaltaxError with the words of MariaDB's program when that fails.
    """
    server = binaries.find(spec.engine)
    _require_empty(spec.datadir)
    prepare_home(spec)
    config = write_config(spec, server)
    account = spec.home / "account.sql"
    account.write_text(_ACCOUNT)
    argv = [
        *(str(server.install_db), f"--defaults-file={config}", "--skip-test-db"),
        *("--skip-name-resolve", "--auth-root-authentication-method=normal"),
        f"--extra-file={account}",
    ]
    if not server.install_db.is_relative_to("/usr/bin"):
        argv.append(f"--basedir={server.mariadbd.parent.parent}")
    log = spec.home / "install.log"
    _run(argv, spec, server, log)
    account.unlink()


def _run(argv: list[str], spec: Spec, server: Binaries, log: Path) -> None:
    """In a group of its own, since it is a script: its server must not outlive it."""
    what = "making the data directory failed"
    choices = {"cwd": spec.home, **as_owner()}
    with (
        log.open("wb") as out,
        proc.launched_group(argv, stdout=out, stderr=out, **choices) as child,
    ):
        try:
            code = child.wait(INSTALL_S)
        except subprocess.TimeoutExpired:
            raise ServerDied(
                f"{spec.name}: {what}: {argv[0]} did not end in {INSTALL_S:g} s "
                f"({proc.standing(child.pid)}): {last_words(log)}"
            ) from None
    if code != 0:
        raise complaint(spec, server, last_words(log), what)


def _require_empty(datadir: Path) -> None:
    if datadir.exists() and any(datadir.iterdir()):
        raise UsageError(f"{datadir}: not empty; a new data directory must be")


def clone(data_set: Path, target: Path, engine: str, wal_dir: Path | None) -> None:
    """A copy at `target` of a data directory whose server was shut down.

    The log goes to `wal_dir` when there is one. Immutable files that the servers' user owns
    become hard links where the file system allows it; all else is copied, InnoDB's log with all
    its bytes, since a log that is used for a while has its blocks, too. The servers' user owns
    the copy; the original is never changed. Errors: WaltaxError when the file system is full or
    a directory cannot be written.
    """
    try:
        target.mkdir(parents=True)
        if wal_dir is not None:
            wal_dir.mkdir(parents=True, exist_ok=True)
        for entry in sorted(data_set.rglob("*")):
            place = _place(entry.relative_to(data_set), target, engine, wal_dir)
            if place is None:
                continue
            if entry.is_dir():
                place.mkdir(exist_ok=True)
            elif not _linked(entry, place):
                _copy(entry, place)
    except OSError as error:
        raise WaltaxError(f"{target}: cannot clone {data_set.name}: {error}") from error
    give(target)
    if wal_dir is not None:
        give(wal_dir)


def _linked(source: Path, target: Path) -> bool:
    """Whether `target` is now a hard link; False where there must be a copy.

    A link has the original's owner, so that giving the one away would give away the other.
    """
    if source.suffix not in IMMUTABLE or source.is_symlink():
        return False
    found, ids = source.stat(), owner()
    if (found.st_uid, found.st_gid) != ids and (ids is not None or found.st_uid != os.geteuid()):
        return False
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno in (errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP):
            return False
        raise
    return True


def _place(part: Path, target: Path, engine: str, wal_dir: Path | None) -> Path | None:
    """Where the file at `part` of the data directory goes; None for what is left behind."""
    inside = part.parts[0] == _ROCKSDB and len(part.parts) == 2
    if inside and part.name.startswith(_LEFT_BEHIND):
        return None
    if wal_dir is not None and _is_log(part, engine):
        return wal_dir / part.name
    return target / part


def _is_log(part: Path, engine: str) -> bool:
    if engine == "innodb":
        return len(part.parts) == 1 and part.name.startswith("ib_logfile")
    return part.parent == Path(_ROCKSDB) and part.suffix == ".log"


def _copy(source: Path, target: Path) -> None:
    """Within a file system the kernel copies, and shares blocks where it can.

    A large copy is on the device when this returns: written back later, it would be so in the
    middle of a measurement.
    """
    with source.open("rb") as old, target.open("wb") as new:
        try:
            while os.copy_file_range(old.fileno(), new.fileno(), _PIECE):
                pass
        except OSError:
            new.seek(0)
            old.seek(0)
            shutil.copyfileobj(old, new, 1 << 20)
        new.flush()
        if os.fstat(new.fileno()).st_size >= _LARGE:
            os.fdatasync(new.fileno())
