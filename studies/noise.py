"""What a campaign can be expected to resolve, by the noise of an earlier one on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base import strictjson
from ..base.errors import WaltaxError
from ..evidence import kept
from ..workloads import WORKLOADS

if TYPE_CHECKING:
    from ..runners.campaign import Campaign
    from ..runners.plan import Noise

# Of two virtual CPUs of a shared machine, 2026-11-22, whose campaigns had .15 to .28 for rounds.
_DEFAULT = (0.02, 0.15, "as two virtual CPUs had them; none of this profile was measured here yet")
_LOOKED_AT = 50  # of the newest folders
_MACHINE = ("cpu_model", "cores")


def words(campaign: Campaign, workload: str) -> list[str]:
    """The minimum detectable effect, in a line; nothing where rounds take what time they take."""
    from ..runners import plan

    if not WORKLOADS[workload].sized or plan.plan(campaign).whole_runs:
        return []
    noise, timing = of(campaign, workload), campaign.profile.timing
    target, most = timing.target_half_width, plan.rounds(campaign, workload)
    told = f"{100 * noise.effect_of(most, timing):.1f} points from nothing"
    need = f"{100 * target:.1f} points need about {noise.rounds_for(target, timing):,}"
    of_rounds, of_sessions = noise.between_rounds, noise.between_sessions
    sds = f"SD {of_rounds:.2f} between rounds, {of_sessions:.2f} between sessions"
    return [
        f"resolves: {told} in at most {most:,} rounds; {need} (80 % power; {sds}, {noise.source})"
    ]


def of(campaign: Campaign, workload: str) -> Noise:
    """That of the newest campaign of this profile and workload on this machine, or the default.

    The cell with the widest interval counts, which is what the target is asked of.
    """
    from ..runners.plan import Noise

    folders = sorted(campaign.folder.parent.glob("*/summary.json"), reverse=True)
    for path in folders[:_LOOKED_AT]:
        cells = [cell for cell in _cells(path) if _alike(cell, campaign, workload)]
        widest = max(cells, key=lambda cell: float(cell["overhead_half_width"]), default=None)
        if widest is not None and _measured_here(path.parent):
            sessions, rounds = widest["sd_between_sessions"], widest["sd_between_rounds"]
            return Noise(sessions, rounds, f"from {os.path.relpath(path.parent)}")
    return Noise(*_DEFAULT)


def _cells(path: Path) -> list[dict[str, Any]]:
    """Of a report; none of one that cannot be read."""
    cells = strictjson.read_object(path).get("cells")
    return [cell for cell in cells if isinstance(cell, dict)] if isinstance(cells, list) else []


def _alike(cell: dict[str, Any], campaign: Campaign, workload: str) -> bool:
    """Whether a cell is of what is planned, and has figures."""
    wanted = (campaign.recipe.engine, workload, campaign.profile.name)
    figures = ("sd_between_sessions", "sd_between_rounds", "overhead_half_width")
    return (cell.get("engine"), cell.get("workload"), cell.get("profile")) == wanted and all(
        isinstance(cell.get(name), float) for name in figures
    )


def _measured_here(folder: Path) -> bool:
    from ..runners.cells import machine

    try:
        rows = kept.read(folder / "rows.jsonl")
    except WaltaxError:
        return False
    here = machine.provenance()
    told = (tuple(one.get(name) for name in _MACHINE) for one in rows if one["status"] == "ok")
    return next(told, None) == tuple(here[name] for name in _MACHINE)
