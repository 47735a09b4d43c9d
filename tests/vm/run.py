"""Boots a guest with real device classes and compares what waltax says there with the truth.

Detection and placement only: the guest's CPU is emulated, so that none of its times means anything.
"""

from __future__ import annotations

import sys
from typing import Any

import class_disks
import guest_run
import table
from guest_run import Session, Unbootable
from placements import RUNS
from rich.console import Console
from stacks import STACKS
from verdict import run_faults, stack_faults

# Six minutes where nothing else runs; QEMU has two CPUs to itself there.
_SESSION = Session("session.py", "seen.json", within_s=1200.0, make="test-devices")
_WIDTH = 150


def main() -> int:
    """Exit codes: 0 all as expected, 1 something was not, or there was no guest."""
    # Too wide for a narrow terminal, but a table of 80 columns would be all line breaks.
    console = Console(width=max(_WIDTH, Console().width))
    try:
        seen = _boot(console)
    except Unbootable as error:
        print(f"test-devices: {error}", file=sys.stderr)
        return 1
    return _judge(seen, console)


def _boot(console: Console) -> dict[str, Any]:
    """What the guest saw, as guest/session.py writes it. Errors: Unbootable."""
    with guest_run.room() as home, class_disks.plugged(home) as hardware:
        out = home / "out"
        out.mkdir()
        say = lambda text: console.print(text, highlight=False)  # noqa: E731
        return guest_run.boot(_SESSION, hardware, home, out, say)


def _judge(seen: dict[str, Any], console: Console) -> int:
    """Print both tables and what differs; 1 when something does."""
    disks = seen["disks"]
    stacks = [(one, seen["stacks"][one.name]) for one in STACKS]
    runs = [(one, seen["runs"][one.name]) for one in RUNS]
    faults = {one.name: stack_faults(one, said, disks) for one, said in stacks}
    faults |= {f"run {one.name}": run_faults(one, said, disks) for one, said in runs}
    table.print_stacks(stacks, faults, console)
    table.print_placements(runs, faults, disks, console)
    different = [f"{name}: {fault}" for name, found in faults.items() for fault in found]
    for line in different:
        console.print(f"DIFFERS {line}", markup=False, highlight=False, soft_wrap=True)
    if different:
        guest_run.KEPT.write_text(seen["serial"])
        print(f"test-devices: the guest's console is in {guest_run.KEPT}", file=sys.stderr)
        return 1
    console.print(f"{len(stacks)} stacks and {len(runs)} runs as expected", highlight=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
