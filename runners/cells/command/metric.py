"""The number that a user's command prints."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from .... import proc
from ....errors import UsageError, WaltaxError


@dataclass(frozen=True)
class Metric:
    """A regular expression whose only group is the number."""

    pattern: re.Pattern[str]

    @classmethod
    def parse(cls, expression: str) -> Metric:
        """Errors: UsageError for what is no regular expression with exactly one group."""
        try:
            pattern = re.compile(expression, re.MULTILINE)
        except re.error as error:
            raise UsageError(
                f"--metric: {expression!r} is no regular expression: {error}"
            ) from error
        if pattern.groups != 1:
            raise UsageError(
                f"--metric: {expression!r} has {pattern.groups} groups, want one around the "
                "number, such as 'transactions: +([0-9.]+)'; (?:...) groups without counting"
            )
        return cls(pattern)

    def find(self, output: str) -> float:
        """The number of the last match, without its thousands separators.

        Errors: WaltaxError when nothing matches, or when it is no number above zero: of
        zero and less there are no ratios.
        """
        matches = list(self.pattern.finditer(output))
        if not matches:
            raise WaltaxError(
                f"--metric: {self.pattern.pattern!r} matches nothing in the command's output, "
                f"which ends: {proc.last_words(output) or '(it printed nothing)'}"
            )
        text = matches[-1].group(1) or ""
        try:
            value = float(text.replace(",", ""))
        except ValueError:
            raise WaltaxError(
                f"--metric: {self.pattern.pattern!r} found {text!r}, want a number"
            ) from None
        if not (math.isfinite(value) and value > 0):
            raise WaltaxError(
                f"--metric: {self.pattern.pattern!r} found {text}, want a number above zero"
            )
        return value
