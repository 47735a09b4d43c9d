"""Curves to curve.json and curve.csv: figures for programs. The rows stay the source.

A program that wants another point of a curve reads the rows again (`analysis.sweep.curves`);
`campaigns` and each curve's group name which.
"""

from __future__ import annotations

import csv
import dataclasses
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...owned.places import require_own
from ..facts import Facts
from ..stats import Interval
from ..summary import INTERVALS
from .answers import Answer
from .curve import Curve
from .modelled import Modelled
from .predictions import Prediction
from .threads import ThreadSweep

SCHEMA = 1
FIT = "slowdown: isotonic regression over the mean latency of a sync, linear between the points"


def of_curves(
    found: Sequence[tuple[Curve, Modelled, Sequence[Prediction]]],
    asked: Sequence[float],
    facts: Facts,
) -> dict[str, Any]:
    """The content of curve.json. Fractions, not percent; units are in the names."""
    curves = [_curve(one, model, marks, asked) for one, model, marks in found]
    return {"schema": SCHEMA, **dataclasses.asdict(facts), "intervals": INTERVALS, "fit": FIT,
            "curves": curves}  # fmt: skip


def of_threads(sweeps: Sequence[ThreadSweep], facts: Facts) -> dict[str, Any]:
    """The content of threads.json."""
    return {
        "schema": SCHEMA,
        **dataclasses.asdict(facts),
        "intervals": INTERVALS,
        "sweeps": [_sweep(one) for one in sweeps],
    }


def write(
    name: str, content: dict[str, Any], lines: list[dict[str, Any]], folder: Path
) -> list[Path]:
    """<name>.json and <name>.csv in `folder`; returns their paths."""
    require_own(folder)
    as_json, as_csv = folder / f"{name}.json", folder / f"{name}.csv"
    as_json.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n")
    with as_csv.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)
    return [as_json, as_csv]


def curve_lines(content: dict[str, Any]) -> list[dict[str, Any]]:
    """A line per point and per device that was read off."""
    return [
        {**one["group"], "kind": kind, **_flat(entry)}
        for one in content["curves"]
        for kind in ("points", "predictions")
        for entry in one[kind]
    ]


def threads_lines(content: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {**one["group"], **_spelled(point)} for one in content["sweeps"] for point in one["points"]
    ]


_COLUMNS = (
    "device",
    "sync_us",
    "waited_us",
    "fitted",
    "measured",
    "model_overhead",
    "bytes_per_sync",
)


def _flat(entry: dict[str, Any]) -> dict[str, Any]:
    fitted, measured = (
        (entry["fitted"], entry["overhead"])
        if "fitted" in entry
        else (entry["predicted"], entry["measured"])
    )
    # Of a point, `sync_us` is what its callers waited already.
    known = {"waited_us": entry["sync_us"], **entry, "fitted": fitted, "measured": measured}
    return _spelled({name: known.get(name) for name in _COLUMNS})


def _spelled(entry: dict[str, Any]) -> dict[str, Any]:
    """Intervals as three columns."""
    flat: dict[str, Any] = {}
    for name, value in entry.items():
        if name in ("fitted", "measured", "overhead"):
            bounds = value or dict.fromkeys(("value", "low", "high"))
            flat |= {
                name: bounds["value"],
                f"{name}_low": bounds["low"],
                f"{name}_high": bounds["high"],
            }
        else:
            flat[name] = value
    return flat


def _curve(
    one: Curve, model: Modelled, marks: Sequence[Prediction], asked: Sequence[float]
) -> dict[str, Any]:
    low, high = one.range_us
    return {
        "group": _group(one),
        "subject": one.subject,
        "reference": one.baseline.reference,
        "range_sync_us": [low, high],
        "points": [
            {
                "device": point.estimate.device,
                "cell": point.estimate.cell,
                "baseline": point.estimate.baseline,
                "model_sync_us": point.work.model_sync_us,
                "sync_us": point.sync_us,
                "overhead": _interval(point.overhead),
                "fitted": _interval(fitted),
                "model_overhead": model.overhead_at(point.sync_us),
                "bytes_per_sync": point.work.bytes_per_sync,
                "sessions": point.estimate.sessions,
                "rounds": point.estimate.rounds,
            }
            for point, fitted in zip(one.points, one.fitted, strict=True)
        ],
        "left_out": list(one.left_out),
        "answers": [_answer(one.latency_for(overhead)) for overhead in asked],
        "predictions": [_prediction(mark, model) for mark in marks],
        "model": _model(model),
    }


def _group(one: Curve | ThreadSweep) -> dict[str, Any]:
    """What tells the comparison groups apart, as the rows' columns have it."""
    at = one.baseline
    group = {"engine": at.engine, "workload": at.workload, "profile": at.profile, "size": at.size}
    return group | ({"threads": at.threads} if isinstance(one, Curve) else {})


def _answer(one: Answer) -> dict[str, Any]:
    """Null for what lies outside the range; `outside` says on which side the answer does."""
    ends = {"sync_us": one.sync_us, "sync_us_low": one.low, "sync_us_high": one.high}
    ends["device_us"] = one.device_us
    return {
        "overhead": one.overhead,
        **{name: us if us is not None and math.isfinite(us) else None for name, us in ends.items()},
        "outside": one.outside,
        "resolved": one.resolved,
        "text": one.text,
        "sentence": one.sentence,
    }


def _prediction(one: Prediction, model: Modelled) -> dict[str, Any]:
    return {
        "device": one.device,
        "sync_us": one.sync_us,
        "waited_us": one.waited_us,
        "outside": one.outside,
        "predicted": _interval(one.predicted),
        "bound": _interval(one.bound),
        "measured": None if one.measured is None else _interval(one.measured),
        "measured_sync_us": one.measured_sync_us,
        "difference": None if one.difference is None else _interval(one.difference),
        "agrees": one.agrees,
        "too_wide": one.too_wide,
        "model_overhead": None if one.outside else model.overhead_at(one.waited_us),
        "sentence": one.sentence,
    }


def _model(model: Modelled) -> dict[str, Any]:
    given = None if model.parameters is None else dataclasses.asdict(model.parameters)
    why = model.why_not or None
    return {
        "parameters": given,
        "why_not": why,
        "fastest": model.fastest,
        "failures": model.failures,
    }


def _sweep(sweep: ThreadSweep) -> dict[str, Any]:
    points = [
        {
            "device": device,
            "threads": point.threads,
            "cell": point.estimate.cell,
            "overhead": _interval(point.overhead),
            "model_overhead": None if point.expected is None else point.expected.expected,
            "sync_us": point.work.sync_us,
            "commits_per_group": point.work.commits_per_group,
            "cpu_share": point.work.cpu_share,
        }
        for device, found in sweep.devices.items()
        for point in found
    ]
    return {
        "group": _group(sweep),
        "subject": sweep.subject,
        "points": points,
        "left_out": list(sweep.left_out),
        "sentences": sweep.sentences,
        "model_failures": sweep.failures,
    }


def _interval(found: Interval) -> dict[str, float | None]:
    return dataclasses.asdict(found)
