"""Making and cloning data directories that servers can reach, write and own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from ...base import proc
from ...base.errors import UsageError
from . import account, binaries, private
from .access import as_owner, give, owner, reachable_copy, require_reachable, require_writable
from .account import DATABASE
from .clone import IMMUTABLE, clone
from .failures import ServerDied, at_start, last_words
from .spec import Spec, prepare_home, require_told, write_config

__all__ = [
    "DATABASE",
    "IMMUTABLE",
    "clone",
    "create",
    "give",
    "owner",
    "reachable_copy",
    "require_reachable",
    "require_writable",
]

INSTALL_S = 120.0
"""How long MariaDB's program may take to make a data directory; it usually takes a second."""


def create(spec: Spec) -> None:
    """Make an empty data directory with our account (see `account`) and the database `waltax`.

    Nobody else can log in to its servers. Errors: UsageError when there is data already or the
    directory cannot be used; WaltaxError with the output of MariaDB's program when that fails.
    """
    server = binaries.find(spec.engine, spec.mariadbd)
    require_told(spec)
    _require_empty(spec.datadir)
    prepare_home(spec)
    config, statements = write_config(spec, server), spec.home / "account.sql"
    private.write(statements, account.of_a_new_server(spec.engine))
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
    choices = {"cwd": spec.datadir, "pass_fds": files, **as_owner()}
    with (
        os.fdopen(private.closed(log, os.O_TRUNC), "wb") as out,
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
        raise at_start(f"{spec.name}: {what}: {last_words(log)}")


def _require_empty(datadir: Path) -> None:
    if datadir.exists() and any(datadir.iterdir()):
        raise UsageError(f"{datadir}: not empty; a new data directory must be")
