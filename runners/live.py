"""One cell come alive: its clone, WAL directory, tap page and driver process."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree

from .. import proc
from ..cell import Cell
from ..devices import tap_model, tap_page
from ..devices.resolve import Placement
from ..devices.tap_page import TapCounters, TapPage
from ..devices.tap_preload import tap_environment
from ..driver.argv import run_argv
from ..profiles import options_file
from . import evidence, machine, waldir
from .campaign import Campaign
from .dataset import clone
from .process import Driver, DriverFailed, Event
from .workspace import disk_folder, memory_folder


@dataclass(frozen=True)
class Measured:
    """One slice as its witnesses tell it. `tap` and `machine` span the warm-up too.

    `tap_so_far` is the tap's page as it stands, from the process's start on.
    """

    slice: Event
    tap: TapCounters
    tap_so_far: TapCounters
    machine: dict[str, float]
    stray_wal_files: tuple[Path, ...]


@dataclass
class LiveCell:
    """Frozen except while it measures. Use from one thread."""

    cell: Cell
    placement: Placement
    driver: Driver
    page: TapPage
    db_dir: Path
    wal_dir: Path
    ready: Event
    argv: list[str]
    seed: int
    slices: int = 0

    def measure(self, warmup_s: float, measure_s: float) -> Measured:
        """Run one slice while every other cell is frozen."""
        places = {"data": self.db_dir, "wal": self.wal_dir}
        tap, before = self.page.snapshot(), machine.sample(places)
        times = {"warmup_s": warmup_s, "measure_s": measure_s}
        # Awake only for its slice: what runs in the background has no other time.
        self.driver.thaw()
        event = self.driver.ask("slice", within_s=sum(times.values()), cmd="run", **times)
        self.driver.freeze()
        during = machine.sample(places).since(before)
        so_far = self.page.snapshot()
        strays = evidence.stray_wal_files(self.db_dir, self.wal_dir)
        self.slices += 1
        return Measured(event, so_far.minus(tap), so_far, during, strays)

    def check(self) -> dict[str, int]:
        """Verify the workload's invariants and return how much was looked at.

        Errors: DriverFailed naming the violations.
        """
        self.driver.thaw()
        event = self.driver.ask("check", within_s=3600, cmd="check")
        self.driver.freeze()
        if not event["ok"]:
            found = "; ".join(event["violations"][:3])
            raise DriverFailed(f"the check found: {found}")
        return dict(event["counted"])


@contextlib.contextmanager
def alive(campaign: Campaign, cell: Cell, data_set: Path, seed: int) -> Iterator[LiveCell]:
    """Bring a cell to life on a fresh clone; whatever happens, it leaves nothing behind."""
    placement = campaign.placements[cell.id]
    home = disk_folder(campaign) / cell.id
    rmtree(home, ignore_errors=True)
    wal_dir: Path | None = None
    driver: Driver | None = None
    try:
        clone(data_set, home / "db")
        wal_dir = waldir.claim(_wal_root(campaign, placement, home), campaign.id, cell.id)
        page_path = memory_folder(campaign) / f"{cell.id}.page"
        page = tap_page.create(page_path)
        argv = _argv(campaign, cell, home, wal_dir, seed)
        env = tap_environment(wal_dir, page_path, _model_file(page_path, placement, seed))
        driver = Driver(cell.id, argv, log=campaign.folder / f"{cell.id}.stderr", env=env)
        ready = driver.wait_for("ready", within_s=300)
        (campaign.folder / f"{cell.id}.ready.json").write_text(json.dumps(ready, indent=1) + "\n")
        driver.freeze()
        yield LiveCell(cell, placement, driver, page, home / "db", wal_dir, ready, argv, seed)
    finally:
        if driver is not None:
            driver.kill()
        if wal_dir is not None:
            waldir.release(wal_dir)
        rmtree(home, ignore_errors=True)


def _wal_root(campaign: Campaign, placement: Placement, home: Path) -> Path:
    """Emulated WALs share the machine's memory file system with others' files."""
    if placement.wal_root is None:
        return home / "wal"
    if placement.kind == "emulated":
        return memory_folder(campaign)
    return placement.wal_root


def _argv(campaign: Campaign, cell: Cell, home: Path, wal_dir: Path, seed: int) -> list[str]:
    profile, workload = campaign.profile, campaign.profile.workload(cell.workload)
    options = home / "rocksdb.options"
    options.write_text(options_file(profile, cell.workload))
    parameters = {
        **workload.load,
        **workload.run,
        **profile.rocksdb.flags,
        "options_file": str(options),
        "block_cache_mb": profile.rocksdb.block_cache_mb,
        "durability": cell.durability,
    }
    return run_argv(
        proc.program(cell.workload),
        home / "db",
        wal_dir,
        threads=cell.threads,
        seed=seed,
        parameters=parameters,
    )


def _model_file(page: Path, placement: Placement, seed: int) -> Path | None:
    """The latency model as the tap reads it, beside its page. None: it only observes."""
    if placement.model is None:
        return None
    path = page.with_suffix(".model")
    path.write_text(tap_model.render(placement.model, seed))
    return path
