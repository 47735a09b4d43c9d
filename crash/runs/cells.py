"""Record a cell of a campaign: the same engine, settings and device, for a few seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ...base.folders import places
from ...cell import Cell
from ...devices import tap_page, tap_preload
from ...devices.resolve import Placement
from ...engines.server.settings import BINLOG_NAME
from ...runners.campaign import Campaign
from ...runners.cells import waldir
from ...runners.cells.driver import loading
from ...runners.cells.program import shell
from ...runners.cells.setting import PASSABLE
from . import engine as engines
from . import program as programs
from . import recording
from .recording import Recording, Run

_SHORT = "cut-"  # a server's socket is in this folder, and the length of its path is limited


@contextmanager
def recorded(
    campaign: Campaign, cell: Cell, say: Callable[[str], None]
) -> Iterator[tuple[Recording, Path]]:
    """Yield a recorded run of a cell, and a folder for its states, which is then removed.

    A user's own program runs to its end, an engine for the recipe's seconds, and is killed. Errors:
    DriverFailed; ServerDied; WaltaxError when the log does not account for every write.
    """
    own = campaign.recipe.command
    with (
        _rooms(campaign, cell) as (work, logs),
        shell.ending(),  # servers that a check had when we were interrupted
    ):
        if own is not None:
            yield programs.record(own, own.of(cell), work), work
        else:
            yield _of_engine(campaign, cell, say, work, logs), work


@contextmanager
def _rooms(campaign: Campaign, cell: Cell) -> Iterator[tuple[Path, Path]]:
    """Yield a folder for data, which a program's own user may enter, and one for the log."""
    # A cell without a WAL has its binlog on that device.
    placement = campaign.binlogs.get(cell.id, campaign.placements[cell.id])
    root, kind, flag = placement.wal_root, "wal", "--wal-dir"
    data = campaign.data_root / "work"
    if root is None:  # it writes no log
        root, kind, flag = data, "work", "--data-dir"
    elif placement.emulated:
        kind = "memory"
    with (
        places.borrowed(data, _SHORT, "work", flag="--data-dir", mode=PASSABLE) as work,
        places.borrowed(root, f"waltax-{_SHORT}", kind, flag=flag) as logs,
    ):
        yield work, logs


def _of_engine(
    campaign: Campaign, cell: Cell, say: Callable[[str], None], work: Path, logs: Path
) -> Recording:
    recipe, profile = campaign.recipe, campaign.profile
    assert recipe.cutting is not None
    data = loading.prepare(profile, cell.workload, campaign.data_root, say)
    room, given = work / "run", logs / "given"
    room.mkdir()
    given.mkdir()
    parameters = profile.workload(cell.workload).run
    run = Run(cell.durability, recipe.cutting.seconds, cell.threads, recipe.seed, parameters)
    has_binlog = "binlog" in recipe.axes
    engine = engines.of(profile, cell.workload, work, cell.knob, has_binlog=has_binlog)
    tapped = _tapped(campaign, cell, given)
    return recording.record(engine, data, room, run, wal=given / "wal", tapped=tapped)


def _tapped(campaign: Campaign, cell: Cell, given: Path) -> dict[str, str]:
    """Return the environment of the tap, which emulates the log's device."""
    placement: Placement = campaign.placements[cell.id]
    page, wal = given / "page", given / "wal"
    wal.mkdir()
    tap_page.create(page).close()
    model = waldir.model_of(placement, campaign.recipe.seed)
    tapped = tap_preload.tap_environment(wal, page, model)
    if (second := campaign.binlogs.get(cell.id)) is None:
        return tapped
    path = given / "binlog-page"
    tap_page.create(path).close()
    own = waldir.model_of(second, campaign.recipe.seed + 1)
    device = page if second is placement and second.emulated else None
    return tapped | tap_preload.binlog_environment(wal / BINLOG_NAME, path, own, device)
