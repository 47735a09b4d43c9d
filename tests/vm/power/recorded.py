"""Each run, recorded twice: by its disk, which QEMU logs, and by the recorder in the guest."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import guest_run
from blocks import log as block_log
from blocks.log import Entry
from guest_run import Session
from power import disk
from power.disk import Bases
from power.runs import RUNS, Run
from waltax import profiles
from waltax.base import proc
from waltax.base.errors import WaltaxError
from waltax.crash import log
from waltax.crash.cutter import history
from waltax.crash.runs import recording
from waltax.crash.runs.engine import Engine
from waltax.crash.runs.recording import INFO_LOGS, Recording
from waltax.devices.tap_preload import recorder_environment
from waltax.driver.argv import Parameters, command_line
from waltax.driver.client import Driver
from waltax.profiles import Profile

FOLDERS = ("db", "wal")
ACK_LOG = "acks"
_OPTIONS = "rocksdb.options"
_SESSION = Session("power.py", "said.json", within_s=900.0, make="receipts-vm")
_DISK, _ACKS = Path("/mnt/disk"), Path("/mnt/acks")
_WORKLOAD, _ENGINE = "tpcc", "rocksdb"
_SECONDS, _SEED = 20.0, 1
_RECORDED_MB = 256
_TOLD = {"write cache": "write back", "commands at a time": "1"}
"""What the argument of receipts/blocks takes from the guest's kernel."""


@dataclass(frozen=True)
class Recorded:
    """One run on one disk; `log` is the whole disk's, `bases` what it held before."""

    run: Run
    bases: Bases
    log: tuple[Entry, ...]
    recording: Recording


def record(room: Path, say: Callable[[str], None]) -> list[Recorded]:
    """Load the data, boot the guest, have it run. Errors: Unbootable, WaltaxError."""
    tree, out = room / "tree", room / "out"
    out.mkdir()
    profile = profiles.load(str(Path(__file__).parent / "profile.toml"), _ENGINE)
    bases = disk.make(_loaded(tree, profile), room)
    disks = [disk.logged(run.name, bases, room) for run in RUNS]
    (out / "plan.json").write_text(json.dumps([_plan(run, profile, out) for run in RUNS]))
    said = guest_run.boot(_SESSION, disk.hardware(disks), room, out, say)
    for one in disks:
        one.image.unlink()
    return [
        _read(run, one, bases, tree, out, said[run.name])
        for run, one in zip(RUNS, disks, strict=True)
    ]


def _loaded(tree: Path, profile: Profile) -> Path:
    """What is on the disk at the start: the database, no log, and how the engine is set."""
    db, wal = (tree / name for name in FOLDERS)
    wal.mkdir(parents=True)
    load = profile.workload(_WORKLOAD).load
    argv = command_line(
        proc.program(_WORKLOAD), "load", {"db": db, "threads": 2, "seed": _SEED}, load
    )
    loader = Driver("load", argv)
    loader.wait_for("loaded")
    loader.close()
    (tree / _OPTIONS).write_text(profiles.options_file(profile, _WORKLOAD))
    return tree


def _plan(run: Run, profile: Profile, out: Path) -> Mapping[str, Any]:
    """What guest/power.py shall do, in the guest's own paths."""
    db, wal = (_DISK / name for name in FOLDERS)
    acks = _ACKS / ACK_LOG
    log.create(_recorder_log(run, out), _RECORDED_MB)
    parameters: Parameters = {
        "durability": run.durability,
        "ack_log": str(acks),
        "options_file": str(_DISK / _OPTIONS),
        "block_cache_mb": profile.embedded.block_cache_mb,
    }
    program = proc.program(_WORKLOAD).absolute()
    return {
        "name": run.name,
        "regions": [(one.offset, one.length) for one in (disk.DATA, disk.ACKS)],
        "mounts": {str(_DISK): run.mount, str(_ACKS): "sync,barrier=0"},
        "argv": command_line(
            *(program, "run"),
            {"db": db, "wal_dir": wal, "threads": profile.threads, "seed": _SEED},
            parameters,
        ),
        "env": recorder_environment(Path("/dev/shm/recorded"), [db, wal], acks),
        "recorded": _recorder_log(run, out).name,
        "seconds": _SECONDS,
    }


def _recorder_log(run: Run, out: Path) -> Path:
    return out / f"{run.name}.recorded"


def _read(
    run: Run, one: disk.Logged, bases: Bases, tree: Path, out: Path, told: Mapping[str, str]
) -> Recorded:
    if told != _TOLD:
        raise WaltaxError(f"{run.name}: found a disk with {told}, want {_TOLD}")
    read = log.read(_recorder_log(run, out))
    db, wal = (_DISK / name for name in FOLDERS)
    story = history.of(read, {db: tree / FOLDERS[0]})
    check = partial(recording.check, Engine(), mode=run.durability)
    kept = Recording(read, story, db, wal, check, INFO_LOGS)
    return Recorded(run, bases, block_log.read(one.log), kept)
