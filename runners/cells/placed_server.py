"""Place a server as a cell is: on a clone, its log on the device, the tap in front of it."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ...base import proc
from ...base.errors import WaltaxError
from ...engines import ENGINES, Settings
from ...engines.server import datadir, settings
from ...engines.server.server import Server, Spec, running
from ...engines.server.settings import durability
from ...engines.server.spec import require_plain
from ...profiles import Profile, values
from . import waldir
from .campaign import Campaign
from .live import ServerNode
from .setting import Setting

# Variables that the server rounds up to a multiple of another.
_STEPS = {"innodb_buffer_pool_size": "innodb_buffer_pool_chunk_size"}
# Variables of which a server may have more than it was asked for.
_LEAST = {"open_files_limit"}
_DEATH_S = 2.0  # within which a server is gone that its clients have lost


@contextlib.contextmanager
def placed_server(setting: Setting, server_settings: Settings) -> Iterator[ServerNode]:
    """Clone the cell's data set, start a server on it, and leave nothing of it behind at any exit.

    `server_settings` are its own; those of the cell's mode and of its places are added. Its
    my.cnf and error log stay in `setting.folders.kept`, as the cell's .cnf and .err. Errors:
    WaltaxError naming the cell, or the node of its shards, and quoting the error log when the
    server does not start.
    """
    kept, data, engine = setting.folders.kept, setting.home / "data", setting.cell.engine
    assert setting.data_set is not None
    with waldir.placed(setting) as (wal_dir, page, env):
        datadir.clone(setting.data_set, data, engine, wal_dir)
        spec = _spec(setting, server_settings, wal_dir)
        try:
            with running(spec, env=env) as server:
                yield ServerNode((data,), wal_dir, page, server)
        finally:  # also when the server refuses its my.cnf
            for file, ending in ((spec.config, "cnf"), (spec.error_log, "err")):
                # A results folder that is full does not end a campaign here.
                with contextlib.suppress(OSError):
                    shutil.copyfile(file, kept / f"{setting.name}.{ending}")


def placed_nodes(
    setting: Setting, server_settings: Settings, stack: contextlib.ExitStack
) -> list[ServerNode]:
    """Start a server for each node of a cell, which `stack` ends. Errors: as `placed_server`."""
    nodes = setting.nodes
    if setting.shards.shared and len(nodes) > 1 and setting.placement.emulated:
        page = waldir.memory_of(nodes[0]) / "page"
        nodes = (nodes[0], *(replace(node, device_page=page) for node in nodes[1:]))
    return [stack.enter_context(placed_server(node, server_settings)) for node in nodes]


def _spec(setting: Setting, own: Settings, wal_dir: Path) -> Spec:
    cell = setting.cell
    second = next((axis.log for axis in setting.axes if axis.log is not None), None)
    return Spec(
        name=setting.name,
        engine=cell.engine,
        home=setting.home,
        datadir=setting.home / "data",
        wal_dir=wal_dir,
        settings={**own, **durability(cell.engine, cell.durability, binlog=bool(second))},
        socket=waldir.memory_of(setting) / "s",
        mariadbd=None if setting.build is None else setting.build.mariadbd,
        binlog_dir=second,
    )


def require_told(campaign: Campaign) -> None:
    """Raise UsageError for a directory whose name a server does not accept."""
    require_plain(campaign.data_root.absolute())
    for placement in campaign.places():
        if placement.wal_root is not None and not placement.emulated:
            require_plain(placement.wal_root, "--wal-dir")


def require_mode(
    server: Server, durability: str, variables: Mapping[str, str], changed: Settings | None = None
) -> None:
    """Raise WaltaxError naming a variable of the server that contradicts its mode, or that is not
    as the cell's knob `changed` it.
    """
    spec = server.spec
    has_binlog = spec.binlog_dir is not None
    wanted = settings.wanted(spec.engine, durability, spec.places, binlog=has_binlog)
    if has_binlog:
        wanted["sync_binlog"] = str(spec.settings.get("sync_binlog", 1))
    wanted |= {name: str(value) for name, value in (changed or {}).items()}
    differ = settings.contradictions(wanted, variables)
    if differ:
        raise WaltaxError(f"{spec.name}: the server contradicts the label: {differ[0]}")


def require_held(
    profile: Profile, workload: str, server_settings: Settings, variables: Mapping[str, str]
) -> None:
    """Check that the server shows the `server_settings` of the profile, as far as it shows any.

    Errors: WaltaxError with file, section and key of one that it shows otherwise.
    """
    for name, value in server_settings.items():
        bare = name.removeprefix("loose_")
        shown = variables.get(bare)
        step = int(variables.get(_STEPS.get(bare, ""), 0))
        if shown is None or (bare in _LEAST and int(shown) >= int(value)):
            continue
        if not values.holds(value, shown, step):
            raise WaltaxError(
                f"{profile.path}: {profile.table_of(workload, name)}: {name}: asked for "
                f"{value}, but the server made it {shown}: it does not have it with these settings"
            )


def weakened(engine: str, variables: Mapping[str, str]) -> list[str]:
    """Warn of settings that make a server's commits less durable than its mode says."""
    said = [
        f"not durable: {name} is {value}: {why}"
        for name, (value, why) in ENGINES[engine].served.weakened.items()
        if variables.get(name) == value
    ]
    every = variables.get("sync_binlog", "1")
    if variables.get("log_bin") == "ON" and every != "1":
        lost = f"the last {every} groups" if every != "0" else "groups"
        said.append(f"not durable: sync_binlog is {every}: the binlog can miss {lost} of commits")
    return said


def require_servers(servers: Sequence[Server]) -> None:
    """Check, when a client failed, whether one of its servers is what died.

    Errors: ServerDied with the error log's last words. Clients can notice a death before our wait
    for it does.
    """
    proc.any_ended([server.pid for server in servers], _DEATH_S if servers else 0.0)
    for server in servers:
        server.require_alive()
