"""A session: fresh clones and processes for every cell, then rounds of slices."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from shutil import disk_usage

from .. import row
from ..errors import WaltaxError
from ..row import Row
from . import record
from .campaign import Campaign
from .dataset import DataSet
from .evidence import contradictions
from .live import LiveCell, alive
from .record import Position

_SCARCE_BYTES = 32 << 20  # with less than this free, a memtable cannot be flushed


class Interrupted(Exception):
    """Ctrl-C: the slice under way was finished and its row written."""


@dataclass
class Progress:
    """What a campaign has so far. Rows are on disk before they are here."""

    rows: list[Row] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)  # by cell id

    @property
    def spent_s(self) -> float:
        """Time in slices, the budget's currency."""
        return float(sum(r["warmup_s"] + r["measure_s"] for r in self.rows if r["status"] == "ok"))

    @property
    def next_session(self) -> int:
        return 1 + max((int(r["session"]) for r in self.rows), default=-1)


@dataclass(frozen=True)
class Hooks:
    """How the world takes part in a session."""

    say: Callable[[str], None]
    after_slice: Callable[[Progress], None]
    enough: Callable[[Progress], bool]  # asked after every round
    interrupted: Callable[[], bool]  # asked after every slice


def run(
    campaign: Campaign, data_set: DataSet, number: int, progress: Progress, hooks: Hooks
) -> bool:
    """Measure one session; true when the estimates are tight enough.

    A cell that fails is recorded and left out from then on; the others go on.
    Errors: Interrupted.
    """
    with contextlib.ExitStack() as stack:
        cells = _bring_up(campaign, data_set, number, progress, stack)
        done = False
        for round_number in range(campaign.profile.timing.rounds_per_session):
            _round(campaign, cells, number, round_number, progress, hooks)
            done = hooks.enough(progress)
            if done or not cells:
                break
        _check(campaign, cells, number, progress, hooks)
    return done


def _bring_up(
    campaign: Campaign,
    data_set: DataSet,
    number: int,
    progress: Progress,
    stack: contextlib.ExitStack,
) -> dict[str, LiveCell]:
    cells = {}
    for cell in campaign.cells:
        if cell.id in progress.failures:
            continue
        seed = campaign.recipe.seed + number
        try:
            cells[cell.id] = stack.enter_context(alive(campaign, cell, data_set, seed))
        except WaltaxError as error:
            if error.exit_code == 2:
                raise
            at = Position(number, 0, len(progress.rows))
            _fail(campaign, cell.id, at, str(error), progress)
    return cells


def _round(
    campaign: Campaign,
    cells: dict[str, LiveCell],
    session: int,
    round_number: int,
    progress: Progress,
    hooks: Hooks,
) -> None:
    """One slice of every cell, in an order drawn from the campaign's seed."""
    order = sorted(cells)
    random.Random(f"{campaign.recipe.seed}/{session}/{round_number}").shuffle(order)
    for cell_id in order:
        at = Position(session, round_number, len(progress.rows))
        try:
            _keep(campaign, _measured_row(campaign, cells[cell_id], at), progress)
        except WaltaxError as error:
            del cells[cell_id]
            _fail(campaign, cell_id, at, str(error), progress)
        hooks.after_slice(progress)
        if hooks.interrupted():
            raise Interrupted


def _measured_row(campaign: Campaign, live: LiveCell, at: Position) -> Row:
    timing = campaign.profile.timing
    warmup_s = timing.warmup_s if live.slices else timing.settle_s
    measured = live.measure(warmup_s, timing.measure_s)
    found = contradictions(live.cell, record.observed(measured))
    if found:
        raise WaltaxError(f"the evidence contradicts the label: {found[0]}")
    return record.accepted(campaign, live, at, measured)


def _check(
    campaign: Campaign,
    cells: dict[str, LiveCell],
    session: int,
    progress: Progress,
    hooks: Hooks,
) -> None:
    """Every cell's data must be consistent after its session, or its figures count for nothing."""
    for cell_id, live in cells.items():
        try:
            live.check()
        except WaltaxError as error:
            at = Position(session, campaign.profile.timing.rounds_per_session, len(progress.rows))
            _fail(campaign, cell_id, at, str(error), progress)
    hooks.say(f"session {session + 1}: {len(cells)} cells checked, {len(progress.failures)} failed")


def _keep(campaign: Campaign, one: Row, progress: Progress) -> None:
    row.append(campaign.rows_path, one)
    progress.rows.append(one)


def _fail(campaign: Campaign, cell_id: str, at: Position, why: str, progress: Progress) -> None:
    cell = next(cell for cell in campaign.cells if cell.id == cell_id)
    why = _scarce_space(campaign, cell_id) + why.replace(f"{cell_id}: ", "")
    progress.failures[cell_id] = why
    _keep(campaign, record.failed(campaign, cell, at, why), progress)


def _scarce_space(campaign: Campaign, cell_id: str) -> str:
    """A likely cause that a dying RocksDB may not have named."""
    wal_root = campaign.placements[cell_id].wal_root
    for folder in filter(None, (wal_root, campaign.data_root)):
        free = disk_usage(folder).free
        if free < _SCARCE_BYTES:
            return f"only {free >> 20} MiB of space left in {folder}; "
    return ""
