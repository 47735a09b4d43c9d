"""The overhead of each cell as a drawing: an interval and a dot for every round, on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..figures import devices, style
from ..results import CellResult, words
from .subject import Subject

_LEAST = -50.0  # percent; half a chart of speed-up says enough


def plots(of: Subject, every: int) -> list[dict[str, Any]]:
    """Return a plot for each comparison group, with a dot for one in `every` rounds.

    The scale is that of all groups: from `low` to 100 %.
    """
    ends = [100 * result.low for result in of.results if result.low is not None]
    low = 10 * (max(min([0.0, *ends]), _LEAST) // 10)
    return [
        {
            "title": words.group_title(group[0]),
            "against": words.against(group[0]),
            "low": low,
            "lines": [_line(result, low, every) for result in group],
            "left_out": group[0].panel.disturbance.left_out,
        }
        for group in of.groups
    ]


def _line(result: CellResult, low: float, every: int) -> dict[str, Any]:
    """Return a cell in percent of throughput; `outside` counts the rounds below the scale."""
    known = not (result.is_baseline or result.failed or result.overhead is None)
    rounds = devices.overheads_of_rounds(result)
    rounds = rounds[np.isfinite(rounds)]
    inside = [round(float(value), 2) for value in rounds if value >= low]
    said: Sequence[str] = [words.bounds(result.low, result.high), words.unclear(result)]
    return {
        "name": words.label(result),
        "colour": style.colour(result.device),
        "text": devices.overhead_name(result),
        "more": ", ".join(filter(None, said)) if known else "",
        "cost": result.interval.scaled(100),
        "dots": inside[::every],
        "outside": rounds.size - len(inside),
    }
