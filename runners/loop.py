"""A campaign from its first session to its last."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from .. import doctor, row
from ..cell import Cell
from ..errors import UsageError
from ..evidence import kept as evidence
from ..harness.signals import as_ctrl_c, noted
from ..owned import places
from ..owned.machine import only_campaign
from ..row import Row
from . import bring_up, checkup, environment, plan, record
from .around import around
from .campaign import Campaign
from .progress import Progress
from .session import Hooks, Interrupted, Session
from .stopping import Stop
from .workspace import sweep, workspace


class Estimate(Protocol):
    """What the loop must know of an overhead; the analysis knows the rest."""

    @property
    def cell(self) -> str: ...
    @property
    def half_width(self) -> float | None: ...


Estimator = Callable[[list[Row]], Sequence[Estimate]]


@dataclass(frozen=True)
class Screen:
    """Where a campaign tells how it goes."""

    say: Callable[[str], None]
    after_slice: Callable[[Progress], None]
    after_round: Callable[[Progress], None]


@dataclass(frozen=True)
class Outcome:
    """How a campaign ended."""

    stops: Mapping[str, Stop]  # by workload
    progress: Progress

    @property
    def interrupted(self) -> bool:
        return Stop.INTERRUPTED in self.stops.values()

    @property
    def tight(self) -> list[str]:
        """The workloads that ended because all their intervals were narrow."""
        return [workload for workload, stop in self.stops.items() if stop is Stop.TIGHT]

    @property
    def reason(self) -> str:
        """One clause when the workloads agree; else each workload's."""
        clauses = [stop.value for stop in self.stops.values()]
        if len(set(clauses)) == 1:
            return clauses[0]
        return "; ".join(f"{workload}: {stop.value}" for workload, stop in self.stops.items())


def measure(
    campaign: Campaign, estimator: Estimator, screen: Screen, *, share_machine: bool = False
) -> Outcome:
    """Load, clone, measure until of each workload the intervals are tight or the budget is spent.

    A workload that is tight rests, and leaves what it has not spent to one that is not.
    Rows are appended to the campaign's rows.jsonl as they are measured; those that are
    there already (--resume) count. Errors: WaltaxError and UsageError before the first slice.
    """
    plan.require_sense(campaign)
    with contextlib.ExitStack() as stack:
        stack.enter_context(as_ctrl_c())
        for note in stack.enter_context(only_campaign(campaign.id, share=share_machine)):
            screen.say(f"warning: {note}")
        for note in environment.dropped():
            screen.say(f"warning: {note}")
        for left in sweep(campaign):
            screen.say(left)
        plan.require_room(campaign)
        stack.enter_context(places.results(campaign.folder, campaign.rows_path.exists))
        campaign = stack.enter_context(workspace(campaign))
        _keep(campaign, screen.say)
        progress = _so_far(campaign, screen.say)
        sets = bring_up.prepare(campaign, screen.say)

        under_way = next(filter(None, (life.UNDER_WAY for life, _ in campaign.lots())), "")
        with noted() as signals, signals.finishing(under_way or _a_slice(campaign)):
            stops = _sessions(campaign, sets, progress, screen, signals.came, estimator)
            return Outcome(stops, progress)


def _a_slice(campaign: Campaign) -> str:
    """What ends before a campaign does that was asked to, and how long that takes at most."""
    if plan.plan(campaign).whole_runs:  # which take as long as they take
        return "the run under way"
    timing = campaign.profile.timing
    longest_s = max(timing.settle_s, timing.warmup_s) + timing.measure_s
    return f"this slice, {math.ceil(longest_s)} s at most, and its checks"


def _keep(campaign: Campaign, say: Callable[[str], None]) -> None:
    """What was asked for, and what the machine is like before anything of ours runs on it."""
    if campaign.is_kept:
        return
    findings = checkup.examine(campaign)
    campaign.save(findings)
    say(f"doctor: {doctor.in_a_line(findings)}; in full: waltax doctor")


def _sessions(
    campaign: Campaign,
    sets: Mapping[str, Path | None],
    progress: Progress,
    screen: Screen,
    interrupted: Callable[[], bool],
    estimator: Estimator,
) -> Mapping[str, Stop]:
    """Sessions until every workload has ended; none when a resumed campaign has nothing to do."""
    while True:
        stops = _ended(campaign, progress, estimator)
        if len(stops) == len(campaign.recipe.workloads):
            return stops
        enough = _out_of_time(campaign, frozenset(stops), screen)
        hooks = Hooks(screen.say, screen.after_slice, enough, interrupted)
        with contextlib.suppress(Interrupted), around(campaign, progress.sessions, screen.say):
            Session(campaign, sets, progress, hooks, ended=frozenset(stops)).run()
        if interrupted():
            return dict.fromkeys(campaign.recipe.workloads, Stop.INTERRUPTED)


