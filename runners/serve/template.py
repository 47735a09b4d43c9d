"""The data directory that every server of a `waltax serve` is a clone of."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from ...cell import WORKLOADS
from ...engines import Settings
from ...errors import UsageError
from ...mariadb import account, datadir, private, server
from ...mariadb.settings import durability
from ...mariadb.spec import Spec
from .. import dataset
from ..campaign import Campaign
from ..workspace import disk_folder, memory_folder
from . import shell
from .signals import Signals

EMPTY = "empty"
"""The word for a new data directory."""
# What a data directory of the engine has.
_SIGN = {"myrocks": "#rocksdb", "innodb": "ibdata1"}


@dataclass(frozen=True)
class Template:
    """A data directory whose server was shut down, and the settings its servers need."""

    path: Path
    settings: Settings


@dataclass(frozen=True)
class Fill:
    """A command that fills the data, once."""

    command: str
    timeout_s: float


def make(
    campaign: Campaign,
    data: str,
    fill: Fill | None,
    say: Callable[[str], None],
    signals: Signals,
) -> Template:
    """Make what `data` names: `empty`, a workload's data set, or a copy of a data directory.

    It lies in the campaign's own folder, but for a data set, which is kept for others. Once a
    signal came nothing more is begun, and what is returned is not to be used.
    Errors: UsageError for another word; WaltaxError when it cannot be made or filled.
    """
    settings = _settings(campaign, data)
    found = _found(campaign, data, say)
    if found is not None and fill is None and data in WORKLOADS:
        return Template(found, settings)
    spec = _spec(campaign, settings)
    if found is None:
        datadir.create(spec)
    else:
        datadir.clone(found, spec.datadir, spec.engine, None)
    if signals.first is None and (found is not None or fill is not None):
        _run_once(campaign, spec, fill, say)
    return Template(spec.datadir, settings)


def _settings(campaign: Campaign, data: str) -> Settings:
    profile = campaign.profile
    return profile.server_settings(data) if data in WORKLOADS else profile.server


def _found(campaign: Campaign, data: str, say: Callable[[str], None]) -> Path | None:
    """What is to be copied; None for a new data directory."""
    if data == EMPTY:
        return None
    if data in WORKLOADS:
        return dataset.prepare(campaign.profile, data, campaign.data_root, say)
    path = Path(data)
    sign = _SIGN[campaign.recipe.engine]
    if not (path / sign).exists():
        raise UsageError(
            f"--data: found {data!r}, which is no data directory of {campaign.recipe.engine} "
            f"(there is no {path / sign}); name one, or {EMPTY}, {' or '.join(WORKLOADS)}"
        )
    _refuse_running(path)
    return path


def _refuse_running(path: Path) -> None:
    """A server works in its data directory, and a copy of one that runs is torn."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.cwd() == str(path.resolve()):
                raise UsageError(
                    f"--data: {path} is in use by {process.name()} (pid {process.pid}); "
                    "shut that server down, or copy its data with mariadb-backup first"
                )


def _spec(campaign: Campaign, settings: Settings) -> Spec:
    """Of the server that fills the data: its log stays with the data, and no commit waits."""
    home, engine = disk_folder(campaign) / "template", campaign.recipe.engine
    sockets = memory_folder(campaign) / "template"
    private.make_for_socket(sockets)
    return Spec(
        name="template",
        engine=engine,
        home=home,
        datadir=home / "data",
        wal_dir=None,
        settings={**settings, **durability(engine, "flush")},
        socket=sockets / "s",
    )


def _run_once(
    campaign: Campaign, spec: Spec, fill: Fill | None, say: Callable[[str], None]
) -> None:
    """Start a server on it: it recovers what it must and has our account; then fill it."""
    init = spec.home / "account.sql"
    private.make_ours(spec.home)
    private.write(init, account.beside_others(spec.engine))
    started = Spec(**{**vars(spec), "settings": {**spec.settings, "init_file": str(init)}})
    with server.running(started) as running:
        if fill is not None:
            say(f"preparing the data: {fill.command}")
            done = shell.run(
                fill.command,
                env=shell.environment(running.socket, running.user, datadir.DATABASE),
                timeout_s=fill.timeout_s,
                log=disk_folder(campaign) / "prepare",
                flag="--prepare",
            )
            say(f"prepared in {done.seconds:.1f} s")
        running.shutdown()
