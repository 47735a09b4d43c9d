"""A cell of a campaign, recorded: its engine, its mode and its device, in folders of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ...devices import tap_page, tap_preload
from ...engines import ENGINES
from ...harness import waldir
from ...owned import places
from ...receipts.runs import embedded, served
from ...receipts.runs.recording import Data, Run
from ...receipts.runs.served import Served

if TYPE_CHECKING:
    from ...cell import Cell
    from ...devices.resolve import Placement
    from ...profiles import Profile
    from ...receipts.runs.recording import Recording
    from ...runners.campaign import Campaign

_PASSABLE = 0o711  # for the servers' user
_SHORT = "cut-"  # a server's socket is below it, whose path has an end


@contextmanager
def rooms(campaign: Campaign, cell: Cell) -> Iterator[tuple[Path, Path]]:
    """A folder for data, and one for the log on its device; a server's user may enter them."""
    placement = campaign.placements[cell.id]
    root, kind, flag = placement.wal_root, "wal", "--wal-dir"
    if root is None:  # it writes no log
        root, kind, flag = campaign.data_root / "work", "work", "--data-dir"
    elif placement.emulated:
        kind = "memory"
    data = campaign.data_root / "work"
    with (
        places.borrowed(data, _SHORT, "work", flag="--data-dir", mode=_PASSABLE) as work,
        places.borrowed(root, f"waltax-{_SHORT}", kind, flag=flag, mode=_PASSABLE) as logs,
    ):
        yield work, logs


def record(campaign: Campaign, cell: Cell, data: Path, work: Path, logs: Path) -> Recording:
    """Run requests on a clone of the data set for as long as is told, and kill the engine.

    Errors: DriverFailed; ServerDied; WaltaxError when the log cannot account for what was written.
    """
    assert campaign.recipe.cutting is not None
    room, given = work / "run", logs / "given"
    room.mkdir()
    given.mkdir()
    run = _run(campaign, cell, room)
    behind, wal = _tapped(campaign, cell, given, room), given / "wal"
    if not ENGINES[cell.engine].on_server:
        return embedded.record(data, room, run, wal=wal, behind=behind)
    told = told_server(campaign.profile, cell.workload)
    return served.record(data, room, run, told, wal=wal, behind=behind)


def told_server(profile: Profile, workload: str) -> Served:
    """What a server is told, whatever the mode."""
    return Served(profile.engine, profile.server_settings(workload))


def loaded(profile: Profile, workload: str) -> Data:
    return Data(workload, profile.workload(workload).load)


def _tapped(campaign: Campaign, cell: Cell, given: Path, room: Path) -> dict[str, str]:
    """What preloads the tap, which makes the log's device what it is."""
    placement: Placement = campaign.placements[cell.id]
    page, wal = given / "page", given / "wal"
    wal.mkdir()
    tap_page.create(page).close()
    model = waldir.model_file(page, placement, campaign.recipe.seed)
    library = tap_preload.library()
    if ENGINES[cell.engine].on_server:
        library = served.hand_over(given, library, room)
    return tap_preload.tap_environment(wal, page, model, library.parent)


def _run(campaign: Campaign, cell: Cell, room: Path) -> Run:
    assert campaign.recipe.cutting is not None
    profile, section = campaign.profile, campaign.profile.workload(cell.workload)
    on_server = ENGINES[cell.engine].on_server
    parameters = section.run if on_server else embedded.flags(profile, cell.workload, room)
    seconds, seed = campaign.recipe.cutting.seconds, campaign.recipe.seed
    data = loaded(profile, cell.workload)
    return Run(cell.durability, seconds, cell.threads, seed, parameters, data)
