"""Whether the inputs that a driver drew average to what the workload's specification asks for.

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

# Fewer say nothing about an average that must lie within a few percent.
MIN_SAMPLES = 10_000
# An average may leave its band by chance while it is this near to the mean. Normal in so
# many samples, one of 16,000 right averages is farther away.
_STANDARD_ERRORS = 4.0


@dataclass(frozen=True)
class Verdict:
    """One rule's: `value` is the average of all samples, None without any."""

    name: str
    samples: int
    value: float | None
    low: float
    high: float
    verdict: str  # PASS, FAIL or SKIP


def judge(inputs: Iterable[Mapping[str, Any]]) -> list[Verdict]:
    """A verdict per rule, in the order they come; records of the same name are added up.

    SKIP when there are too few samples to tell, be it for the mean or for the band.
    """
    rules: dict[str, Mapping[str, Any]] = {}
    drawn: dict[str, tuple[int, float]] = {}
    for one in inputs:
        name = one["name"]
        rules.setdefault(name, one)
        samples, total = drawn.get(name, (0, 0))
        drawn[name] = (samples + one["samples"], total + one["sum"])
    return [_verdict(rule, *drawn[name]) for name, rule in rules.items()]


def _verdict(rule: Mapping[str, Any], samples: int, total: float) -> Verdict:
    value = total / samples if samples else None
    found = _word(rule, samples, value)
    return Verdict(rule["name"], samples, value, rule["low"], rule["high"], found)


def _word(rule: Mapping[str, Any], samples: int, value: float | None) -> str:
    if value is None or samples < MIN_SAMPLES:
        return SKIP
    if rule["low"] <= value <= rule["high"]:
        return PASS
    chance = _STANDARD_ERRORS * math.sqrt(rule["variance"] / samples)
    return SKIP if abs(value - rule["mean"]) < chance else FAIL
