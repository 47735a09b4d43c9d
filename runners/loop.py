"""Run a campaign from its first session to its last."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from .. import row
from ..base.folders import places
from ..cell import Cell
from ..row import Row
from . import plan, resumption
from .campaign import Campaign
from .cells.signals import noted
from .local import Local
from .progress import Progress
from .session import Hooks
from .stop_rule import Stop


class Estimate(Protocol):
    """What the loop needs of an overhead; the analysis knows the rest."""

    @property
    def cell(self) -> str: ...
    @property
    def half_width(self) -> float | None: ...


Estimator = Callable[[list[Row]], Sequence[Estimate]]


class Executor(Protocol):
    """One way of measuring. `local` is one, `hosts.executor` another. Use once."""

    on_hosts: bool  # whether rows name the host that they were measured on

    def held(
        self, campaign: Campaign, say: Callable[[str], None]
    ) -> AbstractContextManager[Campaign]:
        """Hold what measures and check that it can; yield the campaign as the loop counts it.

        Errors: WaltaxError and UsageError, before anything is written.
        """
        ...

    def opened(
        self, campaign: Campaign, progress: Progress, say: Callable[[str], None]
    ) -> AbstractContextManager[None]:
        """Keep the campaign's description and prepare its data. REQUIRES: within `held`, while its
        folder is held. Errors: WaltaxError and UsageError.
        """
        ...

    def go_on(self, ended: frozenset[str], hooks: Hooks) -> None:
        """Measure until a session, or one of each host, has ended, or until a signal came.

        Workloads that have `ended` are left out. The progress has a row once `hooks.keep` took it.
        REQUIRES: within `opened`. Errors: WaltaxError when nothing more can be measured.
        """
        ...


@dataclass(frozen=True)
class Screen:
    """Where a campaign tells how it goes."""

    say: Callable[[str], None]
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
        """One clause when the workloads agree; otherwise one for each workload."""
        clauses = [stop.value for stop in self.stops.values()]
        if len(set(clauses)) == 1:
            return clauses[0]
        return "; ".join(f"{workload}: {stop.value}" for workload, stop in self.stops.items())


def measure(
    campaign: Campaign, estimator: Estimator, screen: Screen, executor: Executor | None = None
) -> Outcome:
    """Load, clone, and measure each workload until its intervals are tight or its budget is spent.

    A workload that is tight rests, and leaves its unspent time to the others. Rows are appended to
    the campaign's rows.jsonl as they are measured; those that are already there (--resume) count.
    `executor` says where to measure; None means here, with nobody else measuring. Errors:
    WaltaxError and UsageError before the first slice; with hosts also when none is left.
    """
    executor = executor or Local()
    plan.require_sense(campaign)
    with contextlib.ExitStack() as stack:
        campaign = stack.enter_context(executor.held(campaign, screen.say))
        stack.enter_context(places.results(campaign.folder, campaign.rows_path.exists))
        progress = resumption.so_far(campaign, screen.say, on_hosts=executor.on_hosts)
        stack.enter_context(executor.opened(campaign, progress, screen.say))

        with noted() as signals, signals.finishing(_a_slice(campaign)):
            stops = _sessions(campaign, executor, progress, screen, signals.came, estimator)
            return Outcome(stops, progress)


def _a_slice(campaign: Campaign) -> str:
    """Say what a campaign still finishes after it was asked to end, and how long that takes."""
    if plan.plan(campaign).whole_runs:  # these take any time
        return "the run under way"
    timing = campaign.profile.timing
    longest_s = max(timing.settle_s, timing.warmup_s) + timing.measure_s
    return f"this slice, {math.ceil(longest_s)} s at most, and its checks"


def _sessions(
    campaign: Campaign,
    executor: Executor,
    progress: Progress,
    screen: Screen,
    interrupted: Callable[[], bool],
    estimator: Estimator,
) -> Mapping[str, Stop]:
    """Run sessions until every workload has ended; none if a resumed campaign has nothing to do."""
    while True:
        stops = _ended(campaign, progress, estimator)
        if len(stops) == len(campaign.recipe.workloads):
            return stops
        enough = _out_of_time(campaign, frozenset(stops), screen)
        keep = partial(row.append, campaign.rows_path)
        hooks = Hooks(keep, screen.say, enough, interrupted)
        executor.go_on(frozenset(stops), hooks)
        if interrupted():
            return dict.fromkeys(campaign.recipe.workloads, Stop.INTERRUPTED)


def _out_of_time(
    campaign: Campaign, ended: frozenset[str], screen: Screen
) -> Callable[[Progress], bool]:
    """Return the check, made after each round, whether the time of a session is over.

    `ended` are the workloads that had ended when the session began. Intervals do not matter here.
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
    """Return why each workload that need not be measured further has ended, in the recipe's order.

    Call it only where a session has ended: see `stopping.Rule`.
    """
    worth = progress.worth_measuring(campaign)
    may_end = progress.rule(campaign).has_sessions(progress.sessions)
    widths = _half_widths(worth, progress, estimator) if may_end else {}
    ended: dict[str, Stop] = {}
    for reasons in ({Stop.TIGHT}, set(Stop)):  # what the tight ones leave goes to the others
        rule = progress.rule(campaign, ended)
        for workload in {cell.workload for cell in worth} - set(ended):
            spent_s = progress.spent_s(workload)
            sessions = progress.sessions - progress.before.get(workload, 0)
            stop = rule.at_session_end(sessions, spent_s, widths.get(workload, (None,)))
            if stop in reasons:
                ended[workload] = stop
    going_on = {cell.workload for cell in worth} - set(ended)
    stops = {name: ended.get(name, Stop.HOPELESS) for name in campaign.recipe.workloads}
    return {workload: stop for workload, stop in stops.items() if workload not in going_on}


def _half_widths(
    worth: Sequence[Cell], progress: Progress, estimator: Estimator
) -> dict[str, list[float | None]]:
    """Return, by workload, the half-widths of the overheads that can still get tighter."""
    workloads = {cell.id: cell.workload for cell in worth}
    half_widths: dict[str, list[float | None]] = {}
    for estimate in estimator(progress.rows):
        if estimate.cell in workloads:
            half_widths.setdefault(workloads[estimate.cell], []).append(estimate.half_width)
    return half_widths
