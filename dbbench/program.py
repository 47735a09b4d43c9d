"""Finding db_bench, and which release of RocksDB it is."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .. import proc
from ..errors import UsageError, WaltaxError

KNOWN = (7, 11)
"""Major releases whose output is known, the first and the last."""

_VERSION = re.compile(r"^db_bench version (\d+)\.(\d+)\.(\d+)$", re.MULTILINE)
# Below a RocksDB tree or an installation of one, by make or by CMake.
_BELOW_ROOT = ("db_bench", "bin/db_bench", "build/db_bench", "build/tools/db_bench")


@dataclass(frozen=True)
class Program:
    """The program, and RocksDB's release, "7.8.3"."""

    path: Path
    version: str


def find() -> Program:
    """The one below $ROCKSDB_ROOT, which the drivers were built against, else the one of PATH.

    Errors: UsageError when $ROCKSDB_ROOT has none: another release would not be compared with
    itself; WaltaxError when PATH has none, or it is of a release that nobody has looked at.
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
    found = shutil.which("db_bench")
    if found is None:
        raise WaltaxError("db_bench: not found; install Debian's rocksdb-tools (make setup does)")
    return Path(found)


@cache
def _described(path: Path) -> Program:
    said = proc.run([path, "--version"], check=False, timeout_s=60)
    found = _VERSION.search(said)
    if found is None:
        words = said.strip().splitlines()[:1] or ["nothing"]
        raise WaltaxError(f"{path}: asked for its version it said {words[0]!r}: no db_bench")
    version = ".".join(found.groups())
    if not KNOWN[0] <= int(found[1]) <= KNOWN[1]:
        raise WaltaxError(
            f"{path}: found db_bench of RocksDB {version}; releases {KNOWN[0]}.x to {KNOWN[1]}.x "
            "are known: install one, or name its tree with ROCKSDB_ROOT"
        )
    return Program(path, version)
