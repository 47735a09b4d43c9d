"""Device A against device B, within the rounds of a campaign."""

from __future__ import annotations

from ...errors import UsageError
from ...row import Row
from ..results import CellResult, Panel, of_panel, panels, words
from .pairs import Pair, pair, throughputs


def sentence(one: Pair) -> str:
    """What it says of the two, of one comparison group."""
    group, a, b = words.group_title(one.new), words.label(one.new), words.label(one.base)
    if one.failed:
        failed = " and ".join(words.label(cell) for cell in (one.new, one.base) if cell.failed)
        return f"{group}: {words.FAILED} on {failed}: no comparison."
    idle = [words.label(cell) for cell in (one.new, one.base) if cell.throughput == 0]
    if idle:
        return f"{group}: {' and '.join(idle)} did nothing: no comparison."
    if one.ratio.value is None:
        return f"{group}: {a} and {b} have no round in common."
    return f"{group}: {throughputs(one.ratio, a, b)}."


def compare(rows: list[Row], a: str, b: str) -> list[Pair]:
    """One pair, `b` its base, per group that has both, and per mode that both have.

    `a` and `b` are devices, or a device's mode: nvme:flush. Errors: UsageError, naming what there
    is, when no group has both, and when they are the same.
    """
    pairs = [
        pair(panel, other, one)
        for panel in panels(rows)
        for one, other in _pairs(_cells(panel, a), _cells(panel, b))
    ]
    if not pairs:
        raise UsageError(f"compare: found {a!r} and {b!r}; the campaign has {_choices(rows)}")
    if any(one.base.at == one.new.at for one in pairs):
        raise UsageError(
            f"compare: found {a!r} and {b!r}, a device compared with itself; name two of "
            f"{_choices(rows)}"
        )
    return pairs


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
