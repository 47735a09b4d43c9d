"""Command lines of the driver programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

Scalar = str | int | float | bool

Parameters = Mapping[str, Scalar]
"""Flags of a driver without dashes, with `_` for `-`: {"maxid1": 100001}."""
Beside = Sequence[tuple[Path, Path]]
"""Of shards, the database and the log's directory of each node after the first."""


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
    beside: Beside = (),
) -> list[str]:
    """Return the command line of a driver that runs requests on the data set in `db_dir`."""
    head = [str(binary), "run", *_places([(db_dir, wal_dir), *beside])]
    return [*head, f"--threads={threads}", f"--seed={seed}", *_flags(parameters)]


def check_argv(
    binary: Path,
    db_dir: Path,
    wal_dir: Path,
    *,
    threads: int,
    parameters: Parameters,
    beside: Beside = (),
) -> list[str]:
    """Return the command line that checks the data in `db_dir`, with a load's `parameters`."""
    head = [str(binary), "check", *_places([(db_dir, wal_dir), *beside])]
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
    beside: Sequence[Path] = (),
) -> list[str]:
    """Return the command line of a driver whose engine is a server's, at its `socket`.

    `beside` are the sockets of the other nodes of shards, in their order. A check has no `seed`,
    and takes a load's `parameters`.
    """
    sockets = [f"--socket={path}" for path in (socket, *beside)]
    head = [str(binary), command, f"--store={engine}", *sockets]
    seeds = [] if seed is None else [f"--seed={seed}"]
    return [*head, f"--threads={threads}", *seeds, *_flags(parameters)]


def _places(places: Beside) -> list[str]:
    return [word for db, wal in places for word in (f"--db={db}", f"--wal-dir={wal}")]


def elsewhere_argv(
    binary: Path, command: Literal["load", "run", "check"], parameters: Parameters
) -> list[str]:
    """Return the command line of a driver at a server that somebody else runs."""
    return [str(binary), command, *_flags(parameters)]


def _flags(parameters: Parameters) -> list[str]:
    """Return flags as `--name=value`, so that a value with a dash is not read as a flag."""
    return [_flag(name.replace("_", "-"), value) for name, value in parameters.items()]


def _flag(name: str, value: Scalar) -> str:
    if isinstance(value, bool):
        return f"--{name}" if value else f"--no-{name}"
    return f"--{name}={value}"
