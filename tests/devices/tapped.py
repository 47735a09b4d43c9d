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
) -> TapCounters:
    """Run `script` (with os, fcntl, mmap and WAL = room/wal) under the tap; return what it saw."""
    page = create(room / "page")
    under = environment(room, model, wal, rung)
    subprocess.run(command(room, script), env=under, check=True)
    return page.snapshot()


def command(room: Path, script: str) -> list[str]:
    start = f"import fcntl, mmap, os\nWAL = {str(room / 'wal')!r}\nRW = os.O_CREAT | os.O_RDWR\n"
    return [sys.executable, "-c", start + script]


def environment(
    room: Path,
    model: DeviceModel | bytes | None,
    wal: str,
    rung: str = "",
) -> dict[str, str]:
    words = packed(model) if isinstance(model, DeviceModel) else model
    return os.environ | tap_environment(room / wal, room / "page", words, rung=rung)


def only_file(counters: TapCounters) -> TapFile:
    (file,) = counters.files
    return file
