"""The nodes of a cell with shards: servers of their own, or stores in the driver's process."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from ....base.errors import UsageError
from ....cell import Cell
from ....engines import ENGINES, Settings, Shards
from .. import waldir
from ..campaign import Campaign
from ..data_set import DATADIR, NODE
from ..live import Event
from ..placed_server import Placed, placed_server
from ..setting import Setting


def require(campaign: Campaign) -> None:
    """Raise UsageError for nodes whose logs cannot be where their cell says."""
    for cell in campaign.cells:
        cut, placement = Shards.of(cell.shards), campaign.placements[cell.id]
        if cut.nodes == 1:
            continue
        alone = placement.emulated and ENGINES[cell.engine].on_server
        if not cut.shared and placement.kind != "off" and not alone:
            place = "one directory" if not placement.emulated else "one process"
            raise UsageError(
                f"--wal-shared: missing; the logs of {cut.nodes} nodes of {cell.engine} on "
                f"{cell.device} are in {place}, so that they share a device; add --wal-shared"
            )


def cut_of(cell: Cell) -> Shards:
    """Return the part of its cut that loading depends on: how many nodes, and who owns a key."""
    cut = Shards.of(cell.shards)
    return Shards(cut.nodes, cut.owner if cut.nodes > 1 else Shards().owner)


def processes(cell: Cell) -> int:
    """Return the number of processes that its engine is in."""
    return cell.nodes if ENGINES[cell.engine].on_server else 1


def placed(setting: Setting, server_settings: Settings, stack: ExitStack) -> list[Placed]:
    """Start a server for each node, which `stack` ends. Errors: as `placed_server`."""
    nodes, cut = setting.nodes, setting.shards
    if cut.shared and len(nodes) > 1 and setting.placement.emulated:
        page = waldir.memory_of(nodes[0]) / "page"
        nodes = (nodes[0], *(replace(node, device_page=page) for node in nodes[1:]))
    return [stack.enter_context(placed_server(node, server_settings)) for node in nodes]


def variables(ready: Event) -> list[dict[str, str]]:
    """Return the variables of each server that the driver found when it connected."""
    said = ready["engine"].get("node_engines") or [ready["engine"]]
    return [server["variables"] for server in said]


def homes(partial: Path, cut: Shards) -> list[Path]:
    """Return each node's folder in a data set that is being made; a single store has it all."""
    if cut.nodes == 1:
        return [partial]
    return [partial / DATADIR / NODE.format(number) for number in range(cut.nodes)]
