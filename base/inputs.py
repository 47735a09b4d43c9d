"""Checks that the inputs a driver drew have the averages the workload's specification requires.

A rule is one such average, e.g. "order lines per order". Its record, in the `inputs` of a slice:

    {"name", "samples", "sum", "mean", "variance", "low", "high"}

`samples` and `sum` are what was drawn; `mean` and `variance` are those of one sample as the
specification draws it; the average drawn must lie from `low` to `high`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

PASS, FAIL, SKIP = "PASS", "FAIL", "SKIP"

# Fewer samples cannot confirm an average to within a few percent.
MIN_SAMPLES = 10_000
# An average this close to the mean may leave its band by chance. It is normally distributed over
# so many samples, so that one in 16,000 correct averages is farther away.
_STANDARD_ERRORS = 4.0


@dataclass(frozen=True)
class Verdict:
    """The verdict on one rule. `value` is the average of all samples, None without any."""

    name: str
    samples: int
    value: float | None
    low: float
    high: float
    verdict: str  # PASS, FAIL or SKIP


def judge(inputs: Iterable[Mapping[str, Any]]) -> list[Verdict]:
    """Return a verdict per rule, in order of appearance; records of the same name are added up.

    The verdict is SKIP when there are too few samples to tell, for the mean or for the band.
    """
    rules: dict[str, Mapping[str, Any]] = {}
    drawn: dict[str, tuple[int, float]] = {}
    for record in inputs:
        name = record["name"]
        rules.setdefault(name, record)
        samples, total = drawn.get(name, (0, 0))
        drawn[name] = (samples + record["samples"], total + record["sum"])
    return [_verdict(rule, *drawn[name]) for name, rule in rules.items()]


def _verdict(rule: Mapping[str, Any], samples: int, total: float) -> Verdict:
    value = total / samples if samples else None
    verdict = _word(rule, samples, value)
    return Verdict(rule["name"], samples, value, rule["low"], rule["high"], verdict)


def _word(rule: Mapping[str, Any], samples: int, value: float | None) -> str:
    if value is None or samples < MIN_SAMPLES:
        return SKIP
    if rule["low"] <= value <= rule["high"]:
        return PASS
    chance = _STANDARD_ERRORS * math.sqrt(rule["variance"] / samples)
    return SKIP if abs(value - rule["mean"]) < chance else FAIL
