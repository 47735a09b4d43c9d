"""Tell how far a campaign has come, and what is left of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from .. import workloads
from ..cell import Cell
from ..row import Row, driven_s
from .campaign import Campaign
from .stop_rule import Rule

_LONGEST_GAP_S = 60.0  # between two runs of a command; if longer, it was interrupted and resumed


@dataclass
class Progress:
    """What a campaign has measured so far. Rows are on disk before they are here."""

    rows: list[Row] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)  # by cell id
    # By workload, how many sessions preceded a new attempt at one of its cells.
    before: dict[str, int] = field(default_factory=dict)

    @property
    def sessions(self) -> int:
        """How many sessions have begun; also the next one's number, since they count from 0."""
        return 1 + max((int(r["session"]) for r in self.rows), default=-1)

    def spent_s(self, workload: str | None = None) -> float:
        """Return the time spent in slices and in what cells do between them to settle and to catch
        up, the budget's currency, of one workload or of all.

        The time between the runs of a command counts, too: starting its servers may take longer
        than it does.
        """
        rows = [r for r in self.rows if r["status"] == "ok" and workload in (None, r["workload"])]
        unmeasured_s = sum(row.get("unmeasured_s") or 0.0 for row in rows)
        return sum(map(driven_s, rows)) + unmeasured_s + sum(map(_between_s, rows, rows[1:]))

    def left_s(self, campaign: Campaign) -> float:
        """Return the most time that may still go into slices."""
        return sum(self.left(campaign).values())

    def left(
        self, campaign: Campaign, ended: Collection[str] = (), rule: Rule | None = None
    ) -> dict[str, float]:
        """Return the same for each workload that goes on; a rule of None is the profile's.
        Workloads that cannot give an overhead are left out.
        """
        budget_s = (rule or Rule.of(campaign.profile.timing)).budget_s
        going_on = {cell.workload for cell in self.due(campaign, ended)}
        return {workload: max(0.0, budget_s - self.spent_s(workload)) for workload in going_on}

    def rule(self, campaign: Campaign, ended: Collection[str] = ()) -> Rule:
        """Return the rule of a workload that goes on, with its part of what ended ones left.

        So the time goes where intervals are wide. A workload that can give no overhead leaves none.
        """
        workloads = {cell.workload for cell in self.worth_measuring(campaign)}
        going_on, rule = workloads - set(ended), Rule.of(campaign.profile.timing)
        left_s = sum(max(0.0, rule.budget_s - self.spent_s(name)) for name in workloads - going_on)
        return replace(rule, budget_s=rule.budget_s + left_s / max(1, len(going_on)))

    def due(self, campaign: Campaign, ended: Collection[str] = ()) -> list[Cell]:
        """Return the cells of the next session: without the workloads that have ended."""
        return [cell for cell in self.worth_measuring(campaign) if cell.workload not in ended]

    def worth_measuring(self, campaign: Campaign) -> list[Cell]:
        """Return the cells that have not failed and can still give an overhead.

        A cell cannot do so without its baseline, nor a baseline without anything to compare with.
        """
        alive = [cell for cell in campaign.cells if cell.id not in self.failures]
        return [cell for cell in alive if _comparable(campaign, alive, cell.baseline_id)]


def _between_s(earlier: Row, later: Row) -> float:
    """Return the time between two runs of a command, capped in case of a resume in between."""
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
