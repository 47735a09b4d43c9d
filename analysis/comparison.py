"""Device A against device B, within the rounds of a campaign."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import UsageError
from ..row import Row
from . import stats, words
from .overhead import CellEstimate, Panel, every_cell, panels


@dataclass(frozen=True)
class Comparison:
    """throughput(A) / throughput(B), with the 95 % interval of the same bootstrap."""

    a: CellEstimate
    b: CellEstimate
    ratio: float | None
    low: float | None
    high: float | None

    def sentence(self) -> str:
        group, a, b = words.group_title(self.a), words.label(self.a), words.label(self.b)
        failed = [words.label(one) for one in (self.a, self.b) if one.failed]
        if failed:
            return f"{group}: {words.FAILED} on {' and '.join(failed)}: no comparison."
        idle = [words.label(one) for one in (self.a, self.b) if one.throughput == 0]
        if idle:
            return f"{group}: {' and '.join(idle)} did nothing: no comparison."
        if self.ratio is None:
            return f"{group}: {a} and {b} have no round in common."
        if self.low is None or self.high is None:
            return f"{group}: {a} is {self.ratio:.3f} times {b}; one round, no interval."
        text = f"{self.ratio:.3f} [{self.low:.3f}, {self.high:.3f}]"
        if self.low <= 1 <= self.high:
            return f"{group}: {a} and {b} cannot be told apart: {text} times the throughput."
        return f"{group}: {a} has {text} times the throughput of {b}."


def compare(rows: list[Row], a: str, b: str) -> list[Comparison]:
    """One comparison per group that has both devices.

    Raises UsageError, naming the devices there are, when none has.
    """
    estimates = {one.cell: one for one in every_cell(rows)}
    found = [
        _comparison(panel, estimates[cell_a], estimates[cell_b])
        for panel in panels(rows)
        if (cell_a := _cell(panel, a)) and (cell_b := _cell(panel, b))
    ]
    if not found:
        there = ", ".join(sorted({one["device"] for one in rows}))
        raise UsageError(f"compare: found {a!r} and {b!r}; the campaign has {there}")
    return found


def _cell(panel: Panel, device: str) -> str | None:
    """The device's cell that is not a replica."""
    matching = (o["cell"] for o in panel.rows if o["device"] == device and not o["replica"])
    return next(matching, None)


def _comparison(panel: Panel, a: CellEstimate, b: CellEstimate) -> Comparison:
    ratio = stats.ratio_of_means(panel.values[a.cell], panel.values[b.cell], panel.by)
    return Comparison(a, b, ratio.value, ratio.low, ratio.high)
