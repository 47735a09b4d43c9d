"""The nodes of a cell that is shards: servers of their own, or stores in the driver's process."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....base.errors import UsageError
from ....cell import Cell
from ....engines import ENGINES, Settings, Shards
from ....engines.server import spider
from ..data_set import DATADIR, NODE, RECORD
from ..live import Event
from ..placed_server import Placed, page_of, placed_server, socket_of
from ..setting import Setting

if TYPE_CHECKING:
    from ...campaign import Campaign


def require(campaign: Campaign) -> None:
    """Errors: UsageError for nodes whose logs cannot be where their cell's word says."""
    for cell in campaign.cells:
        cut, placement = Shards.of(cell.shards), campaign.placements[cell.id]
        if cut.nodes == 1:
            continue
        alone = placement.emulated and ENGINES[cell.engine].on_server
        if not cut.shared and placement.kind != "off" and not alone:
            one = "one directory" if not placement.emulated else "one process"
            raise UsageError(
                f"--wal-shared: missing; the logs of {cut.nodes} nodes of {cell.engine} on "
                f"{cell.device} are in {one}, so that they share a device; add --wal-shared "
                "(with make: WAL_SHARED=1)"
            )


def cut_of(cell: Cell) -> Shards:
    """What of its cut decides how data is loaded: how many nodes, and who owns a key."""
    cut = Shards.of(cell.shards)
    return Shards(cut.nodes, cut.owner if cut.nodes > 1 else Shards().owner)


def processes(cell: Cell) -> int:
    """In how many processes its engine is."""
    return cell.nodes if ENGINES[cell.engine].on_server else 1


def placed(setting: Setting, told: Settings, stack: ExitStack) -> list[Placed]:
    """A server for each node, which `stack` ends; with a table over all where clients are tied to
    one. Errors: as `placed_server`.
    """
    nodes, cut = setting.nodes, setting.shards
    first = ""
    if cut.redirects:
        plugin = ENGINES[setting.cell.engine].served.settings["plugin_load_add"]
        told = {**told, **spider.settings(told, str(plugin))}
        places = [spider.at_socket(socket_of(node)) for node in nodes]
        first = spider.statements(places, bounds(setting))
    if cut.shared and len(nodes) > 1 and setting.placement.emulated:
        page = page_of(nodes[0])
        nodes = (nodes[0], *(replace(node, device_page=page) for node in nodes[1:]))
    return [stack.enter_context(placed_server(node, told, first)) for node in nodes]


def bounds(setting: Setting) -> list[str]:
    """Between the nodes' ranges of keys, as the load of their data said. REQUIRES: it is shards."""
    assert setting.data_set is not None
    said: dict[str, Any] = json.loads((setting.data_set.parent / RECORD).read_text())
    return list(said["bounds"])


def variables(ready: Event) -> list[dict[str, str]]:
    """Of each server, as the driver found them when it connected."""
    said = ready["engine"].get("node_engines") or [ready["engine"]]
    return [one["variables"] for one in said]


def homes(partial: Path, cut: Shards) -> list[Path]:
    """The folder of each node in a data set that is being made; its own where it is one store."""
    if cut.nodes == 1:
        return [partial]
    return [partial / DATADIR / NODE.format(number) for number in range(cut.nodes)]
