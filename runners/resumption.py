"""Read the rows of an earlier run, with which a campaign goes on."""

from __future__ import annotations

from collections.abc import Callable

from .. import row
from ..base.errors import UsageError
from ..evidence import judgement
from ..row import Row
from .campaign import Campaign
from .progress import Progress
from .recipe import axes


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
    _refuse_elsewhere(campaign, rows, on_hosts=on_hosts)
    _refuse_unplanned(campaign, rows)
    if not on_hosts:  # each host compares its own
        _refuse_changed_devices(campaign, rows)
    say(f"resuming {campaign.id} after {len(rows)} rows")
    failures = row.failures(rows)
    left = row.standing(rows)
    killed = [r for r in left if row.is_killed(r) and r["cell"] not in failures]
    for cell in {r["cell"] for r in killed}:
        say(f"{cell} is measured again: its program was killed")
    return Progress(rows, failures, {r["workload"]: int(r["session"]) + 1 for r in killed})


def _refuse_elsewhere(campaign: Campaign, rows: list[Row], *, on_hosts: bool) -> None:
    """Raise UsageError if hosts measured the rows and none are to measure now, or the reverse."""
    if on_hosts and not all(taken.get("host") for taken in rows):
        raise UsageError(
            f"--hosts: {campaign.id} was begun on one machine alone, and its rows name no host; "
            "leave --hosts out, or start a new campaign"
        )
    host = next((taken["host"] for taken in rows if taken.get("host")), "")
    if host and not on_hosts:
        raise UsageError(
            f"--resume: {campaign.id} was measured on hosts, {host} among them; type --hosts with "
            "the address of their scheduler, too"
        )


def _refuse_unplanned(campaign: Campaign, rows: list[Row]) -> None:
    """Refuse rows of unplanned cells, which get no more rounds but would still be compared."""
    unknown = [taken["cell"] for taken in rows if taken["cell"] not in campaign.placements]
    if unknown:
        raise UsageError(
            f"--resume: {campaign.id}: found rows of {unknown[0]}, a cell that is not planned any "
            "more (a device's file has another name in it); start a new campaign"
        )


def _refuse_changed_devices(campaign: Campaign, rows: list[Row]) -> None:
    """Refuse rows of another model, drive or file of options: they must not meet in one cell."""
    cells = {cell.id: cell for cell in campaign.cells}
    for taken in rows:
        placement = campaign.placements[taken["cell"]]
        now = placement.digest
        kept = taken.get("placement_digest", now)
        if placement.is_elsewhere(kept):
            raise UsageError(
                f"--resume: {campaign.id}: device {taken['device']}: its directory "
                f"{placement.wal_root or campaign.data_root} is on another file system or disk "
                "than when the campaign began; mount it again, or start a new campaign"
            )
        columns = axes.columns(campaign, cells[taken["cell"]])
        same = all(taken.get(name, value) == value for name, value in columns.items())
        profile = campaign.profile_of(cells[taken["cell"]])
        if taken.get("options") and taken["profile_digest"] != profile.digest:
            raise UsageError(
                f"--resume: {campaign.id}: a file of --options has changed since it began; start a "
                "new campaign"
            )
        if kept != now or not same:
            raise UsageError(
                f"--resume: {campaign.id}: device {taken['device']} has changed since it began "
                "(its TOML, or your devices.toml); start a new campaign"
            )
