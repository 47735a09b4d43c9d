"""TPC-C killed at random moments, recovered and checked. `python -m waltax.bench crash [KILLS]`

Durability `sync`: after every kill -9 all consistency conditions hold, and every New-Order
that the driver acknowledged is there (clause 3.5.4 of TPC-C asks the same of a failed system).
The last kill is the counter-proof: with the WAL kept back in the process
(manual_wal_flush), acknowledged orders must be missing, and the check must say so.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from ... import proc
from ...driver.argv import Parameters, check_argv
from ...owned import removal
from ..homes import tpcc as tpcc_home

_SEED = 1
_WAREHOUSES = 4
_THREADS = 10
_LATEST_S = 12.0  # memtables are flushed and compacted many times by then


def main(arguments: list[str]) -> None:
    kills = int(arguments[0]) if arguments else 10
    draw = random.Random(_SEED)
    with tpcc_home.home("crash") as home:
        tpcc_home.fill(home, home / "loaded", _WAREHOUSES)
        for number in range(kills):
            after_s = draw.uniform(0.5, _LATEST_S)
            _expect(_crash(home, number, after_s, {"durability": "sync"}), survives=True)
        held_back: Parameters = {"durability": "flush", "manual_wal_flush": True}
        _expect(_crash(home, kills, 3.0, held_back), survives=False)


def _crash(home: Path, number: int, after_s: float, how: Parameters) -> dict[str, Any]:
    """Run on a copy, kill, recover, check: the check's event, with what was acknowledged."""
    db, wal, acks = home / "db", home / "wal", home / "acks"
    for old in (db, wal):
        removal.tree(old)
    acks.unlink(missing_ok=True)
    shutil.copytree(home / "loaded", db)
    wal.mkdir()
    parameters: Parameters = {**how, "ack_log": str(acks)}
    driver, _ = tpcc_home.start(
        home, db, wal, threads=_THREADS, seed=_SEED + number, parameters=parameters
    )
    driver.send(cmd="run", warmup_s=0, measure_s=600)
    time.sleep(after_s)
    if psutil.Process(driver.pid).status() == psutil.STATUS_ZOMBIE:
        raise SystemExit(f"kill {number}: the driver had died before")
    driver.kill()
    words = check_argv(proc.program("tpcc"), db, wal, threads=2, parameters={"acks": str(acks)})
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if not done.stdout:
        raise SystemExit(f"the check could not be carried out: {done.stderr}")
    event: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {**event, "after_s": after_s, "acks": len(acks.read_text().splitlines()), "how": how}


def _expect(event: dict[str, Any], *, survives: bool) -> None:
    what = "all there, all conditions hold" if event["ok"] else event["violations"][0]
    print(
        f"{event['how']}: killed after {event['after_s']:.1f} s, "
        f"{event['acks']:,} New-Orders acknowledged: {what}",
        flush=True,
    )
    if event["ok"] != survives or event["acks"] == 0:
        raise SystemExit("that is not what was to be shown")


if __name__ == "__main__":
    main(sys.argv[1:])
