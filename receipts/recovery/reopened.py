"""A killed database, opened again: how long that takes, and what the engine says of it."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from ... import proc
from ...driver.argv import Parameters, run_argv
from ...driver.client import Driver
from ...errors import WaltaxError
from ...mariadb.datadir import IMMUTABLE
from ...owned import removal
from .crashed import READY_S, Crashed

_EVENT = "EVENT_LOG_v1 "  # how RocksDB begins an event in its LOG


@dataclass(frozen=True)
class Reopened:
    """One opening, of a copy whose files were out of the page cache.

    `open_s` is what a user waits: from the start of the process until it serves. `recovery_s` is
    RocksDB's own count of its replay, from recovery_started to recovery_finished in its LOG, and
    `read_bytes` is what the process had fetched from the disk by then.
    """

    open_s: float
    recovery_s: float
    read_bytes: int


def reopen(crashed: Crashed, room: Path, parameters: Parameters) -> Reopened:
    """Open a copy in `room`, which is removed again. Errors: DriverFailed when it does not open."""
    db, wal = room / "db", room / "wal"
    try:
        _copy(crashed.db, db)
        shutil.copytree(crashed.wal, wal)
        for path in (*_files(db), *_files(wal)):
            _forget(path)
        argv = run_argv(
            proc.program("tpcc"), db, wal, threads=1, seed=1, parameters=dict(parameters)
        )
        began_s = time.monotonic()
        driver = Driver("run", argv, log=room / "run.stderr")
        try:
            driver.wait_for("ready", within_s=READY_S)
            open_s = time.monotonic() - began_s
            read = psutil.Process(driver.pid).io_counters().read_bytes
        finally:
            driver.kill()
        return Reopened(open_s, _recovery_s(db / "LOG"), read)
    finally:
        removal.trees(db, wal)


def _copy(source: Path, target: Path) -> None:
    """Tables are never written to, so a link will do."""
    target.mkdir()
    for path in _files(source):
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in IMMUTABLE:
            os.link(path, place)
        else:
            shutil.copyfile(path, place)


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def _forget(path: Path) -> None:
    """Have the kernel drop what it has of a file in memory, which must be on the disk for that."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(file)


def _recovery_s(log: Path) -> float:
    """Errors: WaltaxError when the LOG tells no whole recovery."""
    at: dict[str, int] = {}
    for event in _events(log):
        at.setdefault(str(event.get("event")), event.get("time_micros", 0))
    try:
        return (at["recovery_finished"] - at["recovery_started"]) / 1e6
    except KeyError as error:
        raise WaltaxError(
            f"{log}: tells of no {error.args[0]}; was there a log to replay?"
        ) from None


def _events(log: Path) -> Iterator[dict[str, Any]]:
    for line in log.read_text(errors="replace").splitlines():
        _, found, text = line.partition(_EVENT)
        if found:
            try:
                event = json.loads(text)
            except ValueError:
                continue
            if isinstance(event, dict):
                yield event
