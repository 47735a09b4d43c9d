"""The overhead of each cell as a drawing: an interval and a dot for every round, on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..figures import devices, style
from ..results import CellResult, by_group, words

_LEAST = -50.0  # percent; half a chart of speed-up says enough
_DOTS = 200  # of a cell, about: more of them could not be told apart


def plots(results: Sequence[CellResult]) -> list[dict[str, Any]]:
    """Return a plot for each comparison group.

    The scale is that of all groups: from `low` to 100 %.
    """
    ends = [100 * result.low for result in results if result.low is not None]
    low = 10 * (max(min([0.0, *ends]), _LEAST) // 10)
    return [
        {
            "title": words.group_title(group[0]),
            "against": words.against(group[0]),
            "low": low,
            "lines": [_line(result, low) for result in group],
            "left_out": group[0].panel.disturbance.left_out,
        }
        for group in by_group(results)
    ]


def _line(result: CellResult, low: float) -> dict[str, Any]:
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
        "dots": inside[:: 1 + len(inside) // _DOTS],
        "outside": rounds.size - len(inside),
    }
