"""How far a campaign has come, and what is left of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from .. import workloads
from ..cell import Cell
from ..row import Row, driven_s
from .campaign import Campaign
from .stopping import Rule

_LONGEST_GAP_S = 60.0  # between two runs of a command: then it was interrupted, and resumed


@dataclass
class Progress:
    """What a campaign has so far. Rows are on disk before they are here."""

    rows: list[Row] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)  # by cell id
    # By workload, the sessions before a cell of it was tried again.
    before: dict[str, int] = field(default_factory=dict)

    @property
    def sessions(self) -> int:
        """How many have begun; also the number of the next, since they count from 0."""
        return 1 + max((int(r["session"]) for r in self.rows), default=-1)

    def spent_s(self, workload: str | None = None) -> float:
        """Time in slices, the budget's currency: one workload's, or all.

        The time between the runs of a command counts, too: to start its servers may take longer
        than it does.
        """
        rows = [r for r in self.rows if r["status"] == "ok" and workload in (None, r["workload"])]
        return sum(map(driven_s, rows)) + sum(map(_between_s, rows, rows[1:]))

    def left_s(self, campaign: Campaign) -> float:
        """The most that may still go into slices."""
        return sum(self.left(campaign).values())

    def left(
        self, campaign: Campaign, ended: Collection[str] = (), rule: Rule | None = None
    ) -> dict[str, float]:
        """The same by workload that goes on; None: by the profile's rule. A workload that can give
        nothing has none.
        """
        budget_s = (rule or Rule.of(campaign.profile.timing)).budget_s
        going_on = {cell.workload for cell in self.due(campaign, ended)}
        return {one: max(0.0, budget_s - self.spent_s(one)) for one in going_on}

    def rule(self, campaign: Campaign, ended: Collection[str] = ()) -> Rule:
        """That of a workload that goes on, whose budget the ones that ended leave theirs to.

        So the time goes where intervals are wide. A workload that can give nothing leaves none.
        """
        workloads = {cell.workload for cell in self.worth_measuring(campaign)}
        going_on, rule = workloads - set(ended), Rule.of(campaign.profile.timing)
        left_s = sum(max(0.0, rule.budget_s - self.spent_s(one)) for one in workloads - going_on)
        return replace(rule, budget_s=rule.budget_s + left_s / max(1, len(going_on)))

    def due(self, campaign: Campaign, ended: Collection[str] = ()) -> list[Cell]:
        """The cells of the next session: without the workloads that have ended."""
        return [cell for cell in self.worth_measuring(campaign) if cell.workload not in ended]

    def worth_measuring(self, campaign: Campaign) -> list[Cell]:
        """The cells that have not failed and can still give an overhead.

        A cell cannot without its baseline, nor a baseline without anything to compare with it.
        """
        alive = [cell for cell in campaign.cells if cell.id not in self.failures]
        return [cell for cell in alive if _comparable(campaign, alive, cell.baseline_id)]


def _between_s(earlier: Row, later: Row) -> float:
    """The time between two runs of a command, no longer than a resume may have been away."""
    if workloads.of(later["workload"]).sized:
        return 0.0
    gap_s: float = later["start_unix_s"] - earlier["start_unix_s"] - earlier["measure_s"]
    return min(max(0.0, gap_s), _LONGEST_GAP_S)


def _comparable(campaign: Campaign, alive: list[Cell], baseline_id: str) -> bool:
    planned, left = (
        [cell for cell in cells if cell.baseline_id == baseline_id and not cell.is_twin]
        for cells in (campaign.cells, alive)
    )
    return any(cell.is_baseline for cell in left) and (len(left) > 1 or len(planned) == 1)
