"""Run a campaign from its first session to its last, and say how it goes after each round."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from .. import row
from ..axes import AXES
from ..base.folders import places
from ..base.printable import minutes
from . import plan
from .campaign import Campaign
from .cells.signals import noted
from .local import Local
from .progress import Estimate, Estimator, Progress, so_far
from .session import Hooks
from .stop_rule import Stop

Say = Callable[[str], None]
_NAMES = ("workload", "threads", *AXES, "device", "durability")
"""The columns by which cells are named, in this order."""


class Executor(Protocol):
    """One way of measuring. `local` is one, `hosts.executor` another. Use once."""

    on_hosts: bool  # whether rows name the host that they were measured on

    def opened(
        self, campaign: Campaign, progress: Progress, say: Say
    ) -> AbstractContextManager[Campaign]:
        """Hold what measures, check that it can, keep the campaign's description and prepare its
        data; yield the campaign as the loop counts it. REQUIRES: its folder is held. Errors:
        WaltaxError and UsageError.
        """
        ...

    def go_on(self, ended: frozenset[str], hooks: Hooks) -> None:
        """Measure until a session, or one of each host, has ended, or until a signal came.

        Workloads that have `ended` are left out. The progress has a row once `hooks.keep` took it.
        REQUIRES: within `opened`. Errors: WaltaxError when nothing more can be measured.
        """
        ...


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
    campaign: Campaign, estimator: Estimator, say: Say, executor: Executor | None = None
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
        stack.enter_context(places.results(campaign.folder, campaign.rows_path.exists))
        progress, began_s = so_far(campaign, say, on_hosts=executor.on_hosts), time.time()
        campaign = stack.enter_context(executor.opened(campaign, progress, say))
        screen = Screen(campaign, say, estimator, began_s)
        signals = stack.enter_context(noted())
        stack.enter_context(signals.finishing(_a_slice(campaign)))
        return Outcome(_sessions(campaign, executor, progress, screen, signals.came), progress)


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
) -> Mapping[str, Stop]:
    """Run sessions until every workload has ended; none if a resumed campaign has nothing to do."""
    while True:
        stops = _ended(campaign, progress, screen.estimator)
        if len(stops) == len(campaign.recipe.workloads):
            return stops
        ended = frozenset(stops)

        def enough(now: Progress, ended: frozenset[str] = ended) -> bool:
            screen.after_round(now)
            return _out_of_time(campaign, now, ended)

        keep = partial(row.append, campaign.rows_path)
        executor.go_on(ended, Hooks(keep, screen.say, enough, interrupted))
        if interrupted():
            return dict.fromkeys(campaign.recipe.workloads, Stop.INTERRUPTED)


def _out_of_time(campaign: Campaign, now: Progress, ended: frozenset[str]) -> bool:
    """Return whether the time of a session is over, after a round; intervals do not matter here.

    `ended` are the workloads that had ended when the session began.
    """
    if campaign.recipe.command is not None:
        return False  # how many rounds a session has was asked for
    rule = now.rule(campaign, ended)
    going_on = {cell.workload for cell in now.due(campaign, ended)}
    return all(rule.out_of_time(now.spent_s(workload)) for workload in going_on)


def _ended(campaign: Campaign, progress: Progress, estimator: Estimator) -> dict[str, Stop]:
    """Return why each workload that need not be measured further has ended, in the recipe's order.

    Call it only where a session has ended: see `stop_rule.Rule`.
    """
    worth = {cell.id: cell.workload for cell in progress.worth_measuring(campaign)}
    widths: dict[str, list[float | None]] = {}  # of the overheads that can still get tighter
    if progress.rule(campaign).has_sessions(progress.sessions):
        for estimate in estimator(progress.rows):
            if estimate.cell in worth:
                widths.setdefault(worth[estimate.cell], []).append(estimate.half_width)
    ended: dict[str, Stop] = {}
    for reasons in ({Stop.TIGHT}, set(Stop)):  # what the tight ones leave goes to the others
        rule = progress.rule(campaign, ended)
        for workload in set(worth.values()) - set(ended):
            spent_s = progress.spent_s(workload)
            sessions = progress.sessions - progress.before.get(workload, 0)
            stop = rule.at_session_end(sessions, spent_s, widths.get(workload, (None,)))
            if stop in reasons:
                ended[workload] = stop
    hopeless = dict.fromkeys(campaign.recipe.workloads, Stop.HOPELESS) | ended
    going_on = set(worth.values()) - set(ended)
    return {name: stop for name, stop in hopeless.items() if name not in going_on}


@dataclass
class Screen:
    """What a campaign says while it runs, and the wall-clock time that it takes at most."""

    campaign: Campaign
    say: Say
    estimator: Estimator
    began_s: float
    now_s: Callable[[], float] = time.time
    _sliced_before_s: float | None = field(default=None, init=False)

    def after_round(self, progress: Progress) -> None:
        """Say how long slices took, how much is left at most, its latest end, and the overheads."""
        spent, left = minutes(progress.spent_s()), minutes(progress.left_s(self.campaign))
        end = time.strftime("%H:%M", time.localtime(self.now_s() + self.left_s(progress)))
        last, overheads = progress.rows[-1], _overheads(self.estimator(progress.rows))
        self.say(
            f"[{spent}, at most {left} of slices left, by {end}]  session {last['session'] + 1} "
            f"round {last['round'] + 1}, {overheads or 'no overhead yet'}"
        )

    def left_s(self, progress: Progress) -> float:
        """Return the most wall-clock time that is left.

        The remaining slices are stretched as much as those so far were by the loading, starts and
        checks that they waited for.
        """
        if self._sliced_before_s is None:
            self._sliced_before_s = progress.spent_s() - row.driven_s(progress.rows[-1])
        sliced_s = progress.spent_s() - self._sliced_before_s
        spent_s = self.now_s() - self.began_s
        stretch = max(1.0, spent_s / sliced_s) if sliced_s > 0 else 1.0
        return progress.left_s(self.campaign) * stretch


def _overheads(estimates: Sequence[Estimate]) -> str:
    """Format the overheads, each with its device and with what differs between their cells."""
    cells = [estimate.at.columns for estimate in estimates]
    cells = [cell | {"threads": f"{cell['threads']} clients"} for cell in cells]
    differ = [name for name in _NAMES if len({cell[name] for cell in cells}) > 1]
    return ", ".join(
        " ".join(str(cell[name]) for name in _NAMES if name in (*differ, "device") and cell[name])
        + f" {_overhead(estimate)}"
        for cell, estimate in zip(cells, estimates, strict=True)
    )


def _overhead(estimate: Estimate) -> str:
    if estimate.overhead is None:
        return "?"
    text = f"{100 * estimate.overhead:.1f} %"
    if estimate.low is not None and estimate.high is not None:
        text += f" [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"
    return text
