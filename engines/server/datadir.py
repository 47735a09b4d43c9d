"""Making data directories of servers, and copying those of engines that were shut down cleanly."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

from ...base import proc
from ...base.errors import UsageError, WaltaxError, in_words
from .. import ENGINES
from . import account, binaries
from .account import DATABASE
from .failures import ServerDied, at_start, last_words
from .spec import Spec, make_folders, write_config

__all__ = ["DATABASE", "IMMUTABLE", "clone", "create", "linked"]

INSTALL_S = 120.0
"""How long MariaDB's program may take to make a data directory; it usually takes a second."""
IMMUTABLE = {".sst", ".blob"}
"""Suffixes of RocksDB's files that are never written again: a link is enough."""
_ROCKSDB = Path("#rocksdb")
# Info logs and locks of the process that loaded the data.
_LEFT_BEHIND = ("LOG", "LOCK")
_PIECE = 1 << 30
_LARGE = 1 << 20


def create(spec: Spec) -> None:
    """Make an empty data directory with our account (see `account`) and the database `waltax`.

    Nobody else can log in to its servers. Errors: UsageError when there is data already or the
    directory cannot be used; WaltaxError with the output of MariaDB's program when that fails.
    """
    server = binaries.find(spec.engine, spec.mariadbd)
    if spec.datadir.exists() and any(spec.datadir.iterdir()):
        raise UsageError(f"{spec.datadir}: not empty; a new data directory must be")
    make_folders(spec)
    config, statements = write_config(spec, server), spec.home / "account.sql"
    statements.write_text(account.of_a_new_server(spec.engine))
    with config.open("rb") as config_file, statements.open("rb") as extra:
        files = (config_file.fileno(), extra.fileno())
        # The program is a script that splits paths at blanks, so it runs in the data directory
        # and gets no path to split.
        argv = [
            *(str(server.install_db), f"--defaults-file=/proc/self/fd/{files[0]}"),
            *("--datadir=.", f"--extra-file=/proc/self/fd/{files[1]}"),
            *("--skip-test-db", "--skip-name-resolve"),
            "--auth-root-authentication-method=normal",
        ]
        if not server.install_db.is_relative_to("/usr/bin"):
            argv.append(f"--basedir={server.mariadbd.parent.parent}")
        _run(argv, spec, files)
    statements.unlink()


def _run(argv: list[str], spec: Spec, files: tuple[int, ...]) -> None:
    """Run the script in a process group of its own, so that its server does not outlive it."""
    what, log = "making the data directory failed", spec.home / "install.log"
    with (
        log.open("wb") as out,
        proc.launched_group(
            argv, stdout=out, stderr=out, cwd=spec.datadir, pass_fds=files
        ) as child,
    ):
        try:
            code = child.wait(INSTALL_S)
        except subprocess.TimeoutExpired:
            raise ServerDied(
                f"{spec.name}: {what}: {argv[0]} did not end in {INSTALL_S:g} s "
                f"({proc.standing(child.pid)}): {last_words(log)}"
            ) from None
    if code != 0:
        raise at_start(f"{spec.name}: {what}: {last_words(log)}")


def clone(data_set: Path, target: Path, engine: str, wal_dir: Path | None = None) -> None:
    """Copy a database, or the data directory of a server, that was shut down to `target`.

    A server's log goes to `wal_dir` if that is given; an embedded engine's is empty, and left out.
    Immutable files become hard links where the file system allows it. Everything else is copied,
    InnoDB's log with all its bytes, since a log in use has all its blocks, too. The original is
    never changed. Errors: WaltaxError when the file system is full, or a directory cannot be
    written.
    """
    on_server = ENGINES[engine].on_server
    try:
        data_set.stat()  # rglob finds nothing in a folder that is not there
        target.mkdir(0o700, parents=True)
        if wal_dir is not None:
            wal_dir.mkdir(parents=True, exist_ok=True)
        for path in sorted(data_set.rglob("*")):
            part = path.relative_to(data_set)
            place = target / part
            if wal_dir is not None and on_server and _is_log(part, engine):
                place = wal_dir / part.name
            in_rocksdb = part.parent == (_ROCKSDB if on_server else Path())
            stays = in_rocksdb and part.name.startswith(_LEFT_BEHIND)
            stays |= part.suffix == ".log" and not on_server
            if path.is_dir():
                place.mkdir()
            elif not stays and not linked(path, place):
                _copy(path, place)
    except OSError as error:
        raise WaltaxError(f"{target}: cannot clone {data_set.name}: {in_words(error)}") from error


def _is_log(part: Path, engine: str) -> bool:
    server = ENGINES[engine].served
    return part.parent == Path(server.log_in) and part.match(server.log_names)


def linked(original: Path, target: Path) -> bool:
    """Make `target` a link of an immutable file; return False if it must be a copy."""
    if target.suffix in IMMUTABLE:
        with contextlib.suppress(OSError):  # such as another file system
            os.link(original, target)
            return True
    return False


def _copy(original: Path, target: Path) -> None:
    """Copy a file; within a file system the kernel does it, and shares blocks if it can.

    A large copy is on the device when this returns, or it would be written back in the middle of a
    measurement.
    """
    with original.open("rb") as old, target.open("wb") as new:
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
