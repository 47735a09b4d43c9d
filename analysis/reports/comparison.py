"""Device A against device B, within the rounds of a campaign."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UsageError
from ...row import Row
from ..results import CellResult, Panel, of_panel, panels, words
from ..stats import Interval


@dataclass(frozen=True)
class Comparison:
    """throughput(A) / throughput(B), with the 95 % interval of the same bootstrap."""

    a: CellResult
    b: CellResult
    interval: Interval

    def sentence(self) -> str:
        """What it says of the two, of one comparison group."""
        ratio, low, high = self.interval.value, self.interval.low, self.interval.high
        group, a, b = words.group_title(self.a), words.label(self.a), words.label(self.b)
        failed = [words.label(one) for one in (self.a, self.b) if one.failed]
        if failed:
            return f"{group}: {words.FAILED} on {' and '.join(failed)}: no comparison."
        idle = [words.label(one) for one in (self.a, self.b) if one.throughput == 0]
        if idle:
            return f"{group}: {' and '.join(idle)} did nothing: no comparison."
        if ratio is None:
            return f"{group}: {a} and {b} have no round in common."
        if low is None or high is None:
            return f"{group}: {a} is {ratio:.3f} times {b}; one round, no interval."
        text = f"{ratio:.3f} [{low:.3f}, {high:.3f}]"
        if low <= 1 <= high:
            return f"{group}: {a} and {b} cannot be told apart: {text} times the throughput."
        return f"{group}: {a} has {text} times the throughput of {b}."


def compare(rows: list[Row], a: str, b: str) -> list[Comparison]:
    """One comparison per group that has both, and per mode that both have.

    `a` and `b` are devices, or a device's mode: nvme:flush. Errors: UsageError, naming what there
    is, when no group has both, and when they are the same.
    """
    comparisons = [
        Comparison(one, other, panel.ratio(one.at, other.at))
        for panel in panels(rows)
        for one, other in _pairs(_cells(panel, a), _cells(panel, b))
    ]
    if not comparisons:
        raise UsageError(f"compare: found {a!r} and {b!r}; the campaign has {_choices(rows)}")
    if any(one.a.at == one.b.at for one in comparisons):
        raise UsageError(
            f"compare: found {a!r} and {b!r}, a device compared with itself; name two of "
            f"{_choices(rows)}"
        )
    return comparisons


def _cells(panel: Panel, name: str) -> dict[str, CellResult]:
    """The device's cells that are not replicas, by mode; only the mode that the name has."""
    device, _, mode = name.partition(":")
    return {
        one.durability: one
        for one in of_panel(panel)
        if one.device == device and not (one.replica or one.knob) and mode in ("", one.durability)
    }


def _pairs(
    a: dict[str, CellResult], b: dict[str, CellResult]
) -> list[tuple[CellResult, CellResult]]:
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
        f"{device}:{mode}" if len(own) > 1 else device
        for device, own in modes.items()
        for mode in own
    ]
    return ", ".join(sorted(named))
