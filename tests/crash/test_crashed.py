"""A driver that is killed when its log is long enough; here by somebody else, before."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from waltax.base import proc
from waltax.base.errors import WaltaxError
from waltax.crash.recovery import kill
from waltax.crash.runs.engine import Engine
from waltax.driver.argv import command_line
from waltax.driver.client import Driver


def _kill_the_runner(room: Path) -> None:
    """Once it serves: its log grows."""
    while sum(log.stat().st_size for log in room.glob("wal/*.log")) < 100_000:
        time.sleep(0.05)
    for one in Path("/proc").iterdir():
        if one.name.isdigit() and f"--db={room}/db" in _command_line(one):
            os.kill(int(one.name), signal.SIGKILL)


def _command_line(process: Path) -> list[str]:
    try:
        return (process / "cmdline").read_text().split("\0")
    except OSError:
        return []


def test_a_driver_that_dies_before_its_log_is_long_enough_is_noticed(tmp_path: Path) -> None:
    db, room = tmp_path / "loaded", tmp_path / "run"
    argv = command_line(proc.program("tpcc"), "load", {"db": db, "threads": 2, "warehouses": 1})
    loader = Driver("load", argv)
    loader.wait_for("loaded")
    loader.close()
    room.mkdir()
    engine = Engine("tpcc", {"warehouses": 1})
    killer = threading.Thread(target=_kill_the_runner, args=(room,))
    killer.start()
    with pytest.raises(WaltaxError, match=r"the driver died \(killed by SIGKILL"):
        kill.crash(engine, db, room, 1 << 40, threads=2, seed=1)
    killer.join()
