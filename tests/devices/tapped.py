"""Runs small programs under the built tap."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from waltax.devices.tap_model import DeviceModel, SyncLatency, packed
from waltax.devices.tap_page import TapCounters, TapFile, create
from waltax.devices.tap_preload import tap_environment

FAST = DeviceModel((SyncLatency(100, ((50, 5.0),)),), 0, 0, 0, 64, 0, 0, 1.0)


@pytest.fixture
def room() -> Iterator[Path]:
    """A folder in memory with an empty folder `wal` in it."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        (Path(folder) / "wal").mkdir()
        yield Path(folder)


def observe(
    room: Path,
    script: str,
    model: DeviceModel | bytes | None = None,
    wal: str = "wal",
    rung: str = "",
    reads: dict[str, str] | None = None,
) -> TapCounters:
    """Run `script` (with os, fcntl, mmap and WAL = room/wal) under the tap; return what it saw."""
    page = create(room / "page")
    under = environment(room, model, wal, rung, reads)
    subprocess.run(command(room, script), env=under, check=True)
    return page.snapshot()


def slow_reads(folder: Path, latency_us: int) -> dict[str, str]:
    """Reads of data below `folder` take so long at least."""
    return {"WALTAX_TAP_DATA_DIR": str(folder), "WALTAX_TAP_READ_NS": str(latency_us * 1000)}


def command(room: Path, script: str) -> list[str]:
    start = f"import fcntl, mmap, os\nWAL = {str(room / 'wal')!r}\nRW = os.O_CREAT | os.O_RDWR\n"
    return [sys.executable, "-c", start + script]


def environment(
    room: Path,
    model: DeviceModel | bytes | None,
    wal: str,
    rung: str = "",
    reads: dict[str, str] | None = None,
) -> dict[str, str]:
    path = None
    if model is not None:
        path = room / "model"
        path.write_bytes(model if isinstance(model, bytes) else packed(model))
    told = tap_environment(room / wal, room / "page", path) | {"WALTAX_TAP_RUNG": rung}
    return os.environ | told | (reads or {})


def only_file(counters: TapCounters) -> TapFile:
    (file,) = counters.files
    return file
