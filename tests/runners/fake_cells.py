"""Cells whose slices return at once: for tests of what is around cells, and not of the cells.

The plan, the folders, sessions, rows, their evidence, the screen and the reports are the real ones.
Only the driver program is missing, and with it the time that a slice takes.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from waltax import workloads
from waltax.base import proc
from waltax.base.folders import removal
from waltax.cell import Cell
from waltax.devices import tap_page
from waltax.devices.tap_page import TapCounters
from waltax.engines import ENGINES
from waltax.runners.campaign import Campaign
from waltax.runners.cells import waldir
from waltax.runners.cells.driver import life
from waltax.runners.cells.live import Event, Live, Measured, MeasuredNode, Position, Say, Share
from waltax.runners.cells.setting import Setting

_REQUESTS_PER_S = 50_000
_COST = {"off": 0.0, "nvram": 0.1, "nvme": 0.3, "ssd": 0.8}
_BYTES_A_COMMIT = 100

AtSlice = Callable[["FakeCell", Position], None]


@dataclass(kw_only=True)
class FakeCell(Live):
    """A cell that did what its label says whenever it is asked."""

    cells: FakeCells
    page: TapCounters
    ready: Event = field(
        default_factory=lambda: {
            "engine": {"rocksdb_version": "0.0.0"},
            "workload": {"paced": False},
            "data_bytes": 1000,
            "generator_cpu_us_per_op": 0.5,
            "warnings": [],
        }
    )

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:
        """See `Live.measure`. Errors: what the test's `at_slice` raises."""
        self.cells.at_slice(self, at)
        self.slices += 1
        return self._measured(at, warmup_s, measure_s)

    def _measured(self, at: Position, warmup_s: float, measure_s: float) -> Measured:
        drawn = random.Random(f"{self.cell.id}/{self.seed}/{at.round}")
        rate = _REQUESTS_PER_S * (1 - _COST.get(self.cell.device, 0.5)) * drawn.uniform(0.99, 1.01)
        requests = max(1, int(rate * measure_s))
        commits = requests + max(1, int(rate * warmup_s))
        seconds = warmup_s + measure_s
        seen = self._seen(commits)
        so_far = replace(seen, counts={**seen.counts, "attached": 1})
        node = MeasuredNode(self.wal_dir, seen, so_far, ())
        counters = dict.fromkeys(_counters(self.cell), 0)
        engine = ENGINES[self.cell.engine]
        counters[engine.wal_bytes] = _BYTES_A_COMMIT * commits * (self.cell.durability != "off")
        if engine.wal_syncs is not None:
            counters[engine.wal_syncs] = seen.syncs
        if engine.commit_groups is not None:
            counters[engine.commit_groups] = commits * (self.cell.durability != "off")
        event = _event(self.cell, requests, commits, warmup_s, measure_s) | {"counters": counters}
        machine = {
            **{"machine_elapsed_s": seconds, "machine_busy_cpu_s": seconds, "steal_s": 0.0},
            **self.cells.machine,
        }
        return Measured(event, (node,), machine)

    def _seen(self, commits: int) -> TapCounters:
        """What the tap would have: a write for each commit, and a sync where the label says so."""
        logs, syncs = self.cell.durability != "off", self.cell.durability == "sync"
        counts = {
            "opens": int(logs),
            "writes": commits * logs,
            "write_bytes": 2 * _BYTES_A_COMMIT * commits * logs,
            "syncs": commits * syncs,
            "emulated": int(self.placement.emulated),
        }
        return replace(self.page, counts={**self.page.counts, **counts})

    def check(self) -> dict[str, int]:
        self.cells.at_check(self)
        return {"nothings": 1}

    def kill(self) -> None:
        self.cells.killed.append(self)


def _counters(cell: Cell) -> list[str]:
    engine = ENGINES[cell.engine]
    return [name for name in (engine.wal_bytes, engine.wal_syncs, engine.commit_groups) if name]


def _event(
    cell: Cell, requests: int, commits: int, warmup_s: float, measure_s: float
) -> dict[str, Any]:
    record = workloads.of(cell.workload)
    unit = record.unit
    counted = unit.counted.upper().replace("-", "_") or (record.writes or ("REQUEST",))[0]
    latencies = {"p50_us": 20.0, "p99_us": 90.0}
    return {
        "throughput": requests * (unit.seconds or 1.0) / measure_s,
        "throughput_unit": unit.name,
        "start_unix_s": time.time(),
        "warmup_s": warmup_s,
        "measure_s": measure_s,
        "requests": requests,
        "slice_requests": commits,
        "commits": commits,
        **{"errors": 0, "retries": 0, "cpu_user_s": warmup_s + measure_s, "cpu_system_s": 0.0},
        "all_operations": latencies,
        "operations": {counted: {"count": requests, **latencies}},
        **{"threads": [], "data_bytes": 1000},
    }


class FakeCells:
    """In place of the life of cells with a driver program, in the table of lives.

    `at_slice` is called before each slice and `at_check` before each check; what they raise is what
    the cell fails with. `machine` are columns of what the machine did in each slice.
    """

    require = staticmethod(life.require)
    words = staticmethod(life.words)

    def __init__(self) -> None:
        self.at_slice: AtSlice = lambda _cell, _at: None
        self.at_check: Callable[[FakeCell], None] = lambda _cell: None
        self.machine: dict[str, Any] = {}
        self.killed: list[FakeCell] = []
        self.brought_up: list[str] = []

    def prepare(self, campaign: Campaign, say: Say) -> dict[str, Path | None]:  # noqa: ARG002
        return {cell.id: None for cell in campaign.cells}

    def share(self, campaign: Campaign) -> Share:
        return life.share(campaign)

    @contextlib.contextmanager
    def bring_up(self, setting: Setting) -> Iterator[FakeCell]:
        wal_dir = waldir.make(waldir.root(setting, setting.placement), setting.cell.id)
        self.brought_up.append(setting.cell.id)
        page = tap_page.create(setting.folders.memory / f"{setting.cell.id}.page").snapshot()
        try:
            yield FakeCell(
                cell=setting.cell,
                placement=setting.placement,
                wal_dirs=(wal_dir,),
                seed=setting.seed,
                argv=[str(proc.program(workloads.of(setting.cell.workload).driver_program))],
                cells=self,
                page=page,
            )
        finally:
            removal.trees(wal_dir, setting.home)