def _out_of_time(
    campaign: Campaign, ended: frozenset[str], screen: Screen
) -> Callable[[Progress], bool]:
    """Whether a session ends before its last round, asked after each: by time, and no interval.

    `ended` are the workloads that had ended when the session began.
    """

    def ends(now: Progress) -> bool:
        screen.after_round(now)
        if campaign.recipe.command is not None:
            return False  # how many rounds a session has was asked for
        rule = now.rule(campaign, ended)
        going_on = {cell.workload for cell in now.due(campaign, ended)}
        return all(rule.out_of_time(now.spent_s(workload)) for workload in going_on)

    return ends


def _ended(campaign: Campaign, progress: Progress, estimator: Estimator) -> dict[str, Stop]:
    """Why each workload that need not be measured on has ended, in the recipe's order.

    To be asked where a session has ended: see `stopping.Rule`.
    """
    worth, sessions = progress.worth_measuring(campaign), progress.sessions
    looks = progress.rule(campaign).looks(sessions)
    widths = _half_widths(worth, progress, estimator) if looks else {}
    ended: dict[str, Stop] = {}
    for only in (Stop.TIGHT, Stop.BUDGET):  # what the first leave, the others have
        rule = progress.rule(campaign, ended)
        for workload in {cell.workload for cell in worth} - set(ended):
            spent_s = progress.spent_s(workload)
            stop = rule.at_session_end(sessions, spent_s, widths.get(workload, (None,)))
            if stop is only:
                ended[workload] = stop
    known = {one: ended.get(one) for one in campaign.recipe.workloads}
    hopeless = known.keys() - {cell.workload for cell in worth}
    known |= {one: _hopeless(campaign, progress, one) for one in hopeless}
    return {workload: stop for workload, stop in known.items() if stop is not None}


def _hopeless(campaign: Campaign, progress: Progress, workload: str) -> Stop:
    """Why a workload that is not worth measuring cannot give an overhead any more."""
    planned = [cell for cell in campaign.cells if cell.workload == workload]
    failed = [cell.id in progress.failures for cell in planned if cell.is_baseline]
    if not any(failed):
        return Stop.ALONE
    # Each device may have a baseline of its own.
    return Stop.BASELINE if all(failed) else Stop.APART


def _half_widths(
    worth: Sequence[Cell], progress: Progress, estimator: Estimator
) -> dict[str, list[float | None]]:
    """By workload, those of the overheads that can still get tighter."""
    workloads = {cell.id: cell.workload for cell in worth}
    found: dict[str, list[float | None]] = {}
    for estimate in estimator(progress.rows):
        if estimate.cell in workloads:
            found.setdefault(workloads[estimate.cell], []).append(estimate.half_width)
    return found


def _so_far(campaign: Campaign, say: Callable[[str], None]) -> Progress:
    """The rows of an earlier run, judged again. A cell that failed stays failed."""
    if not campaign.rows_path.exists():
        return Progress()
    cut = row.truncate_half_line(campaign.rows_path)
    if cut:
        say(f"warning: dropped a half-written last line ({cut} bytes) of {campaign.rows_path}")
    rows = evidence.read(campaign.rows_path)
    _refuse_unplanned(campaign, rows)
    _refuse_changed_devices(campaign, rows)
    say(f"resuming {campaign.id} after {len(rows)} rows")
    return Progress(rows, {r["cell"]: r["failure"] for r in rows if r["status"] == "failed"})


def _refuse_unplanned(campaign: Campaign, rows: list[Row]) -> None:
    """A cell that gets no more rounds would be compared all the same."""
    unknown = [taken["cell"] for taken in rows if taken["cell"] not in campaign.placements]
    if unknown:
        raise UsageError(
            f"--resume: {campaign.id}: found rows of {unknown[0]}, a cell that is not planned any "
            "more (a device's file has another name in it); start a new campaign"
        )


def _refuse_changed_devices(campaign: Campaign, rows: list[Row]) -> None:
    """Two latency models, or a model and a drive, must not meet in one cell."""
    for taken in rows:
        placement = campaign.placements[taken["cell"]]
        now = record.digest(placement)
        kept = taken.get("placement_digest", now)
        if record.is_elsewhere(placement, kept):
            raise UsageError(
                f"--resume: {campaign.id}: device {taken['device']}: its directory "
                f"{placement.wal_root or campaign.data_root} is on another file system or disk "
                "than when the campaign began; mount it again, or start a new campaign"
            )
        binlog = campaign.binlogs.get(taken["cell"])
        told = record.binlog_identity(binlog)
        same = all(taken.get(name, value) == value for name, value in told.items())
        if kept != now or not same:
            raise UsageError(
                f"--resume: {campaign.id}: device {taken['device']} has changed since it began "
                "(its TOML, or your devices.toml); start a new campaign"
            )
