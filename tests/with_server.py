"""Small servers for tests; and a command beside one: `with_server.py myrocks -- COMMAND...`.

That command finds the server in WALTAX_SERVER_SOCKET and WALTAX_SERVER_ENGINE; its exit code is
ours. Nothing of the server is left behind.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
from waltax.base import proc
from waltax.engines.server import account, datadir
from waltax.engines.server.server import Server, Spec, running
from waltax.engines.server.settings import durability

_UTF8 = "--default-character-set=utf8mb4"
# Where files need no disk to be what is tested: what waits for none takes a third of the time.
MEMORY = Path("/dev/shm")
# Small caches, since tests of several engines may run at a time.
SMALL = {
    "myrocks": {"rocksdb_block_cache_size": "64M", "rocksdb_db_write_buffer_size": "64M"},
    "innodb": {"innodb_buffer_pool_size": "64M", "innodb_log_file_size": "32M"},
}


def gone_within(process: psutil.Process, seconds: float = 20.0) -> bool:
    """Whether it ends in that time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.01)
    return False


@contextlib.contextmanager
def open_folder(parent: Path | None = None) -> Iterator[Path]:
    """A folder that a program's own user can reach, which pytest's own is not.

    Its name is none that a campaign sweeps up.
    """
    with tempfile.TemporaryDirectory(prefix="tests-", dir=parent) as name:
        Path(name).chmod(0o755)
        yield Path(name)


@contextlib.contextmanager
def small_server(engine: str, rights: str = "PROCESS") -> Iterator[Server]:
    """A fresh one that acknowledges a commit when it reached the kernel.

    `rights` is what our account may do everywhere. It lies in memory.
    """
    with open_folder(MEMORY) as folder:
        spec = spec_in(folder, engine)
        datadir.create(spec)
        statements = folder / "rights.sql"
        statements.write_text(f"GRANT {rights} ON *.* TO `{account.user()}`@localhost;\n")
        told = {**spec.settings, "init_file": str(statements)}
        with running(replace(spec, settings=told)) as server:
            yield server


def spec_in(folder: Path, engine: str, mode: str = "flush") -> Spec:
    """A small server in `folder`."""
    settings = {**SMALL[engine], **durability(engine, mode)}
    return Spec("test", engine, folder / "home", folder / "data", folder / "wal", settings)


def sql(server: Server, statements: str, *words: str) -> str:
    """Run statements as our account; returns columns by tabs, rows by lines, no heading.

    `words` are further options of the client.
    """
    where = [f"--socket={server.socket}", f"--user={server.user}"]
    argv = ["mariadb", "--no-defaults", _UTF8, "--skip-column-names", *where, *words]
    return proc.run([*argv, "--execute", statements, datadir.DATABASE])


def gone(pid: int) -> bool:
    """Whether the process ended, waiting for it as long as a slow machine may need."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for _ in range(1000):
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
            time.sleep(0.01)
        return False
    return True


def main(argv: list[str]) -> int:
    if len(argv) < 3 or argv[1] != "--":
        print("usage: with_server.py myrocks|innodb -- COMMAND...", file=sys.stderr)
        return 2
    with small_server(argv[0], "ALL PRIVILEGES") as server:
        names = {"WALTAX_SERVER_SOCKET": str(server.socket), "WALTAX_SERVER_ENGINE": argv[0]}
        done = subprocess.run(argv[2:], env={**os.environ, **names}, check=False)
        server.require_alive()
        return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
