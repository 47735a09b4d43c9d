"""Cuts the power of a guest whose disk has a volatile cache, and compares what is left.

The guest runs TPC-C under a real kernel and file system; QEMU logs what its disks are told, and the
recorder in the guest what the files are. What either says is left after a cut is opened here.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import guest_run
from blocks import opened, replay
from guest_run import Unbootable
from power import disk, recorded, states, verdict
from power.runs import RUNS
from power.states import CUTTER, DISK, Left
from rich.console import Console
from rich.table import Table
from waltax.base.errors import WaltaxError

_CUTS, _SEED = 20, 1
_WRITTEN = guest_run.HOME / "cuts.json"
_PROGRAMS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "busybox": "busybox-static",
    "depmod": "kmod",
    "mkfs.ext4": "e2fsprogs",
    "debugfs": "e2fsprogs",
    "unshare": "util-linux",
    "mount": "mount",
}


def main() -> int:
    """Exit codes: 0 all as it must be, 1 something was not, 2 this machine cannot."""
    console = Console(width=max(110, Console().width))
    if refused := _refused():
        print(f"receipts-vm: {refused}", file=sys.stderr)
        return 2
    try:
        with guest_run.room() as room:
            found = list(_measured(room, console))
    except (Unbootable, WaltaxError) as error:
        print(f"receipts-vm: {error}", file=sys.stderr)
        return 1
    _WRITTEN.write_text(json.dumps([asdict(one) for one in found], indent=1) + "\n")
    return _judge(found, console)


def _refused() -> str | None:
    """What this machine lacks, and what to do about it."""
    missing = sorted({package for name, package in _PROGRAMS.items() if not shutil.which(name)})
    if missing:
        return f"programs are missing; run as root: apt-get install {' '.join(missing)}"
    if os.geteuid() != 0:
        return "a disk's states are mounted by this machine's kernel, which takes root; run as root"
    return None


def _measured(room: Path, console: Console) -> Iterator[Left]:
    """Errors: Unbootable, WaltaxError."""
    _require_mounts(room)
    shutil.rmtree(states.BROKEN, ignore_errors=True)
    began = time.monotonic()

    def say(text: str) -> None:
        console.print(f"{time.monotonic() - began:4.0f} s: {text}", highlight=False)

    for one in recorded.record(room, say):
        acknowledged = len(one.recording.log.acks)
        say(f"{one.run.name}: {len(one.log)} commands to the disk, {acknowledged} acknowledgements")
        yield from states.left(one, _CUTS, _SEED, room / f"states-{one.run.name}")
    say("done")


def _require_mounts(room: Path) -> None:
    """Before minutes are spent. Errors: Unbootable."""
    image = room / "probe.img"
    try:
        disk.make_empty(image)
        opened.require_mounts(image, room)
    except WaltaxError as error:
        raise Unbootable(
            f"this machine mounts no image of a file system, which takes loop devices: {error}"
        ) from None


def _judge(found: list[Left], console: Console) -> int:
    """Print what was left, how both records agree, and what is not as it must be."""
    console.print(_table(found))
    wrong = []
    for run in RUNS:
        of_run = [one for one in found if one.run == run.name]
        note = "" if run.agrees else " (it knows no mount option)"
        console.print(f"{run.name}: {verdict.agreement(of_run)}{note}", highlight=False)
        wrong += [f"{run.name}: {fault}" for fault in verdict.faults(run, of_run)]
    for line in wrong:
        console.print(f"WRONG {line}", markup=False, highlight=False, soft_wrap=True)
    if states.BROKEN.exists():
        console.print(f"a state is kept: sh {states.BROKEN / 'again.sh'}", soft_wrap=True)
    return 1 if wrong else 0


def _table(found: list[Left]) -> Table:
    heads = ("states", "file system sound", "opens", "consistent", "acknowledged", "lost")
    table = Table("run", "record", "unsynced", *heads, box=None)
    for run in RUNS:
        for by, strategies in ((DISK, replay.STRATEGIES), (CUTTER, states.CUTTER_STRATEGIES)):
            for strategy in strategies:
                some = [one for one in found if (one.run, one.by) == (run.name, by)]
                table.add_row(run.what, by, strategy, *_sums(some, strategy))
    return table


def _sums(left: list[Left], strategy: str) -> list[str]:
    some = [one for one in left if one.strategy == strategy]
    columns = [
        len(some),
        sum(one.sound for one in some),
        sum(one.opens for one in some),
        sum(one.consistent for one in some),
        sum(one.acknowledged for one in some),
        sum(one.lost for one in some),
    ]
    return [f"{number:,}" for number in columns]


if __name__ == "__main__":
    sys.exit(main())
