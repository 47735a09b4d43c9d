"""Rows of a ladder with a known truth: what each rung's request takes, in microseconds."""

from __future__ import annotations

from collections.abc import Mapping

from synthetic import EVIDENCE, make_row, noise
from waltax.cell import Cell
from waltax.row import Row
from waltax.runners.recipe.comparison import ladder

OFF = Cell("rocksdb", "linkbench", "quick", "off", "off", 4)
TIMES_US = {
    "off": 40.0,
    "encode": 44.0,
    "write": 50.0,
    "sync-free": 70.0,
    "wait": 130.0,
    "device": 160.0,
}


def rung_rows(
    times_us: Mapping[str, float] = TIMES_US,
    devices: Mapping[str, bool] | None = None,
    sd: float = 0.01,
    baseline: Cell = OFF,
    **more: object,
) -> list[Row]:
    """Three sessions of four rounds; `devices` says of each whether it is emulated."""
    from waltax.analysis.results.ladder import rung_of

    cells = ladder(baseline, {"nvme": True} if devices is None else devices)
    wobble = noise(sd, seed=5)
    return [
        rung_row(cell, 4e6 / times_us[rung_of(cell)] * wobble(), session, round_) | more
        for session in range(3)
        for round_ in range(4)
        for cell in cells
    ]


def rung_row(cell: Cell, rate: float, session: int, round_: int) -> Row:
    requests = int(rate * 1.5)
    syncs = requests // 4 if cell.durability == "sync" else 0
    each_us = {"": 100.0, "wait": 100.0}.get(cell.rung, 0.0)
    names = {name: getattr(cell, name) for name in ("engine", "workload", "durability", "rung")}
    counted = {
        "requests": requests,
        "measure_s": requests / rate,
        "warmup_s": 0.0,
        "slice_requests": requests,
        "rocksdb_write_self": requests // 4,
        "rocksdb_write_other": requests // 4,
        "tap_writes": requests // 4,
        "tap_syncs": syncs,
        "tap_sync_ns": int(syncs * each_us * 1000),
        "sched_run_s": 1.2,
        "sched_wait_s": 0.3,
        "sched_switches_voluntary": 900.0,
    }
    row = make_row(cell.device, rate, session, round_, **EVIDENCE)
    return row | names | counted | {"cell": cell.id}
