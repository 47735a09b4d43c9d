"""Run a server that only serves, or watch a user's program, outside any campaign."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import replace
from pathlib import Path

from .. import profiles
from ..base.folders.places import require_writable
from ..devices.tap_page import TapCounters, percentile
from ..engines import ENGINES
from ..engines.server import datadir
from ..engines.server.datadir import DATABASE
from ..engines.server.settings import durability
from ..engines.server.spec import Spec
from . import plan
from .campaign import Campaign, Recipe, now, resolved
from .cells.data_set import DATADIR
from .cells.live import Say, ServerNode
from .cells.placed_server import placed_server, require_told
from .cells.program import folder
from .cells.program import watch as watching
from .cells.program.watch import Watched
from .cells.setting import Setting
from .cells.signals import Signals
from .local import holding
from .recipe import axes
from .recipe.parts import Command
from .workspace import workspace

_WORKLOAD = "serve"  # the word that stands for it where nothing is measured
_KIB = 1 << 10
_TURN_S = 0.2  # after which a signal, or the server's end, is seen


def watch(command: Command, data_root: Path) -> Watched:
    """Return what a run does to files, if there is room for it. Errors: as `watching.watch`."""
    require_writable("--data-dir", data_root)
    plan.require_disk("--data-dir", data_root, folder.size_mib(command.data))
    return watching.watch(command, data_root)


def planned(recipe: Recipe, results: Path, data_root: Path) -> Campaign:
    """Return a campaign with the one cell of a server that only serves and is never measured.

    `recipe` has one device. Errors: UsageError for a device, a mode or a directory that is not
    available.
    """
    profile = profiles.load(recipe.profile, recipe.engine)
    mode = recipe.durability or "sync"
    recipe = replace(recipe.at(threads=("1",)), workloads=(_WORKLOAD,), durability=mode)
    name = "-".join((now(), _WORKLOAD, recipe.engine, profile.name))
    campaign = resolved(name, recipe, profile, results, data_root)
    campaign = replace(campaign, cells=campaign.cells[-1:])
    require_told(campaign.of_workload(_WORKLOAD))
    return campaign


def serve(campaign: Campaign, signals: Signals, say: Say, *, share_machine: bool = False) -> int:
    """Serve the one cell of `planned`, without data, until a signal comes; return the exit code.

    Say how to connect, and at the end what the log did. Nothing of it is kept. Errors: WaltaxError
    with the error log's last words when the server does not start or dies.
    """
    (cell,) = campaign.cells
    profile = campaign.profile
    with contextlib.ExitStack() as stack:
        stack.enter_context(holding(campaign, say, share=share_machine))
        home = stack.enter_context(workspace(campaign))
        with signals.finishing("the data"):
            data_set = _empty(home)
        if not signals.came():
            kept = home.folders.disk / "kept"
            kept.mkdir()
            setting = home.setting(cell, data_set, 0)
            setting = replace(setting, folders=replace(setting.folders, kept=kept))
            setting = axes.at_work(home, setting)
            with placed_server(setting, profile.server) as placed:
                for line in _introduction(setting, placed):
                    say(line)
                before = placed.page.snapshot()  # a start and a stop write records of their own
                while not signals.came():
                    time.sleep(_TURN_S)
                    placed.server.require_alive()
                say(f"the log: {_account(placed.page.snapshot().minus(before))}")
                say("stopping the server")
                placed.server.shutdown()
    return signals.exit_code


def _empty(campaign: Campaign) -> Path:
    """Make the data directory that the server has a clone of."""
    engine, home = campaign.recipe.engine, campaign.folders.disk / "empty"
    settings = {**campaign.profile.server, **durability(engine, "flush")}
    spec = Spec("empty", engine, home, home / DATADIR, wal_dir=None, settings=settings)
    datadir.create(spec)
    return spec.datadir


def _introduction(setting: Setting, placed: ServerNode) -> list[str]:
    """Return what a user must know to use the server and to end it."""
    server, engine = placed.server, setting.cell.engine
    client = f"--mysql-socket={server.socket} --mysql-user={server.user}"
    storage = ENGINES[engine].served.storage
    return [
        f"serving {engine} {server.engine_version()} on {_place(setting, placed)}",
        f"socket    {server.socket}",
        f"user      {server.user} (no password: the system's user {server.user}, and nobody else)",
        f"database  {DATABASE}",
        *([f"binlog    in {server.spec.binlog_dir}"] if server.spec.binlog_dir else []),
        f"server    pid {server.pid}, data in {placed.datadirs[0]}, messages in {server.error_log}",
        f"client    mariadb -S {server.socket} -u {server.user} {DATABASE}",
        f"sysbench  sysbench {client} --mysql-db={DATABASE} "
        f"--mysql-storage-engine={storage} oltp_write_only prepare",
        f"stop      Ctrl-C, or: kill {os.getpid()}",
    ]


def _place(setting: Setting, placed: ServerNode) -> str:
    cell = setting.cell
    if cell.durability == "off":
        return f"{cell.device}: no log is written"
    emulated = " (emulated)" if setting.placement.emulated else ""
    return f"{cell.device}{emulated}, {cell.durability}, log in {placed.wal_dir}"


def _account(seen: TapCounters) -> str:
    """Say what the tap saw of the log."""
    count = seen.write_bytes
    size = f"{count:,} bytes" if count < 10 * _KIB else f"{count / _KIB:,.0f} KiB"
    written = f"{size} in {seen.writes:,} writes"
    p50, p99 = (percentile(seen.sync_achieved, q) for q in (50, 99))
    if p50 is None or p99 is None:
        return f"{written}, no sync"
    return f"{written}, {seen.syncs:,} syncs, p50 {p50:,.1f} us, p99 {p99:,.1f} us"
