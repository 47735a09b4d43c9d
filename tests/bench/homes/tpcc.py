"""A folder with a loaded TPC-C database for a benchmark, removed at its end."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from waltax.base import proc
from waltax.driver.argv import Parameters, command_line
from waltax.driver.client import Driver, Event
from waltax.profiles import load, options_file

from .plain import home as new_home


@contextlib.contextmanager
def home(benchmark: str) -> Iterator[Path]:
    """A new folder beside the data sets, with RocksDB options as `quick` has them."""
    with new_home(benchmark) as folder:
        (folder / "rocksdb.options").write_text(options_file(load("quick"), "tpcc"))
        yield folder


def fill(folder: Path, db: Path, warehouses: int) -> Event:
    """Load `db`; the loader's own account of it."""
    argv = command_line(
        *(proc.program("tpcc"), "load"),
        {"db": db, "threads": os.cpu_count() or 1, "seed": 1},
        {**_options(folder), "warehouses": warehouses},
    )
    loader = Driver("load", argv, log=folder / "load.stderr")
    loaded = loader.wait_for("loaded")
    loader.close()
    return loaded


def start(
    folder: Path,
    db: Path,
    wal: Path,
    *,
    threads: int,
    seed: int,
    parameters: Parameters,
    env: Mapping[str, str] | None = None,
) -> tuple[Driver, Event]:
    """A driver that is ready to run, and its `ready` event."""
    argv = command_line(
        *(proc.program("tpcc"), "run"),
        {"db": db, "wal_dir": wal, "threads": threads, "seed": seed},
        {**_options(folder), **parameters},
    )
    driver = Driver(folder.name, argv, log=folder / "run.stderr", env=env)
    return driver, driver.wait_for("ready", within_s=300)


def _options(folder: Path) -> Parameters:
    return {"options_file": str(folder / "rocksdb.options")}
