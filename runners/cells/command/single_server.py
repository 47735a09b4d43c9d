"""Run one server that serves until a signal ends it."""

from __future__ import annotations

import os
import time

from ....base.printable import minutes
from ....cell import Cell
from ....devices.resolve import Placement
from ....devices.tap_page import TapCounters, percentile
from ....engines import ENGINES, Settings
from ....engines.server.datadir import DATABASE
from ..life import Say
from ..placed_server import Placed, placed_server
from ..setting import Setting
from ..signals import Signals

_KIB = 1 << 10


def serve(setting: Setting, settings: Settings, signals: Signals, every_s: float, say: Say) -> int:
    """Serve until a signal comes, and return the exit code that this gives.

    `settings` are the server's. Say how to connect, every `every_s` what the log did since, and all
    of that at the end. Errors: WaltaxError with the error log's last words when the server does not
    start or dies.
    """
    with placed_server(setting, settings) as placed:
        for line in introduction(setting.cell, setting.placement, placed, os.getpid()):
            say(line)
        before = placed.page.snapshot()  # a start and a stop write a few records of their own
        _wait(placed, before, signals, every_s, say)
        say(f"the log: {account(placed.page.snapshot().minus(before))}")
        say("stopping the server")
        placed.server.shutdown()
    return signals.exit_code


def introduction(cell: Cell, placement: Placement, placed: Placed, our_pid: int) -> list[str]:
    """Return what a user must know to use the server and to end it."""
    server = placed.server
    client = f"--mysql-socket={server.socket} --mysql-user={server.user}"
    storage = ENGINES[cell.engine].served.storage
    return [
        f"serving {cell.engine} {server.engine_version()} on {_place(cell, placement, placed)}",
        f"socket    {server.socket}",
        f"user      {server.user} (no password: the system's user {server.user}, and nobody else)",
        f"database  {DATABASE}",
        *([f"binlog    in {server.spec.binlog_dir}"] if server.spec.binlog_dir else []),
        f"server    pid {server.pid}, data in {placed.datadir}, messages in {server.error_log}",
        f"client    mariadb -S {server.socket} -u {server.user} {DATABASE}",
        f"sysbench  sysbench {client} --mysql-db={DATABASE} "
        f"--mysql-storage-engine={storage} oltp_write_only prepare",
        f"stop      Ctrl-C, or: kill {our_pid}",
    ]


def _place(cell: Cell, placement: Placement, placed: Placed) -> str:
    if cell.durability == "off":
        return f"{cell.device}: no log is written"
    emulated = " (emulated)" if placement.emulated else ""
    return f"{cell.device}{emulated}, {cell.durability}, log in {placed.wal_dir}"


def _wait(placed: Placed, last: TapCounters, signals: Signals, every_s: float, say: Say) -> None:
    began = time.monotonic()
    while signals.first is None:
        signals.wait(placed.server.pid, every_s)
        placed.server.require_alive()
        now = placed.page.snapshot()
        if signals.first is None and (now.writes, now.syncs) != (last.writes, last.syncs):
            say(f"[{minutes(time.monotonic() - began)}] {account(now.minus(last))}")
            last = now


def account(seen: TapCounters) -> str:
    """Say what the tap saw of the log."""
    written = f"{_size(seen.write_bytes)} in {seen.writes:,} writes"
    p50, p99 = (percentile(seen.sync_achieved, q) for q in (50, 99))
    if p50 is None or p99 is None:
        return f"{written}, no sync"
    return f"{written}, {seen.syncs:,} syncs, p50 {p50:,.1f} us, p99 {p99:,.1f} us"


def _size(count: int) -> str:
    return f"{count:,} bytes" if count < 10 * _KIB else f"{count / _KIB:,.0f} KiB"
