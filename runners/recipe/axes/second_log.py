"""Give a server a binlog, on a device of its own or on the WAL's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ....base.errors import UsageError
from ....cell import Cell
from ....engines import ENGINES, SERVED
from ....engines.knobs import served
from ....row import Row
from ...cells.setting import AtWork
from .. import command_line
from .axis import Axis

if TYPE_CHECKING:
    from ....devices.resolve import Placement
    from ...cells.campaign import Campaign
    from ...cells.setting import Setting
    from ..recipe import Recipe

SAME = "same"
"""What --binlog says for the WAL's own device."""
_FLAG = "--binlog"


class SecondLog(Axis):
    """A binlog of each cell's server."""

    name = "binlog"
    options = (
        click.option(
            "--binlog",
            metavar="DEVICE",
            callback=lambda _context, _option, name: (
                None if name is None else command_line.kept(name)
            ),
            help="Give every server a binlog on DEVICE, synced with each group of commits; `same` "
            "puts it on the device of the WAL. Default: no binlog.",
        ),
    )

    def require(self, recipe: Recipe) -> None:
        for device in self.of(recipe) if not ENGINES[recipe.engine].on_server else ():
            raise UsageError(
                f"--binlog: found {device} with --engine {recipe.engine}, which writes no "
                f"second log; type --engine {' or '.join(SERVED)}, or leave it out"
            )

    def words(self, campaign: Campaign) -> Iterator[str]:
        """Say where the servers' second logs are."""
        for place in [*campaign.binlogs.values()][:1]:
            where = f"{place.device.name}{' (emulated)' * place.emulated}"
            where = "on the WAL's device" if SAME in self.of(campaign.recipe) else where
            group = "synced with each group of commits, or as a setting says, in every cell"
            yield f"binlog: {where}, {group}"

    def columns(self, campaign: Campaign, cell: Cell) -> Row:
        """Return where it is; without a binlog its device is ""."""
        place = campaign.binlogs.get(cell.id)
        if place is None:
            return {"binlog_device": ""}
        own = campaign.profile_of(cell).server_settings(cell.workload)
        settings = {**own, **served(cell.knob, cell.engine)}
        return {
            "binlog_device": place.device.name,
            "binlog_shares_device": place is campaign.placements[cell.id],
            "binlog_emulated": place.emulated,
            "binlog_digest": place.digest,
            "binlog_sync_every": int(settings.get("sync_binlog", 1)),
        }

    def at_work(self, campaign: Campaign, setting: Setting) -> AtWork:
        place = campaign.binlogs.get(setting.cell.id)
        return self if place is None else _Placed(place)


class _Placed(AtWork):
    """A binlog, which the tap counts in a page of its own."""

    def __init__(self, placement: Placement) -> None:
        self._placement = placement

    def place(self, setting: Setting, memory: Path) -> Mapping[str, str]:
        """Make page and folder; on the WAL's emulated device both logs' syncs share a queue."""
        from ....devices import tap_page, tap_preload
        from ...cells import waldir

        placement, path = self._placement, memory / "binlog-page"
        self.log = waldir.make(waldir.root(setting, placement), f"{setting.name}-binlog")
        self.page = tap_page.create(path)
        shared = placement.emulated and placement is setting.placement
        model = waldir.model_of(placement, setting.seed + 1)
        device = (setting.device_page or memory / "page") if shared else None
        return tap_preload.binlog_environment(
            self.log, path, model, device, setting.cell.binlog_rung
        )

    def begin(self, _pids: Sequence[int]) -> None:
        assert self.page is not None
        self._before = self.page.snapshot()

    def counted(self, _pids: Sequence[int]) -> Row:
        assert self.log is not None
        assert self.page is not None
        so_far = self.page.snapshot()
        seen = so_far.minus(self._before)
        return {
            "binlog_files": [str(self.log / file.name) for file in seen.files if file.writes],
            "binlog_bytes": seen.write_bytes,
            "binlog_writes": seen.writes,
            "binlog_syncs": seen.syncs,
            "binlog_syncs_at_once": seen.syncs_at_once,
            "binlog_bypasses": so_far.bypasses,
            "binlog_attached": so_far.attached,
            "binlog_tap_emulated": so_far.emulated,
        }


def of_cells(
    recipe: Recipe, cells: Sequence[Cell], placed: Mapping[str, Placement], data_dir: Path
) -> dict[str, Placement]:
    """Return each cell's binlog by the cell's id: on the very placement of its WAL, or on another;
    none if none was requested. `placed` are the devices by name.

    A cell without a WAL has its binlog where the cell that it is compared with has both. Errors:
    UsageError for a device without a log, and for `same` with several devices and one baseline.
    """
    from ....devices.resolve import resolve

    if "binlog" not in recipe.axes:
        return {}
    name = recipe.axes["binlog"][0]
    if name != SAME:
        device = command_line.load_device(name, flag=_FLAG)
        if device.is_off:
            raise UsageError(f"{_FLAG}: found {name}, which writes no log; leave it out")
        return dict.fromkeys((cell.id for cell in cells), resolve(device, data_dir=data_dir))
    logged = {name: place for name, place in placed.items() if place.kind != "off"}
    if ENGINES[recipe.engine].has_off and len(logged) != 1:
        raise UsageError(
            f"{_FLAG}: found same with {len(logged)} devices; the cell without a WAL has a binlog, "
            "too, which can be on one of them: name one --device, or the binlog's own"
        )
    first = next(iter(logged.values()))
    return {cell.id: logged.get(cell.device, first) for cell in cells}
