"""Record and cut each cell of a campaign once, and keep the receipts as they come.

A state in which a synced log lost something is also kept.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from ..analysis.reports.receipts import KEPT, kept
from ..analysis.reports.recovery import MODES_KEPT
from ..base.errors import WaltaxError
from ..base.folders.machine import only_campaign
from ..base.terminal import say
from ..cell import Cell
from ..crash.recovery import modes
from ..crash.runs import cells, receipt, states
from ..engines.knobs import KNOBS

if TYPE_CHECKING:
    from rich.console import Console

    from ..crash.runs.recording import Recording
    from ..crash.runs.states import Outcome
    from ..runners.campaign import Campaign

_SAY_S = 30.0
_FOLDER, _CUT = "broken", "cut.json"


def cut(campaign: Campaign, console: Console, *, share_machine: bool) -> bool:
    """Keep receipts of a campaign's cells beside its rows, if its recipe has that.

    Return whether one failed, and say why: a synced log must lose nothing when names become durable
    in order, as in a journal. Cells that have receipts already, as after a resume, are skipped.
    """
    if campaign.recipe.cutting is None:
        return False
    against = []
    with only_campaign("receipts", share=share_machine) as notes:
        say(console, *(f"warning: {note}" for note in notes))
        for cell in _wanted(campaign):
            try:
                against += _cut(campaign, cell, console)
            except WaltaxError as error:
                against.append(f"{cell.id}: no receipt: {error}")
    say(console, *(f"FAILED {line}" for line in against))
    return bool(against)


def _wanted(campaign: Campaign) -> list[Cell]:
    """Return the cells without receipts; of a user's own program only the first of each mode.

    What its modes lose does not depend on the device; and where the tap answers syncs, as for the
    baseline, nothing is durable.
    """
    cutting, cells = campaign.recipe.cutting, list(campaign.cells)
    assert cutting is not None
    if campaign.recipe.command is not None:
        first = {cell.durability: cell for cell in reversed(cells) if not cell.is_baseline}
        cells = [cell for cell in cells if cell in first.values()]
    names = ("workload", "device", "mode", "knob", "names", "cuts")
    done = {tuple(row[name] for name in names) for row in kept(campaign.folder)}
    how = cutting.names, cutting.cuts
    return [
        cell
        for cell in cells
        if (cell.workload, cell.device, cell.durability, cell.knob, *how) not in done
    ]


def _cut(campaign: Campaign, cell: Cell, console: Console) -> list[str]:
    cutting, own, seed = campaign.recipe.cutting, campaign.recipe.command, campaign.recipe.seed
    assert cutting is not None
    with cells.recorded(campaign, cell, partial(say, console)) as (recorded, work):
        mode = cell.knob or cell.durability
        name = cell.device if cell.device == mode else f"{cell.device} {mode}"
        took = "" if own else f" in {cutting.seconds:g} s"
        say(console, f"{name}: {len(recorded.log.acks):,} commits acknowledged{took}")
        room = work / "state"
        room.mkdir()
        if own is None or own.data:  # what begins with nothing may not open then
            states.require_opens(recorded, room)
        cuts = receipt.cuts(recorded.log, cutting.cuts, cutting.states, cutting.names, seed)
        every = cutting.cuts * cutting.states
        outcomes = list(_counted(states.outcomes(recorded, cuts, room), name, every, console))
        if cutting.recovery_modes and cell.durability != "off":
            tried = modes.rows(campaign.profile, cell, recorded, cutting.cuts, work, seed)
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
