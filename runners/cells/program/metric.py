"""Read the number that a user's command prints."""

from __future__ import annotations

import math
import re

from ....base import proc
from ....base.errors import UsageError, WaltaxError


def parse(expression: str) -> re.Pattern[str]:
    """Return the regular expression, whose only group is the number.

    Errors: UsageError unless it is a regular expression with exactly one group.
    """
    try:
        pattern = re.compile(expression, re.MULTILINE)
    except re.error as error:
        raise UsageError(f"--metric: {expression!r} is no regular expression: {error}") from error
    if pattern.groups != 1:
        raise UsageError(
            f"--metric: {expression!r} has {pattern.groups} groups, want one around the "
            "number, such as 'transactions: +([0-9.]+)'; (?:...) groups without counting"
        )
    return pattern


def find(metric: re.Pattern[str], output: str) -> float:
    """Return the number of the last match, without its thousands separators.

    Errors: WaltaxError when nothing matches, or when it is no number above zero: others have no
    ratios.
    """
    matches = list(metric.finditer(output))
    if not matches:
        raise WaltaxError(
            f"--metric: {metric.pattern!r} matches nothing in the command's output, "
            f"which ends: {proc.last_words(output) or '(it printed nothing)'}"
        )
    text = matches[-1].group(1) or ""
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        raise WaltaxError(f"--metric: {metric.pattern!r} found {text!r}, want a number") from None
    if not (math.isfinite(value) and value > 0):
        raise WaltaxError(f"--metric: {metric.pattern!r} found {text}, want a number above zero")
    return value
