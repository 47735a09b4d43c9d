"""Estimates to summary.json and summary.csv: the same figures for programs."""

from __future__ import annotations

import csv
import dataclasses
import json
from pathlib import Path
from typing import Any

from ..owned.places import require_own
from ..row import Row
from . import evidence, stats, words, workload
from .facts import Facts
from .overhead import CellEstimate, by_group

SCHEMA = 1
JSON, CSV = "summary.json", "summary.csv"
INTERVALS = (
    f"{100 * stats.CONFIDENCE:.0f} % hierarchical bootstrap: sessions, then rounds; "
    f"{stats.RESAMPLES} resamples, seed {stats.SEED}; stretched by Student's t with "
    "Satterthwaite's degrees of freedom"
)
_OF_ENGINE = {"versions": "engine_versions"}  # beside the report's own
_RENAMED = {"low": "overhead_low", "high": "overhead_high"}


def build(
    rows: list[Row],
    estimates: list[CellEstimate],
    facts: Facts,
    *,
    stop_reason: str | None,
    target: float | None,
) -> dict[str, Any]:
    """The content of summary.json. Fractions, not percent; units are in the names."""
    return {
        "schema": SCHEMA,
        **dataclasses.asdict(facts),
        "intervals": INTERVALS,
        "target_half_width": target,
        "stop_reason": stop_reason,
        "verdicts": [words.verdict(group, rows) for group in by_group(estimates)],
        "cells": [_cell(rows, one) for one in estimates],
    }


def write(summary: dict[str, Any], folder: Path) -> list[Path]:
    """summary.json and summary.csv (its `cells`, a line each); returns their paths."""
    require_own(folder)
    as_json, as_csv = folder / JSON, folder / CSV
    as_json.write_text(json.dumps(summary, indent=1, allow_nan=False) + "\n")
    cells = summary["cells"]
    with as_csv.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(cells[0]))
        writer.writeheader()
        writer.writerows({name: _plain(value) for name, value in c.items()} for c in cells)
    return [as_json, as_csv]


def _cell(rows: list[Row], one: CellEstimate) -> dict[str, Any]:
    estimate = {_RENAMED.get(k, k): v for k, v in dataclasses.asdict(one).items()}
    proof = evidence.of_cell(rows, one.cell)
    proved = {_OF_ENGINE.get(k, k): v for k, v in dataclasses.asdict(proof).items()}
    return {
        **estimate,
        "reference": one.reference,
        "overhead_half_width": one.half_width,
        "resolvable": one.resolvable,
        "failed": one.failed,
        **proved,
        "tap_agrees": proof.tap_agrees,
        **dataclasses.asdict(workload.of_cell(rows, one.cell)),
        "notes": words.notes(one, rows),
    }


def _plain(value: object) -> object:
    """Lists as one cell of a table; of the inputs, names and verdicts."""
    if not isinstance(value, (list, tuple)):
        return value
    return "; ".join(
        f"{one['name']} {one['verdict']}" if isinstance(one, dict) else str(one) for one in value
    )
