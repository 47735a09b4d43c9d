"""Record and cut each cell of a campaign once, and keep the receipts as they come.

A state in which a synced log lost something is also kept.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from ..analysis.reports.receipts import KEPT, kept
from ..analysis.reports.recovery_modes import KEPT as MODES_KEPT
from ..base.errors import WaltaxError
from ..base.folders import places
from ..base.folders.machine import only_campaign
from ..base.terminal import say
from ..cell import Cell
from ..crash.runs import engine as engines
from ..crash.runs import program as programs
from ..crash.runs import receipt, recording, states
from ..crash.runs.recording import Run
from ..devices import tap_page, tap_preload
from ..engines import PROGRAM
from ..engines.knobs import KNOBS
from ..engines.server.settings import BINLOG_NAME
from ..runners.cells import waldir
from ..runners.cells.driver import loading
from ..runners.cells.power_cut import is_logged
from ..runners.cells.program import processes
from ..runners.workspace import PASSABLE
from . import recovery_modes

if TYPE_CHECKING:
    from rich.console import Console

    from ..crash.runs.engine import Engine
    from ..crash.runs.recording import Recording
    from ..crash.runs.states import Outcome
    from ..devices.resolve import Placement
    from ..runners.campaign import Campaign

_SAY_S = 30.0
_SHORT = "cut-"  # a server's socket is in this folder, and the length of its path is limited
_FOLDER, _CUT = "broken", "cut.json"


def cut(campaign: Campaign, console: Console, *, share_machine: bool) -> list[str]:
    """Keep receipts of a campaign's cells beside its rows, and return a line for each violation.

    A synced log must lose nothing when names become durable in order, as in a journal. Cells that
    have receipts already, as after a resume, are skipped. A cell that cannot be recorded is a line.
    """
    against = []
    with only_campaign("receipts", share=share_machine) as notes:
        say(console, *(f"warning: {note}" for note in notes))
        for cell in _wanted(campaign, console):
            try:
                against += _cut(campaign, cell, console)
            except WaltaxError as error:
                against.append(f"{cell.id}: no receipt: {error}")
    return against


def _wanted(campaign: Campaign, console: Console) -> list[Cell]:
    cutting = campaign.recipe.cutting
    assert cutting is not None
    for name in dict.fromkeys(cell.workload for cell in campaign.cells):
        if not is_logged(name) and campaign.recipe.command is None:
            say(console, f"{name}: no receipt, since no driver logs what it commits")
    done = {
        (*(row[name] for name in ("workload", "device", "mode", "knob", "names")), row["cuts"])
        for row in kept(campaign.folder)
    }
    return [
        cell
        for cell in campaign.cells
        if (is_logged(cell.workload) or _is_own(campaign, cell))
        and not (cell.replica or cell.rung)
        and (cell.workload, cell.device, cell.durability, cell.knob, cutting.names, cutting.cuts)
        not in done
    ]


def _is_own(campaign: Campaign, cell: Cell) -> bool:
    """Return whether it is a cell of a user's own program with a mode that no other cell has.

    What a mode loses does not depend on the device; and where the tap answers syncs, as for the
    baseline, nothing is durable.
    """
    others = (each for each in campaign.cells if not each.is_baseline)
    first = next((each for each in others if each.durability == cell.durability), None)
    return cell.engine == PROGRAM and cell == first


def _cut(campaign: Campaign, cell: Cell, console: Console) -> list[str]:
    cutting = campaign.recipe.cutting
    assert cutting is not None
    own = campaign.recipe.command
    with _rooms(campaign, cell) as (work, logs), ExitStack() as ends:
        ends.callback(processes.Left().end)  # servers that a check had when we were interrupted
        if own is None:
            recorded = _record(campaign, cell, console, work, logs)
        else:
            recorded = programs.record(own, own.of(cell), work)
        acknowledged = len(recorded.log.acks)
        mode = cell.knob or cell.durability
        name = cell.device if cell.device == mode else f"{cell.device} {mode}"
        took = "" if own else f" in {cutting.seconds:g} s"
        say(console, f"{name}: {acknowledged:,} commits acknowledged{took}")
        room = work / "state"
        room.mkdir()
        if own is None or own.data:  # what begins with nothing may not open then
            states.require_opens(recorded, room)
        cuts = receipt.cuts(
            recorded.log, cutting.cuts, cutting.states, cutting.names, campaign.recipe.seed
        )
        every = cutting.cuts * cutting.states
        outcomes = list(_counted(states.outcomes(recorded, cuts, room), name, every, console))
        if cutting.recovery_modes and cell.durability != "off":
            tried = recovery_modes.rows(
                campaign.profile, cell, recorded, cutting.cuts, work, campaign.recipe.seed
            )
            _keep(campaign, MODES_KEPT, tried)
        _keep(campaign, KEPT, map(asdict, receipt.of(cell, recorded.log, outcomes)))
        bounds_loss = cell.knob and KNOBS[cell.knob].bounds_loss
        if cell.durability == "sync" and cutting.names == "journal" and not bounds_loss:
            return _kept_of(campaign, cell, recorded, outcomes)
    return []


def _counted(
    outcomes: Iterator[Outcome], name: str, every: int, console: Console
) -> Iterator[Outcome]:
    """Yield the outcomes, and print now and then how many states have been checked."""
    said = time.monotonic()
    for number, outcome in enumerate(outcomes, 1):
        yield outcome
        if time.monotonic() - said > _SAY_S:
            said = time.monotonic()
            say(console, f"{name}: looked at {number:,} of {every:,} states")


def _keep(campaign: Campaign, name: str, rows: Iterable[Mapping[str, object]]) -> None:
    with (campaign.folder / name).open("a") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


@contextmanager
def _rooms(campaign: Campaign, cell: Cell) -> Iterator[tuple[Path, Path]]:
    """Yield a folder for data, which a program's own user may enter, and one for the log."""
    # A cell without a WAL has its binlog on that device.
    placement = campaign.binlogs.get(cell.id, campaign.placements[cell.id])
    root, kind, flag = placement.wal_root, "wal", "--wal-dir"
    if root is None:  # it writes no log
        root, kind, flag = campaign.data_root / "work", "work", "--data-dir"
    elif placement.emulated:
        kind = "memory"
    data = campaign.data_root / "work"
    with (
        places.borrowed(data, _SHORT, "work", flag="--data-dir", mode=PASSABLE) as work,
        places.borrowed(root, f"waltax-{_SHORT}", kind, flag=flag) as logs,
    ):
        yield work, logs


