"""Tell how far a campaign has come, also by the rows of an earlier run, and what is left of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from .. import row, workloads
from ..base.errors import UsageError
from ..cell import Cell
from ..evidence import judgement
from ..row import Row, driven_s
from .campaign import Campaign
from .recipe import axes
from .stop_rule import Rule

_LONGEST_GAP_S = 60.0  # between two runs of a command; if longer, it was interrupted and resumed


class Estimate(Protocol):
    """What a campaign needs of an overhead, as fractions; the analysis knows the rest."""

    @property
    def cell(self) -> str: ...
    @property
    def at(self) -> Cell: ...
    @property
    def overhead(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def half_width(self) -> float | None: ...


Estimator = Callable[[list[Row]], Sequence[Estimate]]


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

    def left(self, campaign: Campaign, ended: Collection[str] = ()) -> dict[str, float]:
        """Return the same for each workload that goes on and can give an overhead."""
        budget_s = self.rule(campaign, ended).budget_s
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


def so_far(campaign: Campaign, say: Callable[[str], None], *, on_hosts: bool) -> Progress:
    """Return the progress that an earlier run's rows stand for, and judge them again.

    A cell that failed stays failed, unless its program was killed from outside.

    Errors: UsageError for rows that must not meet those measured now.
    """
    if not campaign.rows_path.exists():
        return Progress()
    cut = row.truncate_half_line(campaign.rows_path)
    if cut:
        say(f"warning: dropped a half-written last line ({cut} bytes) of {campaign.rows_path}")
    rows = judgement.read(campaign.rows_path)
    for why in _against(campaign, rows, on_hosts=on_hosts):
        raise UsageError(f"--resume: {campaign.id}: {why}")
    say(f"resuming {campaign.id} after {len(rows)} rows")
    failures = row.failures(rows)
    left = row.standing(rows)
    killed = [r for r in left if row.is_killed(r) and r["cell"] not in failures]
    for cell in {r["cell"] for r in killed}:
        say(f"{cell} is measured again: its program was killed")
    return Progress(rows, failures, {r["workload"]: int(r["session"]) + 1 for r in killed})


def _against(campaign: Campaign, rows: list[Row], *, on_hosts: bool) -> Iterator[str]:
    """Yield why rows must not meet those measured now, and what to do.

    Others would be compared without ever getting a round, or estimates would mix two places.
    """
    host = next((taken["host"] for taken in rows if taken.get("host")), "")
    if on_hosts and not all(taken.get("host") for taken in rows):
        yield (
            "was begun on one machine alone, and its rows name no host; leave --hosts out, or "
            "start a new campaign"
        )
    if host and not on_hosts:
        yield (
            f"was measured on hosts, {host} among them; type --hosts with the address of their "
            "scheduler, too"
        )
    cells = {cell.id: cell for cell in campaign.cells}
    for taken in rows:
        if taken["cell"] not in cells:
            yield (
                f"found rows of {taken['cell']}, a cell that is not planned any more (a device's "
                "file has another name in it); start a new campaign"
            )
        elif not on_hosts:  # each host compares its own
            yield from _changed(campaign, cells[taken["cell"]], taken)


def _changed(campaign: Campaign, cell: Cell, taken: Row) -> Iterator[str]:
    """Yield what is another than for a row: its drive, file of options, or device."""
    placement, profile = campaign.placements[cell.id], campaign.profile_of(cell)
    now = {"placement_digest": placement.digest, **axes.columns(campaign, cell)}
    if placement.is_elsewhere(taken.get("placement_digest", placement.digest)):
        yield (
            f"device {cell.device}: its directory {placement.wal_root or campaign.data_root} is on "
            "another file system or disk than when the campaign began; mount it again, or start a "
            "new campaign"
        )
    if taken.get("options") and taken["profile_digest"] != profile.digest:
        yield "a file of --options has changed since it began; start a new campaign"
    if any(taken.get(name, value) != value for name, value in now.items()):
        yield (
            f"device {cell.device} has changed since it began (its TOML, or your devices.toml); "
            "start a new campaign"
        )
