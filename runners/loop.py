"""A campaign from its first session to its last."""

from __future__ import annotations

import contextlib
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from types import FrameType
from typing import Protocol

from .. import row
from ..devices.memory import SHM
from ..row import Row
from . import dataset, plan, session
from .campaign import Campaign, memory_folder
from .lock import only_campaign
from .session import Hooks, Interrupted, Progress


class Estimate(Protocol):
    """What the loop must know of an overhead; the analysis knows the rest."""

    @property
    def cell(self) -> str: ...
    @property
    def half_width(self) -> float | None: ...


Estimator = Callable[[list[Row]], Sequence[Estimate]]


class Stop(Enum):
    """Why a campaign ended."""

    TIGHT = "every interval is narrower than its target"
    BUDGET = "the time budget is spent"
    BASELINE = "the baseline `off` failed, so no overhead can be computed"
    ALONE = "every cell but the baseline failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Screen:
    """Where a campaign tells how it goes."""

    say: Callable[[str], None]
    after_slice: Callable[[Progress], None]
    after_round: Callable[[Progress], None]


@dataclass(frozen=True)
class Outcome:
    stop: Stop
    progress: Progress


def measure(
    campaign: Campaign, estimator: Estimator, screen: Screen, *, share_machine: bool = False
) -> Outcome:
    """Load, clone, measure until the intervals are tight or the budget is spent.

    Rows are appended to the campaign's rows.jsonl as they are measured; those that are
    there already (--resume) count. Errors: WaltaxError and UsageError before the first slice.
    """
    lock = contextlib.nullcontext() if share_machine else only_campaign(campaign.id)
    with lock, _clean(campaign, sweep=not share_machine), _flag_on_signal() as interrupted:
        plan.require_room(campaign)
        progress = _so_far(campaign, screen.say)
        campaign.save()
        data_set = dataset.prepare(campaign.profile, campaign.data_root, screen.say)

        def enough(now: Progress) -> bool:
            screen.after_round(now)
            return _tight(campaign, now, estimator)

        hooks = Hooks(screen.say, screen.after_slice, enough, interrupted)
        return Outcome(_sessions(campaign, data_set, progress, hooks), progress)


def _sessions(
    campaign: Campaign, data_set: dataset.DataSet, progress: Progress, hooks: Hooks
) -> Stop:
    while True:
        if progress.spent_s >= campaign.profile.timing.time_budget_s:
            return Stop.BUDGET
        try:
            done = session.run(campaign, data_set, progress.next_session, progress, hooks)
        except Interrupted:
            return Stop.INTERRUPTED
        hopeless = _hopeless(campaign, progress)
        if hopeless:
            return hopeless
        if done:
            return Stop.TIGHT if not _spent(campaign, progress) else Stop.BUDGET


def _spent(campaign: Campaign, progress: Progress) -> bool:
    return progress.spent_s >= campaign.profile.timing.time_budget_s


def _hopeless(campaign: Campaign, progress: Progress) -> Stop | None:
    alive = [cell for cell in campaign.cells if cell.id not in progress.failures]
    if not any(cell.is_baseline for cell in alive):
        return Stop.BASELINE
    return Stop.ALONE if len(alive) == 1 < len(campaign.cells) else None


def _tight(campaign: Campaign, progress: Progress, estimator: Estimator) -> bool:
    """Whether a session may end its campaign: tight intervals, or no budget left."""
    timing = campaign.profile.timing
    if _spent(campaign, progress):
        return True
    if len({r["session"] for r in progress.rows}) < timing.min_sessions:
        return False
    widths = [
        estimate.half_width
        for estimate in estimator(progress.rows)
        if estimate.cell not in progress.failures
    ]
    return all(width is not None and width <= timing.target_half_width for width in widths)


def _so_far(campaign: Campaign, say: Callable[[str], None]) -> Progress:
    """The rows of an earlier run of this campaign; its failed cells get another try."""
    if not campaign.rows_path.exists():
        return Progress()
    cut = row.truncate_half_line(campaign.rows_path)
    if cut:
        say(f"warning: dropped a half-written last line ({cut} bytes) of {campaign.rows_path}")
    rows = row.read(campaign.rows_path)
    say(f"resuming {campaign.id} after {len(rows)} rows")
    return Progress(rows)


@contextlib.contextmanager
def _clean(campaign: Campaign, *, sweep: bool) -> Iterator[None]:
    """Leave no clone and no emulated WAL behind; sweep up after campaigns that were killed.

    Only who holds the machine may sweep: elsewhere a campaign may be using its folders.
    """
    if sweep:
        for leftover in (campaign.data_root / "work").glob("*"):
            shutil.rmtree(leftover, ignore_errors=True)
        for leftover in SHM.glob(memory_folder("*")):
            shutil.rmtree(leftover, ignore_errors=True)
    try:
        yield
    finally:
        shutil.rmtree(campaign.work, ignore_errors=True)
        shutil.rmtree(SHM / memory_folder(campaign.id), ignore_errors=True)


@contextlib.contextmanager
def _flag_on_signal() -> Iterator[Callable[[], bool]]:
    """Turn the first Ctrl-C (or SIGTERM) into a flag, so that a slice ends and is kept.

    The second one ends us at once.
    """
    seen: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        if seen:
            raise KeyboardInterrupt
        seen.append(number)

    before = {which: signal.signal(which, note) for which in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(seen)
    finally:
        for which, handler in before.items():
            signal.signal(which, handler)
