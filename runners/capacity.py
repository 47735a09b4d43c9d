"""Find how many requests a second a campaign's baseline can do, of which its loads are shares."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Mapping
from pathlib import Path

from ..base.folders import atomic_file
from . import lives
from .campaign import Campaign
from .cells.live import Position
from .recipe.axes import load

_SLICES = 5  # whose median counts, so that a moment of the machine does not


def find(
    campaign: Campaign, data_sets: Mapping[str, Path | None], say: Callable[[str], None]
) -> None:
    """Keep in the campaign's folder the median of a few slices, if its cells have loads.

    The first baseline runs them in a closed loop on a clone of its own, with all of its clients. A
    campaign that is resumed keeps what it found first. Errors: WaltaxError.
    """
    loaded = [cell for cell in campaign.cells if cell.axes[load.NAME]]
    if not loaded or load.capacity_per_s(campaign.folder) is not None:
        return
    baseline, timing = loaded[0].baseline, campaign.profile.timing
    with lives.bring_up(campaign, baseline, data_sets[baseline.id], 0) as live:
        rates = []
        for number in range(_SLICES):
            warmup_s = timing.warmup_s if number else timing.settle_s
            done = live.measure(Position(0, number, number), warmup_s, timing.measure_s).slice
            rates.append(done["requests"] / done["measure_s"])
    found = {"requests_per_s": statistics.median(rates), "slices": rates, "cell": baseline.id}
    atomic_file.write(campaign.folder / load.CAPACITY, json.dumps(found, indent=1) + "\n")
    say(
        f"{baseline.device} does {found['requests_per_s']:,.0f} requests/s in a closed loop, the "
        f"median of {_SLICES} slices; loads are shares of it"
    )
