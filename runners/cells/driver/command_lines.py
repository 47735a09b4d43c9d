"""Build the command lines of drivers that are cells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .... import workloads
from ....cell import Cell
from ....driver.argv import Parameters, run_argv, server_argv
from ....engines import ENGINES, Shards
from ....profiles import Profile
from ....workload import Parameter
from . import loading


def of_engine(
    cell: Cell,
    profile: Profile,
    binary: Path,
    seed: int,
    options_file: Path,
    places: Sequence[tuple[Path, Path]],
    more: Parameters | None = None,
) -> list[str]:
    """Return the command line of a driver that embeds the engine, set by `options_file`. `places`
    are the database and the log's directory of each node; `more` are flags that axes give it.
    """
    parameters = {
        **_requests(cell, profile),
        **profile.embedded.flags,
        "options_file": str(options_file),
        "block_cache_mb": profile.embedded.block_cache_mb,
        "durability": cell.durability,
        **(more or {}),
        **Shards.of(cell.shards).way,
    }
    first, *others = places
    return run_argv(
        binary, *first, threads=cell.threads, seed=seed, parameters=parameters, beside=others
    )


def of_client(
    cell: Cell,
    profile: Profile,
    seed: int,
    sockets: Sequence[Path],
    more: Parameters | None = None,
) -> list[str]:
    """Return the command line of a driver that is a client of servers, one for each node."""
    return server_argv(
        loading.program(cell.workload),
        "run",
        ENGINES[cell.engine].store,
        sockets[0],
        threads=cell.threads,
        seed=seed,
        parameters={**_requests(cell, profile), **(more or {}), **Shards.of(cell.shards).way},
        beside=sockets[1:],
    )


def _requests(cell: Cell, profile: Profile) -> dict[str, Parameter]:
    section, record = profile.workload(cell.workload), workloads.WORKLOADS[cell.workload]
    return {**record.flags, **section.load, **section.run}
