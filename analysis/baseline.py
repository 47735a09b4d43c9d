"""What each cell is compared with."""

from __future__ import annotations

from collections.abc import Mapping

from ..row import Row

BASELINE = "off"
# InnoDB cannot run without its redo log. The least that it can do for a commit is `delayed`:
# the log is written and synced about once a second, whatever commits.
_WEAKEST = {"innodb": "delayed"}


def reference(engine: str) -> str:
    """The durability of this engine's baselines."""
    return _WEAKEST.get(engine, BASELINE)


def has_off(engine: str) -> bool:
    """Whether it runs without a log at all."""
    return engine not in _WEAKEST


def of_cells(group: Mapping[str, Row]) -> dict[str, str | None]:
    """The baseline's id for each cell of a comparison group, given a row of each; or None.

    `off` for all of them. Without an `off`, the weakest mode of the cell's own device: what
    differs between devices then stays out of the comparison.
    """
    candidates = {
        _place(one): cell
        for cell, one in group.items()
        if not one["replica"] and not one.get("knob") and _may_be_baseline(one)
    }
    return {cell: candidates.get(_place(one)) for cell, one in group.items()}


def _may_be_baseline(one: Row) -> bool:
    if has_off(one["engine"]):
        return bool(one["device"] == BASELINE)
    return bool(one["durability"] == reference(one["engine"]))


def _place(one: Row) -> str:
    """Cells that share it share a baseline."""
    return "" if has_off(one["engine"]) else str(one["device"])
