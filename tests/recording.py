"""Runs small programs under the built recorder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from waltax.crash import log
from waltax.crash.log import Call, Kind, Log
from waltax.devices.tap_preload import recorder_environment


@dataclass(frozen=True)
class Room:
    """A folder `db` that is recorded, and beside it the log and the acknowledgements."""

    path: Path

    @property
    def db(self) -> Path:
        return self.path / "db"

    @property
    def log(self) -> Path:
        return self.path / "log"

    @property
    def acks(self) -> Path:
        return self.path / "acks"

    def start(self, script: str, tapped: Mapping[str, str] | None = None) -> int:
        """Run `script` (with os, fcntl, mmap, DB and ACKS) under the recorder; its exit code."""
        self.db.mkdir(exist_ok=True)
        log.create(self.log, capacity_mb=16)
        words = f"import fcntl, mmap, os\nDB, ACKS = {str(self.db)!r}, {str(self.acks)!r}\n"
        env = recorder_environment(self.log, [self.db], self.acks, tapped)
        command = [sys.executable, "-c", f"{words}RW = os.O_CREAT | os.O_RDWR\n{script}"]
        return subprocess.run(command, env=os.environ | env, check=False).returncode

    def record(self, script: str, tapped: Mapping[str, str] | None = None) -> Log:
        assert self.start(script, tapped) == 0
        return log.read(self.log)


def kinds(recorded: Log) -> list[str]:
    return [call.kind.name for call in recorded.calls]


def only(recorded: Log, kind: Kind) -> list[Call]:
    return [call for call in recorded.calls if call.kind == kind]
