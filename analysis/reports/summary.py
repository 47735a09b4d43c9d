"""A campaign's results for programs, as in `summary.json` and `summary.csv`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from ... import workloads
from ..results import CellResult, Proof, words
from . import latencies

_RENAMED = {"low": "overhead_low", "high": "overhead_high"}
# Fields of a result that appear in another form.
_NOT_TOLD = {"at", "rows", "variance", "panel", "target_half_width", "twin"}
_OF_HOSTS = ("hosts", "sd_between_hosts", "share_of_hosts")


def lines(results: Sequence[CellResult]) -> list[dict[str, Any]]:
    """Return a line for each cell, with a column for each known property."""
    return [
        {
            name: "; ".join(map(_item, value)) if isinstance(value, (list, tuple)) else value
            for name, value in cell(result).items()
        }
        for result in results
    ]


def cell(result: CellResult) -> dict[str, Any]:
    """Return a result for programs. Fractions, not percent; units are in the names."""
    names = [name for field in fields(result) if (name := field.name) not in _NOT_TOLD]
    values = {
        **{_RENAMED.get(name, name): getattr(result, name) for name in names},
        "reference": result.reference,
        "overhead_half_width": result.half_width,
        **asdict(result.variance),
        "resolvable": result.resolvable,
        "failed": result.failed,
        **_proved(result.proof),
        "tap_agrees": result.proof.tap_agrees,
        **result.recorded,
        **latencies.told(result),
        **_activity(result),
        "doubts": [
            {"kind": doubt.kind, "text": doubt.text, "share": doubt.share}
            for doubt in result.doubts
        ],
    }
    # Nothing about hosts if rows name none.
    return {name: value for name, value in values.items() if result.hosts or name not in _OF_HOSTS}


def _activity(result: CellResult) -> dict[str, Any]:
    did = result.activity
    grown = {f"{w.grown.what}_growth": None for w in workloads.WORKLOADS.values() if w.grown}
    return {
        "isolation": did.isolation,
        "data_growth": did.data_growth,
        **grown,
        **({f"{did.grown_what}_growth": did.grown} if did.grown_what else {}),
        "conflicts_per_thousand_requests": did.conflicts_per_thousand_requests,
        "inputs": [asdict(rule) for rule in did.inputs],
    }


def _item(item: object) -> str:
    """Return an item of a list as text for a table cell; for a record its main fields."""
    if not isinstance(item, Mapping):
        return str(item)
    if "verdict" in item:
        return f"{item['name']} {item['verdict']}"
    return str(
        item.get("text") or f"{item['operation']} p99 {words.number(item['latency_us_p99'])} us"
    )


def twin(result: CellResult) -> dict[str, Any]:
    """Return a twin for programs, as fractions."""
    names = ("cell", "baseline", "workload", "overhead", "rounds", "failures", "low", "high")
    return {_RENAMED.get(name, name): getattr(result, name) for name in names}


def _proved(proof: Proof) -> dict[str, Any]:
    """Return the proof; without keys for a binlog or a server if there is none."""
    values = asdict(proof)
    binlog = values.pop("binlog") or {}
    if not values["rests_on"]:
        del values["rests_on"]
    return values | {f"binlog_{name}": value for name, value in binlog.items()}
