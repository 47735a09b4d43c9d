"""CPU time of a request on a MyRocks server, client and server, beside the real tools'.

`python -m waltax.bench.server_cpu [SECONDS]`: ten clients, every commit synced, the WAL in memory,
so that nothing but work is counted. Only CPU time is: wall time depends on what else runs.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from .. import profiles
from ..devices.memory import SHM
from ..driver.client import Event
from ..mariadb.server import running
from ..terminal import Terminal
from . import server_home
from .server_home import Setup

_CLIENTS = 10
_WARMUP_S = 3.0
_SEED = 1


@dataclass(frozen=True)
class _Cost:
    """Microseconds of CPU time per unit of work."""

    client: float
    server: float


@dataclass(frozen=True)
class _Study:
    """A workload, its unit of work, and what the real tool needs for one.

    The tools' figures were taken on a machine of the kind this was written on: the same server
    release, ten clients, the WAL in memory and synced. They connect over TCP, ours over a socket.
    """

    workload: str
    unit: str
    tool: str
    theirs: _Cost
    about: bool = False  # whether theirs is the middle of a range


_STUDIES = (
    _Study("linkbench", "request", "LinkBench (Java)", _Cost(38.0, 92.0)),
    # 4.7 to 5.2 ms a New-Order with its share of the other transactions, about a quarter of it in
    # the client: the middle of that range, split so, and no measurement of either part.
    _Study("tpcc", "New-Order and its mix", "tpcc-mysql", _Cost(1240.0, 3710.0), about=True),
)


def main(arguments: list[str]) -> None:
    seconds = float(arguments[0]) if arguments else 20.0
    table = Table(
        *("workload", "unit of work", "", "client us", "server us", "both us", "client %"),
        box=None,
    )
    for study in _STUDIES:
        with server_home.home("cpu") as home, server_home.home("cpu", SHM) as memory:
            ours = _measured(home, memory, study, seconds)
        theirs = study.theirs
        table.add_row(study.workload, study.unit, "ours", *_figures(ours))
        table.add_row("", "", study.tool, *_figures(theirs, "about " if study.about else ""))
        ratios = (
            ours.client / theirs.client,
            ours.server / theirs.server,
            (ours.client + ours.server) / (theirs.client + theirs.server),
        )
        about = "about " if study.about else ""
        table.add_row("", "", "ours / theirs", *(f"{about}{ratio:.2f}" for ratio in ratios))
    Terminal(width=120).print(table)


def _measured(home: Path, memory: Path, study: _Study, seconds: float) -> _Cost:
    """Over a whole slice, warm-up included: CPU times and counts both span it."""
    profile = profiles.load("quick", "myrocks")
    workload = profile.workload(study.workload)
    settings = profile.server_settings(study.workload)
    setup = Setup("myrocks", study.workload, settings, workload.load, workload.run)
    loaded = server_home.fill(home, setup)
    spec = server_home.fresh(home, setup, loaded, "sync", memory / "wal")
    with running(spec) as server:
        driver = server_home.start(home, setup, server, threads=_CLIENTS, seed=_SEED, parameters={})
        before = sum(server.cpu_s())
        times = {"warmup_s": _WARMUP_S, "measure_s": seconds}
        event = driver.ask("slice", within_s=sum(times.values()), cmd="run", **times)
        server_s = sum(server.cpu_s()) - before
        driver.close()
        server.shutdown()
    units = _units(study, event)
    client_s = event["cpu_user_s"] + event["cpu_system_s"]
    return _Cost(1e6 * client_s / units, 1e6 * server_s / units)


def _units(study: _Study, event: Event) -> int:
    if study.workload == "tpcc":
        return sum(thread["counters"]["new_orders_committed"] for thread in event["threads"])
    return int(event["slice_requests"])


def _figures(cost: _Cost, about: str = "") -> list[str]:
    both, digits = cost.client + cost.server, 0 if about else 1
    return [
        *(f"{about}{value:,.{digits}f}" for value in (cost.client, cost.server, both)),
        f"{about}{100 * cost.client / both:.0f}",
    ]


if __name__ == "__main__":
    main(sys.argv[1:])
