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
    """One comparison per group that has both, and per mode that both have.

    `a` and `b` are devices, or a device's mode: nvme:flush. Raises UsageError, naming what
    there is, when no group has both.
    """
    estimates = {one.cell: one for one in every_cell(rows)}
    found = [
        _comparison(panel, estimates[one], estimates[other])
        for panel in panels(rows)
        for one, other in _pairs(_cells(panel, a), _cells(panel, b))
    ]
    if not found:
        raise UsageError(f"compare: found {a!r} and {b!r}; the campaign has {_choices(rows)}")
    return found


def _cells(panel: Panel, name: str) -> dict[str, str]:
    """The device's cells that are not replicas, by mode; only the mode that the name has."""
    device, _, mode = name.partition(":")
    return {
        one["durability"]: one["cell"]
        for one in panel.rows
        if one["device"] == device
        and not (one["replica"] or one.get("knob"))
        and mode in ("", one["durability"])
    }


def _pairs(a: dict[str, str], b: dict[str, str]) -> list[tuple[str, str]]:
    """Like with like; unlike modes only where each has a single one, as beside `off`."""
    alike = [(cell, b[mode]) for mode, cell in a.items() if mode in b]
    if alike or len(a) != 1 or len(b) != 1:
        return alike
    return list(zip(a.values(), b.values(), strict=True))


def _choices(rows: list[Row]) -> str:
    modes: dict[str, set[str]] = {}
    for one in rows:
        modes.setdefault(one["device"], set()).add(one["durability"])
    named = [
        f"{device}:{mode}" if len(found) > 1 else device
        for device, found in modes.items()
        for mode in found
    ]
    return ", ".join(sorted(named))


def _comparison(panel: Panel, a: CellEstimate, b: CellEstimate) -> Comparison:
    ratio = stats.ratio_of_means(panel.values[a.cell], panel.values[b.cell], panel.by)
    return Comparison(a, b, ratio.value, ratio.low, ratio.high)
