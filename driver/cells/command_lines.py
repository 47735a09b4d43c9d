"""The command lines of drivers that are cells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ... import workloads
from ...cell import TIMED
from ...engines import ENGINES
from ...harness.setting import Setting
from ...mariadb.server import Server
from ..argv import run_argv, server_argv
from . import loading


def of_engine(setting: Setting, told: Path, places: Sequence[tuple[Path, Path]]) -> list[str]:
    """Of a driver with the engine in it, by the OPTIONS file `told`; `places` are the database and
    the log's directory of each node.
    """
    cell, profile = setting.cell, setting.profile
    section = profile.workload(cell.workload)
    parameters = {
        **section.load,
        **workloads.WORKLOADS[cell.workload].run,
        **section.run,
        **profile.embedded.flags,
        "options_file": str(told),
        "block_cache_mb": profile.embedded.block_cache_mb,
        "durability": cell.durability,
        **({"perf_level": "time"} if cell.rung == TIMED else {}),
        **setting.shards.way,
    }
    return run_argv(
        loading.program(cell.workload, setting.build),
        *places[0],
        threads=cell.threads,
        seed=setting.seed,
        parameters=parameters,
        beside=places[1:],
    )


def of_client(setting: Setting, servers: Sequence[Server]) -> list[str]:
    """Of a driver that is a client of these servers, of which there is one for each node."""
    cell = setting.cell
    section = setting.profile.workload(cell.workload)
    first, *others = (server.socket for server in servers)
    return server_argv(
        loading.program(cell.workload),
        "run",
        ENGINES[cell.engine].store,
        first,
        threads=cell.threads,
        seed=setting.seed,
        parameters={
            **section.load,
            **workloads.WORKLOADS[cell.workload].run,
            **section.run,
            **setting.shards.way,
        },
        beside=others,
    )
