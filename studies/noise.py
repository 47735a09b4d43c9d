"""The effect that a campaign can resolve, by the noise of an earlier one on this machine."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ..base import strictjson
from ..workloads import WORKLOADS

if TYPE_CHECKING:
    from ..runners.campaign import Campaign
    from ..runners.plan import Noise

# Measured 2026-11-22 on two virtual CPUs of a shared machine; rounds had .15 to .28.
_DEFAULT = (0.02, 0.15, "as on two virtual CPUs; no such campaign was measured here yet")
_LOOKED_AT = 50  # newest folders


def words(campaign: Campaign, workload: str) -> list[str]:
    """Return a line with the minimum detectable effect; none if the time of rounds is unknown."""
    from ..runners import plan

    if not WORKLOADS[workload].sized or plan.plan(campaign).whole_runs:
        return []
    noise, timing = of(campaign, workload), campaign.profile.timing
    target, most = timing.target_half_width, plan.rounds(campaign, workload)
    effect = f"overheads from {100 * noise.effect_of(most, timing):.1f} points on"
    need = f"from {100 * target:.1f} on it would take {noise.rounds_for(target, timing):,}"
    of_rounds, of_sessions = noise.between_rounds, noise.between_sessions
    sds = f"SD {of_rounds:.2f} between rounds, {of_sessions:.2f} between sessions"
    return [
        f"resolves: {effect}, in {most:,} rounds at most; {need} (80 % power; {sds}, "
        f"{noise.source})"
    ]


def of(campaign: Campaign, workload: str) -> Noise:
    """Return the noise of the newest campaign of this profile and workload here, or the default.

    It is that of the cell with the widest interval, to which the target applies.
    """
    from ..analysis.results.source import machine_of
    from ..runners.cells import machine
    from ..runners.plan import Noise

    here = machine_of(machine.provenance())
    paths = sorted(campaign.folder.parent.glob("*/summary.json"), reverse=True)
    for path in paths[:_LOOKED_AT]:
        report = strictjson.read_object(path)
        cells = report.get("cells") if report.get("machines") == [here] else None
        alike = [cell for cell in cells or () if _alike(cell, campaign, workload)]
        widest = max(alike, key=lambda cell: float(cell["overhead_half_width"]), default=None)
        if widest is not None:
            sessions, rounds = widest["sd_between_sessions"], widest["sd_between_rounds"]
            return Noise(sessions, rounds, f"from {os.path.relpath(path.parent)}")
    return Noise(*_DEFAULT)


def _alike(cell: Any, campaign: Campaign, workload: str) -> bool:
    """Return whether a cell matches the plan and has figures."""
    wanted = (campaign.recipe.engine, workload, campaign.profile.name)
    figures = ("sd_between_sessions", "sd_between_rounds", "overhead_half_width")
    if not isinstance(cell, dict):
        return False
    return (cell.get("engine"), cell.get("workload"), cell.get("profile")) == wanted and all(
        isinstance(cell.get(name), float) for name in figures
    )
