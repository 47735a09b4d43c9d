"""Make the data directory that every server of a `waltax serve` is a clone of."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil

from ....base.errors import UsageError
from ....engines import ENGINES, Settings
from ....engines.server import account, datadir, private, server
from ....engines.server.settings import durability
from ....engines.server.spec import Spec
from ....profiles import Profile
from ....workloads import DEFAULT
from ....workloads.command.workload import EMPTY
from ...recipe.parts import MIB, Command
from ..campaign import Campaign
from ..driver import loading
from ..life import Say
from ..setting import Folders
from . import shell


def workload_of(data: str) -> str | None:
    """Return the workload whose data set `data` names; None for another word."""
    return data if data in DEFAULT else None


def settings_of(profile: Profile, data: str) -> Settings:
    """Return the settings that servers on `data` need."""
    workload = workload_of(data)
    return profile.server if workload is None else profile.server_settings(workload)


def size_mib(profile: Profile, data: str) -> float:
    """Return what `data` takes on disk, as far as that is known before it exists."""
    if data == EMPTY:
        return 0.0
    workload = workload_of(data)
    if workload is not None:
        return profile.workload(workload).data_mb
    return sum(file.stat().st_size for file in Path(data).rglob("*") if file.is_file()) / MIB


def make(campaign: Campaign, say: Say, interrupted: Callable[[], bool] = lambda: False) -> Path:
    """Make what `data` of the campaign's command names, fill it, and return the data directory.

    `data` is `empty`, a workload's data set, or a data directory that is copied. The result is in
    the campaign's own folder, except a data set, which is kept for others. Its server was shut
    down. Once `interrupted` nothing more is begun, and the result must not be used.
    Errors: UsageError for another word; WaltaxError when it cannot be made or filled.
    """
    command, folders = campaign.recipe.command, campaign.folders
    assert command is not None
    original = _original(campaign, command.data, say)
    if original is not None and command.prepare is None and workload_of(command.data) is not None:
        return original
    spec = _spec(campaign, folders, settings_of(campaign.profile, command.data))
    if original is None:
        datadir.create(spec)
    else:
        datadir.clone(original, spec.datadir, spec.engine, None)
    if not interrupted() and (original is not None or command.prepare is not None):
        _run_once(spec, folders, command, say)
    return spec.datadir


def _original(campaign: Campaign, data: str, say: Say) -> Path | None:
    """Return what is to be copied; None for a new data directory."""
    if data == EMPTY:
        return None
    workload = workload_of(data)
    if workload is not None:
        return loading.prepare(campaign.profile, workload, campaign.data_root, say)
    require_there(campaign.recipe.engine, data)
    path = Path(data)
    _refuse_running(path)
    return path


def require_there(engine: str, data: str) -> None:
    """Raise UsageError unless `data` is a word for data or a data directory of `engine`."""
    path, sign = Path(data), ENGINES[engine].served.sign
    if data != EMPTY and workload_of(data) is None and not (path / sign).exists():
        raise UsageError(
            f"--data: found {data!r}, which is no data directory of {engine} "
            f"(there is no {path / sign}); name one, or {EMPTY}, {' or '.join(DEFAULT)}"
        )


def _refuse_running(path: Path) -> None:
    """Raise UsageError if a server works in the data directory: a copy would be torn."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.cwd() == str(path.resolve()):
                raise UsageError(
                    f"--data: {path} is in use by {process.name()} (pid {process.pid}); "
                    "shut that server down, or copy its data with mariadb-backup first"
                )


def _spec(campaign: Campaign, folders: Folders, settings: Settings) -> Spec:
    """Return the server that fills the data: its log is beside them, and no commit waits."""
    home, sockets = folders.disk / "template", folders.memory / "template"
    private.make_for_socket(sockets)
    return Spec(
        name="template",
        engine=campaign.recipe.engine,
        home=home,
        datadir=home / "data",
        wal_dir=None,
        settings={**settings, **durability(campaign.recipe.engine, "flush")},
        socket=sockets / "s",
    )


def _run_once(spec: Spec, folders: Folders, command: Command, say: Say) -> None:
    """Start a server on it, which recovers what it must and has our account; then fill it."""
    init = spec.home / "account.sql"
    private.make_ours(spec.home)
    private.write(init, account.beside_others(spec.engine))
    settings = {**spec.settings, "init_file": str(init)}
    with server.running(replace(spec, settings=settings)) as running:
        if command.prepare is not None:
            say(f"preparing the data: {command.prepare}")
            done = shell.run(
                command.prepare,
                env=shell.environment(running.socket, running.user, datadir.DATABASE),
                timeout_s=command.timeout_s,
                log=folders.disk / "prepare",
                flag="--prepare",
            )
            say(f"prepared in {done.seconds:.1f} s")
        running.shutdown()
