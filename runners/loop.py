"""A campaign from its first session to its last."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import FrameType
from typing import Protocol

from .. import row
from ..errors import UsageError
from ..row import Row
from . import dataset, plan, record
from .campaign import Campaign
from .dataset import DataSet
from .lock import held, only_campaign
from .progress import Progress
from .session import Hooks, Interrupted, Session
from .workspace import workspace


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
    INTERRUPTED = "it was interrupted"


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
    machine = contextlib.nullcontext() if share_machine else only_campaign(campaign.id)
    with machine, held(campaign.folder), workspace(campaign):
        plan.require_room(campaign)
        campaign.save()
        progress = _so_far(campaign, screen.say)
        data_sets = {
            workload: dataset.prepare(campaign.profile, workload, campaign.data_root, screen.say)
            for workload in campaign.recipe.workloads
        }

        def enough(now: Progress) -> bool:
            screen.after_round(now)
            return _tight(campaign, now, estimator) or _spent(campaign, now)

        with _flag_on_signal() as interrupted:
            hooks = Hooks(screen.say, screen.after_slice, enough, interrupted)
            stop = _earlier_stop(campaign, progress, estimator)
            return Outcome(stop or _sessions(campaign, data_sets, progress, hooks), progress)


def _sessions(
    campaign: Campaign, data_sets: Mapping[str, DataSet], progress: Progress, hooks: Hooks
) -> Stop:
    while True:
        try:
            enough = Session(campaign, data_sets, progress, hooks).run()
        except Interrupted:
            return Stop.INTERRUPTED
        if hooks.interrupted():
            return Stop.INTERRUPTED
        hopeless = _hopeless(campaign, progress)
        if hopeless:
            return hopeless
        if _whole_budget(campaign, progress):
            return Stop.BUDGET
        if enough and not _spent(campaign, progress):
            return Stop.TIGHT


def _earlier_stop(campaign: Campaign, progress: Progress, estimator: Estimator) -> Stop | None:
    """Why a resumed campaign has nothing left to do, if so."""
    hopeless = _hopeless(campaign, progress)
    if hopeless or _tight(campaign, progress, estimator):
        return hopeless or Stop.TIGHT
    return Stop.BUDGET if _whole_budget(campaign, progress) else None


def _spent(campaign: Campaign, progress: Progress) -> bool:
    return progress.left_s(campaign) <= 0


def _whole_budget(campaign: Campaign, progress: Progress) -> bool:
    """An interval needs its sessions: a small budget shortens them, and does not drop any."""
    return _spent(campaign, progress) and progress.sessions >= campaign.profile.timing.min_sessions


def _hopeless(campaign: Campaign, progress: Progress) -> Stop | None:
    """Why no workload can give an overhead any more, if so."""
    if progress.worth_measuring(campaign):
        return None
    baselines = [cell.id for cell in campaign.cells if cell.is_baseline]
    return Stop.BASELINE if progress.failures.keys() & baselines else Stop.ALONE


def _tight(campaign: Campaign, progress: Progress, estimator: Estimator) -> bool:
    """Whether every overhead that can still get tighter is tight enough."""
    timing = campaign.profile.timing
    if progress.sessions < timing.min_sessions:
        return False
    measurable = {cell.id for cell in progress.worth_measuring(campaign)}
    widths = [
        estimate.half_width for estimate in estimator(progress.rows) if estimate.cell in measurable
    ]
    return all(width is not None and width <= timing.target_half_width for width in widths)


def _so_far(campaign: Campaign, say: Callable[[str], None]) -> Progress:
    """The rows of an earlier run of this campaign. A cell that failed stays failed."""
    if not campaign.rows_path.exists():
        return Progress()
    cut = row.truncate_half_line(campaign.rows_path)
    if cut:
        say(f"warning: dropped a half-written last line ({cut} bytes) of {campaign.rows_path}")
    rows = row.read(campaign.rows_path)
    _refuse_changed_devices(campaign, rows)
    say(f"resuming {campaign.id} after {len(rows)} rows")
    return Progress(rows, {r["cell"]: r["failure"] for r in rows if r["status"] == "failed"})


def _refuse_changed_devices(campaign: Campaign, rows: list[Row]) -> None:
    """Two latency models, or a model and a drive, must not meet in one cell."""
    for one in rows:
        now = record.digest(campaign.placements[one["cell"]])
        if one.get("placement_digest", now) != now:
            raise UsageError(
                f"--resume: {campaign.id}: device {one['device']} has changed since it began "
                "(its TOML, or your devices.toml); start a new campaign"
            )


@contextlib.contextmanager
def _flag_on_signal() -> Iterator[Callable[[], bool]]:
    """Turn the first Ctrl-C (or SIGTERM, SIGHUP) into a flag: a slice ends and is kept.

    The second one ends us at once.
    """
    seen: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        if seen:
            raise KeyboardInterrupt
        seen.append(number)

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {which: signal.signal(which, note) for which in numbers}
    try:
        yield lambda: bool(seen)
    finally:
        for which, handler in before.items():
            signal.signal(which, handler)
