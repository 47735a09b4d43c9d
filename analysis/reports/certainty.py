"""What a report says about its intervals: how many hold at once, and their sources of variance."""

from __future__ import annotations

from collections.abc import Sequence

from ..results import CellResult, words

_NAMED = 6  # most intervals on a line; summary.json has more


def at_once(group: Sequence[CellResult]) -> list[str]:
    """Return a line with the intervals that hold simultaneously, if there are a few."""
    compared = [
        result for result in group if result.compared > 1 and result.low_simultaneous is not None
    ]
    if not 0 < len(compared) <= _NAMED:
        return []
    said = [
        f"{words.label(result)} {words.bounds(result.low_simultaneous, result.high_simultaneous)}"
        for result in compared
        if result.low_simultaneous != result.low or result.high_simultaneous != result.high
    ]
    return [f"all {compared[0].compared} at once: {', '.join(said)}"] if said else []


def measured(group: Sequence[CellResult]) -> list[str]:
    """Say how much was measured, how wide the widest interval is, and why."""
    known = [result for result in group if not result.is_baseline and result.half_width is not None]
    if not known:
        return []
    widest = max(known, key=lambda result: result.half_width or 0.0)
    sessions = max(result.sessions for result in group)
    rounds = max(result.rounds for result in group)
    target = widest.target_half_width
    wanted = "" if target is None else f" (target {words.percent(target)})"
    counts = f"{rounds} rounds in {sessions} session{'s' if sessions > 1 else ''}"
    width = f"widest half-width {words.percent(widest.half_width)} points{wanted}"
    on = f" on {widest.hosts} host{'s' if widest.hosts > 1 else ''}" if widest.hosts else ""
    return [f"{counts}{on}{_occasions(widest)}; {width}", *_variance(widest)]


def _occasions(result: CellResult) -> str:
    if result.occasions < 2:
        return ", within this occasion"
    sd, said = result.variance.sd_between_occasions, f" on {result.occasions} occasions"
    if sd is None or result.overhead is None:
        return said
    points = words.percent((1 - result.overhead) * sd)
    return f"{said}, SD between them {points} points on {words.label(result)}"


def _variance(result: CellResult) -> list[str]:
    """Say where the variance of the widest interval comes from."""
    of = result.variance
    names = ("occasions", "hosts", "sessions", "rounds")
    shares = [(getattr(of, f"share_of_{name}"), name) for name in names]
    said = [f"{100 * share:.0f} % between {name}" for share, name in shares if share is not None]
    label = words.label(result)
    return [f"its variance on {label}: {', '.join(said)}"] if len(said) > 1 else []
