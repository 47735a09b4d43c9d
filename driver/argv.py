"""Command lines of the driver programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

Scalar = str | int | float | bool

Parameters = Mapping[str, Scalar]
"""Flags of a driver without dashes, with `_` for `-`: {"maxid1": 100001}."""


def load_argv(
    binary: Path, db_dir: Path, *, threads: int, seed: int, parameters: Parameters
) -> list[str]:
    """Return the command line that writes a data set into `db_dir`."""
    head = [str(binary), "load", f"--db={db_dir}"]
    return [*head, f"--threads={threads}", f"--seed={seed}", *_flags(parameters)]


def run_argv(
    binary: Path,
    db_dir: Path,
    wal_dir: Path,
    *,
    threads: int,
    seed: int,
    parameters: Parameters,
) -> list[str]:
    """Return the command line of a driver that runs requests on the data set in `db_dir`."""
    head = [str(binary), "run", f"--db={db_dir}", f"--wal-dir={wal_dir}"]
    return [*head, f"--threads={threads}", f"--seed={seed}", *_flags(parameters)]


def check_argv(
    binary: Path, db_dir: Path, wal_dir: Path, *, threads: int, parameters: Parameters
) -> list[str]:
    """Return the command line that checks the data in `db_dir`, with a load's `parameters`."""
    head = [str(binary), "check", f"--db={db_dir}", f"--wal-dir={wal_dir}"]
    return [*head, f"--threads={threads}", *_flags(parameters)]


def server_argv(
    binary: Path,
    command: Literal["load", "run", "check"],
    engine: str,
    socket: Path,
    *,
    threads: int,
    seed: int | None = None,
    parameters: Parameters,
) -> list[str]:
    """Return the command line of a driver whose engine is a server's, at its `socket`.

    A check has no `seed`, and takes a load's `parameters`.
    """
    head = [str(binary), command, f"--store={engine}", f"--socket={socket}"]
    seeds = [] if seed is None else [f"--seed={seed}"]
    return [*head, f"--threads={threads}", *seeds, *_flags(parameters)]


def _flags(parameters: Parameters) -> list[str]:
    """Return each as `--name=value`, which keeps a value with a dash apart from a flag."""
    return [_flag(name.replace("_", "-"), value) for name, value in parameters.items()]


def _flag(name: str, value: Scalar) -> str:
    if isinstance(value, bool):
        return f"--{name}" if value else f"--no-{name}"
    return f"--{name}={value}"
