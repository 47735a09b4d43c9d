"""Prepare and bring up the cells of a user's command: a server each, and the command."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from ....engines import ENGINES
from ....engines.server import binaries
from ...recipe.parts import Command
from .. import cell_memory, foreign_code
from ..campaign import Campaign
from ..life import Say, Share
from ..placed_server import placed_server, require_held, require_mode, require_told, weakened
from ..setting import Setting
from . import counters, metric, template
from .cell import CommandCell

TITLE = "a command"
_EMPTY_MIB = 20.0  # a data directory without data


def require(campaign: Campaign) -> None:
    """Raise UsageError for an invalid metric, for missing data, or for a directory whose name no
    server accepts.
    """
    require_told(campaign)
    metric.parse(_command(campaign).metric)
    template.require_there(campaign.recipe.engine, _command(campaign).data)


def prepare(campaign: Campaign, say: Say) -> dict[str, Path | None]:
    """Make and fill the template that all servers are clones of, once for each process.

    A resumed campaign makes it again in the same way.
    """
    made = template.make(campaign, say)
    return {cell.id: made for cell in campaign.cells}


def share(campaign: Campaign) -> Share:
    """Return what is known before a command has run; what it writes comes on top."""
    command, profile, servers = _command(campaign), campaign.profile, len(campaign.cells)
    workload = template.workload_of(command.data)
    emulated = sum(campaign.placements[cell.id].emulated for cell in campaign.cells)
    data_mib = template.size_mib(profile, command.data)
    copied_mib = ENGINES[campaign.recipe.engine].copied * data_mib * servers
    return Share(
        disk_mib=_EMPTY_MIB * (1 + servers) + data_mib + copied_mib,
        written_mib=data_mib + copied_mib * command.sessions,
        emulated_mib=emulated * cell_memory.log_mib(profile, workload) * cell_memory.WAL_OVERSHOOT,
        processes_mib=servers * cell_memory.process_mib(profile, workload),
        whole_runs=servers * command.rounds * command.sessions,
    )


def words(campaign: Campaign) -> str:
    """Say what is run, and on which data."""
    command = _command(campaign)
    prepared = f", prepared by {command.prepare!r}" if command.prepare else ""
    return f"{command.run!r} on a server of its own for each cell; data: {command.data}{prepared}"


def options(_campaign: Campaign) -> dict[str, str]:
    """Return nothing: each server's my.cnf is kept as it starts."""
    return {}


@contextlib.contextmanager
def bring_up(setting: Setting) -> Iterator[CommandCell]:
    """Bring up a server on a clone of the template, in its mode."""
    cell, command = setting.cell, setting.recipe.command
    assert command is not None
    settings = template.settings_of(setting.profile, command.data)
    with placed_server(setting, settings) as placed:
        variables = counters.variables(placed.server)
        require_mode(placed, cell.durability, variables)
        require_held(setting.profile, cell.workload, settings, variables)
        yield CommandCell(
            cell=cell,
            placement=setting.placement,
            placed=placed,
            wal_dirs=(placed.wal_dir,),
            server=placed.server,
            command=command,
            metric=metric.parse(command.metric),
            kept=setting.folders.kept,
            ready={
                "event": "ready",
                "engine": {"server_version": binaries.find(cell.engine).version},
                "warnings": weakened(cell.engine, variables)
                + foreign_code.warnings(placed.server.pid),
            },
            seed=setting.seed,
            axes=setting.axes,
        )


def _command(campaign: Campaign) -> Command:
    """Return the command. REQUIRES: a campaign of a command."""
    assert campaign.recipe.command is not None
    return campaign.recipe.command
