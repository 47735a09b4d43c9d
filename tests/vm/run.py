"""Boots a guest with real device classes and compares what waltax says there with the truth.

Detection and placement only: the guest's CPU is emulated, so that none of its times means anything.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import guest_kernel
import guest_machine
import table
from placements import RUNS
from rich.console import Console
from stacks import STACKS
from verdict import run_faults, stack_faults

_ROOT = Path(__file__).resolve().parents[2]
_VM = _ROOT / "build" / "vm"
_KEPT = _VM / "serial.log"
# Six minutes where nothing else runs; QEMU has two CPUs to itself there.
_WITHIN_S = 1200.0
_WIDTH = 150


class Unbootable(Exception):
    """The guest did not come as far as to say what it saw."""


def main() -> int:
    """Exit codes: 0 all as expected, 1 something was not, or there was no guest."""
    # Too wide for a narrow terminal, but a table of 80 columns would be all line breaks.
    console = Console(width=max(_WIDTH, Console().width))
    try:
        with _only_one():
            seen = _boot(console)
    except Unbootable as error:
        print(f"test-devices: {error}", file=sys.stderr)
        return 1
    return _judge(seen, console)


@contextlib.contextmanager
def _only_one() -> Iterator[None]:
    """Two runs would unpack into one folder. Sweeps up after one that was killed.

    Errors: Unbootable.
    """
    _VM.mkdir(parents=True, exist_ok=True)
    with (_VM / "lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Unbootable(f"another run holds {_VM / 'lock'}; wait for it") from None
        for left in _VM.glob("run-*"):
            shutil.rmtree(left, ignore_errors=True)
        yield


def _boot(console: Console) -> dict[str, Any]:
    """What the guest saw, as guest/session.py writes it.

    Errors: Unbootable, with the last lines of its console, which is kept.
    """
    _KEPT.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="run-", dir=_VM) as name:
        home = Path(name)
        out = home / "out"
        out.mkdir()
        try:
            kernel = guest_kernel.prepare(_VM)
            initramfs = guest_kernel.initramfs(kernel, _ROOT, home)
            console.print("booting Debian's kernel in QEMU, a few minutes", highlight=False)
            ended = guest_machine.boot(kernel, initramfs, home, out, _WITHIN_S)
        except subprocess.CalledProcessError as error:
            raise Unbootable(f"{error.cmd[0]}: {_text(error.stderr)}") from error
        except FileNotFoundError as error:
            raise Unbootable(f"{error}; run: make test-devices") from error
        said = out / "seen.json"
        if ended.finished and said.is_file():
            seen: dict[str, Any] = json.loads(said.read_text())
            return seen | {"serial": _text(ended.serial.read_bytes())}
        if ended.serial.is_file():
            shutil.copy(ended.serial, _KEPT)
        raise Unbootable(_why(ended, home))


def _why(ended: guest_machine.Boot, home: Path) -> str:
    how = "ended early" if ended.finished else f"was killed after {ended.seconds:.0f} s"
    qemu = _text((home / "qemu.log").read_bytes()).strip()
    last = _text(_KEPT.read_bytes())[-2000:] if _KEPT.is_file() else ""
    return f"the guest {how}; its console is in {_KEPT}\n{qemu}\n{last}"


def _text(words: str | bytes | None) -> str:
    return words.decode(errors="replace") if isinstance(words, bytes) else words or ""


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
        _KEPT.write_text(seen["serial"])
        print(f"test-devices: the guest's console is in {_KEPT}", file=sys.stderr)
        return 1
    console.print(f"{len(stacks)} stacks and {len(runs)} runs as expected", highlight=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
