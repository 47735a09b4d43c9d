"""Two campaigns' differences for programs: as `waltax compare --json` and the gate's have them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..gate import difference
from ..gate.difference import THROUGHPUT, Compared, Difference
from ..gate.judge import Judged
from ..gate.sameness import Side
from ..results import machines

METHOD = (
    "differences are new less base, of cells of one id; each campaign's own stretched bootstrap, "
    "drawn independently; simultaneous (max-T) over all cells compared"
)


def content(
    base: Side, new: Side, cells: Sequence[dict[str, Any]], same_machine: bool
) -> dict[str, Any]:
    return {
        "schema": 1,
        **{name: _side(one) for name, one in (("base", base), ("new", new))},
        "same_machine": same_machine,
        "intervals": METHOD,
        "cells": cells,
    }


def _side(one: Side) -> dict[str, Any]:
    machine = None if one.machine is None else machines.told(one.machine)
    return {**asdict(one.source.origin), "machine": machine}


def cell(one: Compared) -> dict[str, Any]:
    """A cell for programs: fractions; the difference of throughput as a fraction of the base."""
    told: dict[str, Any] = {"cell": one.cell, "in_base": bool(one.base), "in_new": bool(one.new)}
    for name in ("overhead", "added_us_per_request", "throughput"):
        for side, result in (("base", one.base), ("new", one.new)):
            told[f"{name}_{side}"] = None if result is None else getattr(result, name)
    for name in difference.MEASURES:
        told |= _difference(name, one.differences.get(name))
    return told


def _difference(name: str, one: Difference | None) -> dict[str, float | None]:
    known = (None,) * 5 if one is None else _numbers(one)
    if name == THROUGHPUT:
        known = tuple(None if value is None else math.expm1(value) for value in known)
    ends = ("", "_low", "_high", "_low_simultaneous", "_high_simultaneous")
    return {f"{name}_difference{end}": value for end, value in zip(ends, known, strict=True)}


def _numbers(one: Difference) -> tuple[float | None, ...]:
    alone, together = one.alone, one.at_once
    return one.value, alone.low, alone.high, together.low, together.high


def judgement(one: Judged) -> dict[str, Any]:
    return {
        "verdict": one.outcome,
        "why": one.why,
        "floor": one.floor,
        "threshold": one.threshold,
    }
