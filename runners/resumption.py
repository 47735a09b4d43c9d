"""Read the rows of an earlier run, with which a campaign goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .. import row
from ..base.errors import UsageError
from ..cell import Cell
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
        if taken["cell"] not in campaign.placements:
            yield (
                f"found rows of {taken['cell']}, a cell that is not planned any more (a device's "
                "file has another name in it); start a new campaign"
            )
        elif not on_hosts:  # each host compares its own
            yield from _changed(campaign, cells[taken["cell"]], taken)


def _changed(campaign: Campaign, cell: Cell, taken: Row) -> Iterator[str]:
    """Yield what is another than for a row: its model, drive or file of options."""
    placement = campaign.placements[cell.id]
    kept = taken.get("placement_digest", placement.digest)
    if placement.is_elsewhere(kept):
        yield (
            f"device {cell.device}: its directory {placement.wal_root or campaign.data_root} is on "
            "another file system or disk than when the campaign began; mount it again, or start a "
            "new campaign"
        )
    if taken.get("options") and taken["profile_digest"] != campaign.profile_of(cell).digest:
        yield "a file of --options has changed since it began; start a new campaign"
    columns = axes.columns(campaign, cell)
    same = all(taken.get(name, value) == value for name, value in columns.items())
    if kept != placement.digest or not same:
        yield (
            f"device {cell.device} has changed since it began (its TOML, or your devices.toml); "
            "start a new campaign"
        )
