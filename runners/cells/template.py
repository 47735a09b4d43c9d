"""Make the data directory that the server of `waltax serve` is a clone of."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil

from ...base.errors import UsageError
from ...engines import ENGINES, Settings
from ...engines.server import account, datadir, private, server
from ...engines.server.settings import durability
from ...engines.server.spec import Spec
from ...profiles import Profile
from ...workloads import DEFAULT
from .campaign import Campaign
from .driver import loading
from .life import Say
from .program import folder
from .setting import Folders

EMPTY = "empty"
"""The word for a new data directory."""


def settings_of(profile: Profile, data: str) -> Settings:
    """Return the settings that a server on `data` needs."""
    return profile.server_settings(data) if data in DEFAULT else profile.server


def size_mib(profile: Profile, data: str) -> float:
    """Return what `data` takes on disk, as far as that is known before it exists."""
    if data in DEFAULT:
        return profile.workload(data).data_mb
    return 0.0 if data == EMPTY else folder.size_mib(data)


def make(campaign: Campaign, data: str, say: Say, interrupted: Callable[[], bool]) -> Path:
    """Make what `data` names, and return the data directory, of which the server was shut down.

    `data` is `empty`, a workload's data set, which is kept for others, or a data directory that is
    copied. Once `interrupted` nothing more is begun, and the result must not be used. Errors:
    UsageError for another word, and for data that a server has open; WaltaxError when it cannot be
    made.
    """
    if data in DEFAULT:
        return loading.prepare(campaign.profile, data, campaign.data_root, say)
    spec = _spec(campaign, campaign.folders, settings_of(campaign.profile, data))
    if data == EMPTY:
        datadir.create(spec)
        return spec.datadir
    original, sign = Path(data), ENGINES[spec.engine].served.sign
    if not (original / sign).exists():
        raise UsageError(
            f"--data: found {data!r}, which is no data directory of {spec.engine} "
            f"(there is no {original / sign}); name one, or {EMPTY}, {' or '.join(DEFAULT)}"
        )
    _refuse_running(original)
    datadir.clone(original, spec.datadir, spec.engine, None)
    if not interrupted():
        _recover(spec)
    return spec.datadir


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
    """Return the server that recovers a copy: its log is beside the data, and no commit waits."""
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


def _recover(spec: Spec) -> None:
    """Start a server on a copy, which recovers what it must and gets our account."""
    init = spec.home / "account.sql"
    private.make_ours(spec.home)
    private.write(init, account.beside_others(spec.engine))
    settings = {**spec.settings, "init_file": str(init)}
    with server.running(replace(spec, settings=settings)) as running:
        running.shutdown()
