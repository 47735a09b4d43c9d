"""A campaign's results for programs, as in `summary.json` and `summary.csv`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import fields
from typing import Any, get_type_hints

from pydantic import TypeAdapter

from .. import published
from ..results import CellResult, Doubt, Origin
from ..results.facts import FACTS, type_of
from . import latencies

_RENAMED = {"low": "overhead_low", "high": "overhead_high"}
# Fields of a result that appear in another form.
_OF_ANALYSIS = {"panel", "target_half_width", "twin", "doubted"}
_NOT_TOLD = {"at", "rows", *_OF_ANALYSIS}


def lines(results: Sequence[CellResult]) -> list[dict[str, Any]]:
    """Return a line for each cell, with a column for each known property that is no list."""
    return [
        {name: of for name, of in cell(result).items() if not isinstance(of, list | tuple)}
        for result in results
    ]


def cell(result: CellResult) -> dict[str, Any]:
    """Return a result for programs. Fractions, not percent; units are in the names."""
    names = [name for field in fields(result) if (name := field.name) not in _NOT_TOLD]
    study = next(iter(published.of([result])), None)
    values = {
        **{_RENAMED.get(name, name): getattr(result, name) for name in names},
        "reference": result.reference,
        "overhead_half_width": result.half_width,
        "resolvable": result.resolvable,
        "failed": result.failed,
        **result.facts,
        "warnings": list(result.warnings),
        **latencies.told(result),
        **({published.NAME: study.value(result)} if study else {}),
        "doubts": [
            {"kind": doubt.kind, "text": doubt.text, "share": doubt.share}
            for doubt in result.doubts
        ],
    }
    # Nothing about hosts if rows name none.
    return {name: value for name, value in values.items() if result.hosts or name != "hosts"}


def schema() -> dict[str, Any]:
    """Return the JSON schema of `summary.json`."""
    of_cell = {_RENAMED.get(name, name): of for name, of in _types(CellResult, _NOT_TOLD).items()}
    of_cell |= {name: _type(type_of(fact)) for name, fact in FACTS.items()}
    of_cell |= {
        "doubts": {"type": "array", "items": _object(_types(Doubt, {"large"}))},
        "failed": _type(bool),
        "warnings": _type(list[str]),
    }
    known = {
        "schema": {"const": 1},
        **_types(Origin),
        "target_half_width": _type(float | None),
        "target_missed": _type(bool | None),
        "stop_reason": _type(str | None),
        **{name: _type(list[str]) for name in ("ended_early", "verdicts")},
        "cells": {"type": "array", "items": _object(of_cell)},
    }
    title = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "summary.json"}
    return title | _object(known)


def _object(known: dict[str, Any]) -> dict[str, Any]:
    required = [name for name in known if name != "hosts"]
    return {"type": "object", "required": required, "properties": known}


def _types(record: type, left_out: Collection[str] = ()) -> dict[str, Any]:
    """Return the schema of each field of a dataclass."""
    hints = get_type_hints(record)
    return {name: _type(hint) for name, hint in hints.items() if name not in left_out}


def _type(hint: Any) -> dict[str, Any]:
    return TypeAdapter(hint).json_schema()
