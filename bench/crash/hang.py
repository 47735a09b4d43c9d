"""LinkBench on a MyRocks server that nobody tuned. `python -m waltax.bench hang [--minutes N]`

At stock settings the original hangs within seconds: its statements on links take row locks
through a secondary index, and it retries inside the transaction that failed, for ever. Ours must
go on: with 10 and with 50 clients every interval of 30 s has requests, none ends in an error, and
retries are counted.

All that sizes MyRocks is as MariaDB ships it: caches, memtables, compaction, locks and their
timeouts. What is not stock is what every server of ours is told (`mariadb/settings.py`): READ
COMMITTED for REPEATABLE READ, InnoDB off, no binlog, no performance schema, no query cache, no
port, latin1, 1000 connections, small caches of MyISAM's and Aria's; and `sync` turns
rocksdb_manual_wal_flush off, which changes nothing where each commit is synced.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
from rich.table import Table

from ...driver.client import Driver, Event
from ...mariadb.server import running
from ...terminal import Terminal
from ..homes import server as server_home
from ..homes.server import Setup

_IDS = 100_001
_CAP = 25_000
_CLIENTS = (10, 50)
_INTERVAL_S = 30.0
_SEED = 1


@dataclass(frozen=True)
class _Interval:
    requests: int
    errors: int
    retries: int
    per_s: float


@click.command()
@click.option("--minutes", type=click.FloatRange(0.01), default=10.0, show_default=True)
@click.option("--interval", "interval_s", type=float, default=_INTERVAL_S, show_default=True)
def main(minutes: float, interval_s: float) -> None:
    """Fails when any interval has no progress or an error."""
    # No profile: what is told to every server, and nothing else.
    setup = Setup("myrocks", "linkbench", {}, {"maxid1": _IDS, "degree_cap": _CAP})
    console = Terminal(width=120)
    with server_home.home("hang") as home:
        loaded = server_home.fill(home, setup)
        for clients in _CLIENTS:
            count = max(1, round(60 * minutes / interval_s))
            found = _intervals(home, setup, loaded, clients, count, interval_s)
            console.print(_table(clients, interval_s, found))


def _intervals(
    home: Path, setup: Setup, loaded: Path, clients: int, count: int, interval_s: float
) -> list[_Interval]:
    """One process and one server all the time. Errors: SystemExit as `main` says."""
    spec = server_home.fresh(home, setup, loaded, "sync")
    found = []
    with running(spec) as server:
        driver = server_home.start(home, setup, server, threads=clients, seed=_SEED, parameters={})
        for number in range(count):
            found.append(_interval(driver, interval_s))
            if found[-1].requests == 0:
                raise SystemExit(f"{clients} clients: no progress in interval {number + 1}")
            if found[-1].errors:
                what = f"{found[-1].errors} requests of interval {number + 1} ended in an error"
                raise SystemExit(f"{clients} clients: {what}")
        driver.close()
        event = server_home.check(home, setup, server, {})
        server.shutdown()
    if not event["ok"]:
        raise SystemExit(f"{clients} clients: the check found: {event['violations'][0]}")
    return found


def _interval(driver: Driver, interval_s: float) -> _Interval:
    event: Event = driver.ask(
        "slice", within_s=interval_s, cmd="run", warmup_s=0, measure_s=interval_s
    )
    return _Interval(event["requests"], event["errors"], event["retries"], event["throughput"])


def _table(clients: int, interval_s: float, found: list[_Interval]) -> Table:
    title = f"{clients} clients, {len(found)} intervals of {interval_s:g} s, no profile, sync"
    table = Table("interval", "requests/s", "requests", "errors", "retries", title=title, box=None)
    for number, one in enumerate(found, 1):
        table.add_row(str(number), *_figures(one.per_s, one.requests, one.errors, one.retries))
    per_s = [one.per_s for one in found]
    table.add_row("lowest", *_figures(min(per_s)))
    requests, errors = sum(one.requests for one in found), sum(one.errors for one in found)
    retries = sum(one.retries for one in found)
    table.add_row("all", *_figures(sum(per_s) / len(per_s), requests, errors, retries))
    return table


def _figures(*numbers: float) -> list[str]:
    return [f"{number:,.0f}" for number in numbers]


if __name__ == "__main__":
    main()
