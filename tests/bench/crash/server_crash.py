"""TPC-C on a MyRocks server that is killed at random moments.

`python -m bench server_crash [KILLS [KILLS_OF_OTHER_MODES]]`: kill -9 of the server, then
a new one on the same data and WAL directory. In `sync` all consistency conditions hold and every
New-Order that a client was told of is there (clause 3.5.4 of TPC-C). In the other modes what is
lost is counted. A killed process loses nothing that it had given to the kernel: what `flush`
loses with the machine's power is not shown here.
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

from rich.table import Table
from waltax import profiles
from waltax.base.errors import WaltaxError
from waltax.base.terminal import Terminal
from waltax.engines.server.server import Server, ServerDied, running
from waltax.engines.server.spec import Spec

from ..homes import server as server_home
from ..homes.server import Setup

_SEED = 1
_WAREHOUSES = 2
_THREADS = 10
_EARLIEST_S, _LATEST_S = 0.5, 10.0
_OTHERS = ("flush", "delayed", "off")
_LAST_LOADED = 3000  # orders of a district (clause 4.3.3.1)

Order = tuple[int, ...]  # warehouse, district, number, customer


@dataclass(frozen=True)
class _Crash:
    """One kill. `problem` is what is wrong with what was recovered, or None.

    `lost` is None when no server started on what was left: then all of it is out of reach, and
    none of it was looked for.
    """

    after_s: float
    acked: int
    lost: int | None
    problem: str | None


def main(arguments: list[str]) -> None:
    kills = int(arguments[0]) if arguments else 20
    others = int(arguments[1]) if len(arguments) > 1 else kills
    draw = random.Random(_SEED)
    table = Table(
        *("mode", "kills", "no restart", "acknowledged", "lost", "lost s of work, most"),
        "conditions hold",
        box=None,
    )
    profile = profiles.load("quick", "myrocks")
    setup = Setup("myrocks", "tpcc", profile.server_settings("tpcc"), {"warehouses": _WAREHOUSES})
    with server_home.home("server-crash") as home:
        loaded = server_home.fill(home, setup)
        found: dict[str, list[_Crash]] = {}
        for mode, count in (("sync", kills), *((mode, others) for mode in _OTHERS)):
            moments = [draw.uniform(_EARLIEST_S, _LATEST_S) for _ in range(count)]
            found[mode] = [
                _crash(home, setup, loaded, mode, number, after_s)
                for number, after_s in enumerate(moments)
            ]
            if count:
                table.add_row(*_figures(mode, found[mode]))
    Terminal(width=120).print(table)
    _require_nothing_lost(found["sync"])


def _crash(
    home: Path, setup: Setup, loaded: Path, mode: str, number: int, after_s: float
) -> _Crash:
    """Run on a clone, kill the server, start another one on what is left, look."""
    acks = home / "acks"
    acks.unlink(missing_ok=True)
    spec = server_home.fresh(home, setup, loaded, mode)
    with running(spec) as server:
        driver = server_home.start(
            home,
            setup,
            server,
            threads=_THREADS,
            seed=_SEED + number,
            parameters={"ack_log": str(acks)},
        )
        driver.send(cmd="run", warmup_s=0, measure_s=600)
        time.sleep(after_s)
        server.require_alive()
        server.kill()
        driver.kill()
    acked = _acknowledged(acks)
    try:
        recovered = _recovered(
            home, setup, _to_recover(spec, mode), acks if mode == "sync" else None
        )
    except ServerDied as error:
        crash = _Crash(after_s, len(acked), None, str(error))
    else:
        orders, problem = recovered
        crash = _Crash(after_s, len(acked), len(acked - orders), problem)
    _tell(mode, crash)
    return crash


def _recovered(
    home: Path, setup: Setup, spec: Spec, acks: Path | None
) -> tuple[set[Order], str | None]:
    """The orders that a new server finds, and what is wrong with its data.

    Errors: ServerDied when it does not start, or dies before it has told its orders.
    """
    expect = {} if acks is None else {"acks": str(acks)}
    with running(spec) as server:
        try:
            orders = _orders(server)
        except WaltaxError:
            server.require_alive()
            raise
        try:
            event = server_home.check(home, setup, server, expect)
            server.shutdown()
        except WaltaxError as error:
            return orders, str(error)
    return orders, None if event["ok"] else event["violations"][0]


def _to_recover(spec: Spec, mode: str) -> Spec:
    """As in a campaign, but that `delayed` may end in half a record: its buffer went out in part.

    By default MyRocks refuses to start on that (rocksdb_wal_recovery_mode 1); 2 drops the record.
    """
    if mode != "delayed":
        return spec
    return replace(spec, settings={**spec.settings, "rocksdb_wal_recovery_mode": 2})


def _acknowledged(acks: Path) -> set[Order]:
    """A line without its end was being written when the driver was killed."""
    lines = acks.read_text().split("\n")[:-1]
    return {tuple(map(int, line.split())) for line in lines}


def _orders(server: Server) -> set[Order]:
    """The orders of the database that were not loaded, asked of the server itself."""
    columns = "o_w_id, o_d_id, o_id, o_c_id"
    sql = f"SELECT {columns} FROM orders WHERE o_id > {_LAST_LOADED}"
    return {tuple(map(int, row)) for row in server_home.ask(server, sql)}


def _tell(mode: str, crash: _Crash) -> None:
    what = crash.problem or "all conditions hold"
    lost = "none looked for" if crash.lost is None else f"{crash.lost:,} lost"
    print(
        f"{mode}: killed after {crash.after_s:.1f} s, {crash.acked:,} New-Orders acknowledged, "
        f"{lost}; {what}",
        flush=True,
    )


def _figures(mode: str, crashes: list[_Crash]) -> list[str]:
    """What was acknowledged and lost is of the kills after which a server started again."""
    told = [(one.acked, one.lost, one.after_s) for one in crashes if one.lost is not None]
    acked, lost = sum(one[0] for one in told), sum(one[1] for one in told)
    work_s = [missing * after_s / done for done, missing, after_s in told if done]
    sound = sum(one.problem is None for one in crashes)
    return [
        mode,
        f"{len(crashes)}",
        f"{len(crashes) - len(told)}",
        f"{acked:,}",
        f"{lost:,} ({100 * lost / acked:.2f} %)" if acked else "-",
        f"{max(work_s):.2f}" if work_s else "-",
        f"{sound} of {len(crashes)}",
    ]


def _require_nothing_lost(crashes: list[_Crash]) -> None:
    for number, one in enumerate(crashes):
        if one.problem is not None or one.lost != 0 or not one.acked:
            raise SystemExit(f"sync, kill {number}: that is not what was to be shown: {one}")


if __name__ == "__main__":
    main(sys.argv[1:])
