"""Many workers of dask in one process, whose sessions only send rows, at the pace of slices.

`python -m waltax.bench.hosts.crowd ADDRESS FIRST COUNT`, as `many_hosts` starts it.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from ...harness.live import Position
from ...hosts import agreement, tasks
from ...hosts.tasks import Order
from ...row import Row
from ...runners import record
from ...runners.campaign import Campaign

PACE_S = 0.8
"""From row to row of a session: 0.3 s of slice, and what a session of `ci` takes besides."""
ROW_BYTES = 12000
SETTLE_S = 2.0
"""Of a session, before its first row."""


@cache
def _planned(name: str, told: str) -> Campaign:
    with tasks.resolved(name, told, "") as campaign:
        return campaign


@cache
def _facts(name: str, told: str) -> dict[str, str]:
    return agreement.facts(_planned(name, told))


def greet(name: str, told: str, host: str) -> dict[str, Any]:
    """As `hosts.tasks.greet`, without looking at the machine."""
    cells = _planned(name, told).placements.items()
    placements = {cell: record.digest(placement) for cell, placement in cells}
    facts = _facts(name, told)
    return {
        **{"host": host, "agreement": facts, "real": [], "placements": placements},
        **{"doctor": [], "machine": {}},
    }


def session(order: list[Any]) -> None:
    """As `hosts.tasks.session`, with rows that nobody measured."""
    asked = Order(*order)
    line = tasks.Line(asked)
    line.tell("began")
    time.sleep(SETTLE_S)
    for number, taken in _rows(asked):
        time.sleep(PACE_S)
        if not line.wanted():
            break
        line.tell("row", text=json.dumps({**taken, "start_unix_s": time.time()}))
        if number:
            line.tell("round")
    line.tell("ended", why="")


def _rows(asked: Order) -> Iterator[tuple[bool, Row]]:
    """Each with whether it is the last of its round."""
    campaign = replace(_planned(asked.campaign, asked.told), host=asked.host)
    timing, draw = campaign.profile.timing, random.Random(f"{asked.topic}/{asked.number}")
    for number in range(timing.rounds_per_session):
        for cell in campaign.cells:
            at = Position(asked.number, number, 0)
            taken = record.identity(campaign, cell, at) | _figures(draw)
            taken |= {"warmup_s": timing.warmup_s, "measure_s": timing.measure_s}
            yield cell is campaign.cells[-1], taken


def _figures(draw: random.Random) -> Row:
    return {
        **{"status": "ok", "failure": None, "throughput": draw.lognormvariate(9.0, 0.3)},
        **{"throughput_unit": "requests/s", "latency_hdr": "x" * ROW_BYTES, "warnings": []},
    }


async def _work(address: str, first: int, count: int) -> None:
    from distributed import Worker

    workers = [
        Worker(
            address,
            nthreads=1,
            name=f"host-{number}",
            resources={"host": 1},
            memory_limit=0,
            dashboard=False,
            host="127.0.0.1",
        )
        for number in range(first, first + count)
    ]
    await asyncio.gather(*workers)
    await asyncio.gather(*(worker.finished() for worker in workers))


if __name__ == "__main__":
    asyncio.run(_work(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
