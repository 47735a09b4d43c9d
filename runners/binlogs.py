"""The second log of a campaign's servers: which device each cell's is on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..cell import Cell
from ..devices.resolve import Placement, resolve
from ..engines import ENGINES
from ..errors import UsageError
from ..row import Row
from .cells.live import MeasuredBinlog
from .cells.setting import Binlog
from .named import load_device

SAME = "same"
"""What --binlog says for the WAL's own device."""
_FLAG = "--binlog"


def of_cells(
    engine: str,
    asked: str | None,
    cells: Sequence[Cell],
    placed: Mapping[str, Placement],
    data_dir: Path,
) -> dict[str, Binlog]:
    """Each cell's, by its id; none where none is asked for. `placed` are the devices by name.

    A cell without a WAL has its binlog where the cell that it is compared with has both. Errors:
    UsageError for a device that is none, and `same` of several devices that share one baseline.
    """
    if asked is None:
        return {}
    if asked != SAME:
        device = load_device(asked, flag=_FLAG)
        if device.is_off:
            raise UsageError(f"{_FLAG}: found {asked}, which writes no log; leave it out")
        alone = Binlog(resolve(device, data_dir=data_dir), shared=False)
        return {cell.id: alone for cell in cells}
    logged = {name: one for name, one in placed.items() if one.kind != "off"}
    if ENGINES[engine].has_off and len(logged) != 1:
        raise UsageError(
            f"{_FLAG}: found same with {len(logged)} devices; the cell without a WAL has a binlog, "
            "too, which can be on one of them: name one --device, or the binlog's own"
        )
    only = next(iter(logged.values()), None)
    return {
        cell.id: Binlog(logged.get(cell.device) or _the(only), shared=cell.device in logged)
        for cell in cells
    }


def _the(only: Placement | None) -> Placement:
    assert only is not None
    return only


def columns(binlog: MeasuredBinlog | None) -> Row:
    """What the tap saw of a server's binlog; nothing where there is none."""
    if binlog is None:
        return {}
    seen = binlog.tap
    return {
        "binlog_files": [str(binlog.folder / file.name) for file in seen.files if file.writes],
        "binlog_bytes": seen.write_bytes,
        "binlog_writes": seen.writes,
        "binlog_syncs": seen.syncs,
        "binlog_bypasses": seen.bypasses,
    }