def _record(campaign: Campaign, cell: Cell, console: Console, work: Path, logs: Path) -> Recording:
    """Run requests on a clone of the data set for the recipe's seconds, and kill the engine.

    Errors: DriverFailed; ServerDied; WaltaxError when the log does not account for every write.
    """
    recipe = campaign.recipe
    assert recipe.cutting is not None
    data = loading.prepare(
        campaign.profile, cell.workload, campaign.data_root, lambda text: say(console, text)
    )
    room, given = work / "run", logs / "given"
    room.mkdir()
    given.mkdir()
    parameters = campaign.profile.workload(cell.workload).run
    run = Run(cell.durability, recipe.cutting.seconds, cell.threads, recipe.seed, parameters)
    engine = _engine(campaign, cell.workload, work, cell.knob)
    tapped = _tapped(campaign, cell, given)
    return recording.record(engine, data, room, run, wal=given / "wal", tapped=tapped)


def _engine(campaign: Campaign, workload: str, room: Path, knob: str = "") -> Engine:
    has_binlog = "binlog" in campaign.recipe.axes
    return engines.of(campaign.profile, workload, room, knob, has_binlog=has_binlog)


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


def _kept_of(
    campaign: Campaign, cell: Cell, recorded: Recording, outcomes: Sequence[Outcome]
) -> list[str]:
    """Keep the first state that lost something, and return a line about it, if there is one."""
    for outcome in outcomes:
        if outcome.lost or not outcome.consistent:
            room = campaign.folder / _FOLDER / cell.id
            room.mkdir(parents=True)
            states.keep(recorded, outcome.cut, room)
            content = {"workload": cell.workload, "mode": cell.durability, **asdict(outcome)}
            (room / _CUT).write_text(json.dumps(content, indent=1) + "\n")
            return [
                f"{cell.id}: a synced log lost {outcome.lost:,} of {outcome.acknowledged:,} "
                f"commits ({outcome.cut.strategy}, {outcome.problem}); the state is in {room}"
            ]
    return []
