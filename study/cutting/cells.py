"""A campaign's cells, each recorded once and cut: their receipts are kept as they come."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from ...analysis.reports.receipts import KEPT, kept
from ...cell import Cell
from ...errors import WaltaxError
from ...owned.machine import only_campaign
from ...receipts.runs import receipt, states
from ...runners.cells.cutting import WORKLOADS
from ...runners.cells.driver import loading
from ...terminal import say
from . import broken, recording

if TYPE_CHECKING:
    from rich.console import Console

    from ...receipts.runs.receipt import Receipt
    from ...receipts.runs.states import Outcome
    from ...runners.campaign import Campaign

_SAY_S = 30.0


def cut(campaign: Campaign, console: Console, *, share_machine: bool) -> list[str]:
    """Keep receipts of a campaign's cells beside its rows; a line for each that broke the law.

    Nothing may be lost of a synced log under a journal's names. Cells that have their receipts
    already, as after a resume, are left out; one that cannot be recorded is a line, too.
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
        if name not in WORKLOADS:
            say(console, f"{name}: no receipt, since its driver does not log acknowledgements")
    done = {
        (*(one[name] for name in ("workload", "device", "mode", "names")), one["cuts"])
        for one in kept(campaign.folder)
    }
    return [
        cell
        for cell in campaign.cells
        if cell.workload in WORKLOADS
        and not (cell.replica or cell.knob or cell.rung)
        and (cell.workload, cell.device, cell.durability, cutting.names, cutting.cuts) not in done
    ]


def _cut(campaign: Campaign, cell: Cell, console: Console) -> list[str]:
    cutting = campaign.recipe.cutting
    assert cutting is not None
    data = loading.prepare(
        campaign.profile, cell.workload, campaign.data_root, lambda text: say(console, text)
    )
    with recording.rooms(campaign, cell) as (work, logs):
        recorded = recording.record(campaign, cell, data, work, logs)
        acknowledged = len(recorded.log.acks)
        name = cell.device if cell.device == cell.durability else f"{cell.device} {cell.durability}"
        say(console, f"{name}: {acknowledged:,} commits acknowledged in {cutting.seconds:g} s")
        room = work / "state"
        room.mkdir()
        states.require_opens(recorded, room)
        cuts = receipt.cuts(
            recorded.log, cutting.cuts, cutting.states, cutting.names, campaign.recipe.seed
        )
        every = cutting.cuts * cutting.states
        outcomes = list(_told(states.outcomes(recorded, cuts, room), name, every, console))
        _keep(campaign, list(receipt.of(cell, recorded.log, outcomes)))
        if cell.durability == "sync" and cutting.names == "journal":
            return broken.kept_of(campaign, cell, recorded, outcomes)
    return []


def _told(
    outcomes: Iterator[Outcome], name: str, every: int, console: Console
) -> Iterator[Outcome]:
    """Say now and then how many states were looked at."""
    said = time.monotonic()
    for number, one in enumerate(outcomes, 1):
        yield one
        if time.monotonic() - said > _SAY_S:
            said = time.monotonic()
            say(console, f"{name}: looked at {number:,} of {every:,} states")


def _keep(campaign: Campaign, found: list[Receipt]) -> None:
    with (campaign.folder / KEPT).open("a") as file:
        file.writelines(json.dumps(asdict(one)) + "\n" for one in found)
