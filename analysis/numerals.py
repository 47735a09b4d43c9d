"""The spelling of figures in tables and sentences, in one place so that all outputs agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .stats import Interval

_READ = 10  # -1,000 %: a lower bound below it comes from two rounds, and says nothing


def number(value: float | None) -> str:
    """Return about three significant digits, thousands grouped; a dash if not known."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def percent(fraction: float | None) -> str:
    """Return a percentage with one decimal, a true minus sign, and no negative zero."""
    if fraction is None:
        return "-"
    return f"{100 * fraction:.1f}".replace("-0.0", "0.0").replace("-", "\N{MINUS SIGN}")


def bounds(low: float | None, high: float | None) -> str:
    """Return bounds as percent; after two rounds one may be too large to print."""
    if low is None or high is None:
        return "(no interval)"
    beyond = f"below {percent(-_READ)}"
    return f"[{beyond if low < -_READ else percent(low)}, {percent(high)}]"


def measured(of: Interval, spell: Callable[[float | None], str] = number) -> str:
    """Return a number with its interval, if it has one: 666 [611, 727]."""
    if of.value is None or not of.is_known:
        return spell(of.value)
    return f"{spell(of.value)} [{spell(of.low)}, {spell(of.high)}]"


def share(of: Interval) -> str:
    """Return a fraction with its interval, in percent: 27.1 [25.0, 29.2]."""
    return "-" if of.value is None else f"{percent(of.value)} {bounds(of.low, of.high)}"


def points(of: Interval) -> str:
    """Return the difference of two fractions, with its sign: +1.2 [0.3, 2.1]."""
    return "-" if of.value is None else f"{signed(of.value)} {bounds(of.low, of.high)}"


def signed(fraction: float) -> str:
    """Return a fraction in percent with its sign; what rounds to zero has none."""
    text = percent(fraction)
    return f"+{text}" if fraction > 0 and text != "0.0" else text


def times(ratio: Interval, digits: int = 2) -> str:
    """Return a ratio with its interval, if it has one: 2.93 [2.80, 3.05]."""
    return measured(ratio, lambda value: "-" if value is None else f"{value:.{digits}f}")


SCALES: Mapping[str, float] = {"%": 100.0, "KiB": 1 / 1024}
"""The factor by which a figure is multiplied for readers in each unit; files keep it unscaled."""

_SPELLED: Mapping[str, Callable[[Any], str]] = {
    "": lambda value: measured(value) if isinstance(value, Interval) else number(value),
    "%": lambda value: share(value) if isinstance(value, Interval) else percent(value),
    "x": lambda value: times(value if isinstance(value, Interval) else Interval(value, None, None)),
    "x alone": lambda value: times(Interval(value.value, None, None)),
    "KiB": lambda value: number(None if value is None else SCALES["KiB"] * value),
    "count": lambda value: f"{value:g}",
    "whole": lambda value: "-" if value is None else f"{value:,.0f}",
    "text": lambda value: "-" if value is None else str(value),
}


def spelled(value: Any, unit: str) -> str:
    """Return a value as it stands in a table.

    Units are "" for plain numbers, "%" for fractions, "x" for ratios, "x alone" for those without
    their interval, "KiB" for bytes, "count" for what is known exactly, "whole" for what is rounded
    to that, and "text".
    """
    return _SPELLED[unit](value)
