"""Find db_bench, say which release of RocksDB it is, and run it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ....base import proc
from ....base.errors import UsageError, WaltaxError
from ..program import shell
from ..program.shell import Finished

KNOWN = ((7, 8), (11, 8))
"""The first and the last release whose flags, output, counters and options are known.

7.8.3, 9.10.0 and 11.8.1 were run. The sources of every minor release between them were read: all
print and count alike what is read here. Before 7.6 flags and figures are missing.
"""

_FIRST, _LAST = (".".join(map(str, release)) for release in KNOWN)
_INSTEAD = (
    f"db_bench of releases {_FIRST} to {_LAST} is known: name the tree of one with ROCKSDB_ROOT, "
    "or unset that and install Debian's rocksdb-tools"
)
_VERSION = re.compile(r"^db_bench version (\d+)\.(\d+)\.(\d+)$", re.MULTILINE)
# Places below a RocksDB tree or an installation of one, by make or by CMake.
_BELOW_ROOT = ("db_bench", "bin/db_bench", "build/db_bench", "build/tools/db_bench")


@dataclass(frozen=True)
class Program:
    """The program, and RocksDB's release, such as "7.8.3"."""

    path: Path
    version: str


def run(line: str, env: Mapping[str, str], log: Path, within_s: float, cwd: Path) -> Finished:
    """Run a command line of db_bench to its end. Errors: WaltaxError as of `shell.run`."""
    return shell.run(
        f"exec {line}",
        env=env,
        timeout_s=within_s,
        log=log,
        flag="db_bench",
        limit="",
        cwd=cwd,
    )


def find() -> Program:
    """Find it below $ROCKSDB_ROOT, which the drivers were built against, or else in PATH.

    Errors: UsageError when $ROCKSDB_ROOT has none: another release would be compared with it;
    WaltaxError when PATH has none, or one of a release that nobody has examined.
    """
    return _described(_path(os.environ.get("ROCKSDB_ROOT", "")))


def _path(root: str) -> Path:
    if root:
        for below in _BELOW_ROOT:
            path = Path(root, below)
            if path.is_file():
                return path.absolute()
        raise UsageError(
            f"ROCKSDB_ROOT: {root} has no db_bench (looked for {', '.join(_BELOW_ROOT)}); build it "
            "there (make db_bench DEBUG_LEVEL=0), or take the other workloads"
        )
    on_path = shutil.which("db_bench")
    if on_path is None:
        raise WaltaxError("db_bench: not found; install Debian's rocksdb-tools")
    return Path(on_path)


@cache
def _described(path: Path) -> Program:
    said = proc.run([path, "--version"], check=False, timeout_s=60)
    match = _VERSION.search(said)
    if match is None:
        # A db_bench of RocksDB before 7.5 only says its name.
        words = said.strip().splitlines()[:1] or ["nothing"]
        raise WaltaxError(f"{path}: asked for its version it said {words[0]!r}; {_INSTEAD}")
    version = ".".join(match.groups())
    if not KNOWN[0] <= (int(match[1]), int(match[2])) <= KNOWN[1]:
        raise WaltaxError(f"{path}: found db_bench of RocksDB {version}; {_INSTEAD}")
    return Program(path, version)
