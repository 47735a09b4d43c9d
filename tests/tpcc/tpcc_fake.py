"""The command line of tpcc-mysql without the process around it, and what a driver says to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import fake_driver
from fake_driver import Result, invoke
from waltax.tpcc.original.command import command

READY: dict[str, Any] = {
    "event": "ready",
    "rate": 0,
    "data_bytes": 100 << 20,
    "warnings": [],
    "workload": {
        "warehouses": 10,
        "paced": False,
        "isolation": "serializable",
        "c_last_load": 157,
        "c_last_run": 223,
        "c_id": 259,
        "ol_i_id": 7911,
    },
}
CHECKED: dict[str, Any] = {
    "event": "check",
    "ok": True,
    "seconds": 1.5,
    "counted": {"warehouse": 10, "stock": 1_000_000},
    "violation_count": 0,
    "violations": [],
}
VIOLATED = {
    **CHECKED,
    "ok": False,
    "violation_count": 27,
    "violations": ["condition 1: warehouse 3: W_YTD is 1.00", "stock: warehouse 2: item 7"],
}
LOADED: dict[str, Any] = {
    "event": "loaded",
    "warehouses": 10,
    "rows": {"WAREHOUSE": 10, "ITEM": 100_000},
    "seconds": 8.0,
    "rows_per_s": 12_501.25,
    "bytes": 3 << 20,
}


def run_command(*words: str) -> Result:
    """Run `waltax tpcc` with these words."""
    return invoke(command, *words)


def operation(count: int, errors: int = 0) -> dict[str, Any]:
    """What a slice says of a transaction that was completed so often."""
    times = {f"{name}_us": 1000.0 for name in ("mean", "p50", "p95", "p99", "max")}
    return {"count": count, "errors": errors, **times}


def slice_event(measure_s: float = 60.0, **operations: dict[str, Any]) -> dict[str, Any]:
    """The result of a run, without conflicts or failures."""
    return {
        "event": "slice",
        "measure_s": measure_s,
        "errors": 0,
        "error_samples": [],
        "data_bytes": 101 << 20,
        "operations": operations,
    }


FEW = slice_event(
    NEW_ORDER=operation(2),
    PAYMENT=operation(2),
    DELIVERY=operation(1),
)


def run_on(db: Path, *words: str) -> Result:
    """A run on the data set in `db`."""
    return run_command("run", "-w", "10", "--db", str(db), *words)


class FakeDriver(fake_driver.FakeDriver):
    """A tpcc that loads and checks well."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "tpcc")
        self.answer("load", LOADED)
        self.answer("check", CHECKED)

    def answer_run(self, events: Sequence[dict[str, Any]], check: dict[str, Any] = CHECKED) -> None:
        """Say in a run these events between `ready` and the check."""
        self.answer("run", READY, *events, check)
