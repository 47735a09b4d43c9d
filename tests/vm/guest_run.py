"""One guest from the kernel's package to what it wrote, with its console kept when it fails."""

from __future__ import annotations

import contextlib
import fcntl
import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import guest_kernel
import guest_machine

_ROOT = Path(__file__).resolve().parents[2]
HOME = _ROOT / "build" / "vm"
KEPT = HOME / "serial.log"


class Unbootable(Exception):
    """The guest did not come as far as to say what it saw."""


@dataclass(frozen=True)
class Session:
    """A program of guest/, which leaves its findings in the file `said` of the folder it is given.

    `make` is the target of the Makefile that installs what a guest takes.
    """

    program: str
    said: str
    within_s: float
    make: str


@contextlib.contextmanager
def room() -> Iterator[Path]:
    """A folder for this run alone. Sweeps up after one that was killed.

    Two runs would unpack into one folder, so there is one at a time. Errors: Unbootable.
    """
    HOME.mkdir(parents=True, exist_ok=True)
    with (HOME / "lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Unbootable(f"another run holds {HOME / 'lock'}; wait for it") from None
        for left in HOME.glob("run-*"):
            shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix="run-", dir=HOME) as name:
            yield Path(name)


def boot(
    session: Session, hardware: list[str], home: Path, out: Path, say: Callable[[str], None]
) -> dict[str, Any]:
    """What the guest said, and its console as `serial`.

    Errors: Unbootable, with the last lines of its console, which is kept.
    """
    KEPT.unlink(missing_ok=True)
    try:
        kernel = guest_kernel.prepare(HOME)
        initramfs = guest_kernel.initramfs(kernel, _ROOT, home, session.program)
        say("booting Debian's kernel in QEMU, a few minutes")
        ended = guest_machine.boot(kernel, initramfs, hardware, home, out, session.within_s)
    except subprocess.CalledProcessError as error:
        raise Unbootable(f"{error.cmd[0]}: {_text(error.stderr)}") from error
    except FileNotFoundError as error:
        raise Unbootable(f"{error}; run: make {session.make}") from error
    said = out / session.said
    if ended.finished and said.is_file():
        seen: dict[str, Any] = json.loads(said.read_text())
        return seen | {"serial": _text(ended.serial.read_bytes())}
    if ended.serial.is_file():
        shutil.copy(ended.serial, KEPT)
    raise Unbootable(_why(ended, home))


def _why(ended: guest_machine.Boot, home: Path) -> str:
    how = "ended early" if ended.finished else f"was killed after {ended.seconds:.0f} s"
    qemu = _text((home / "qemu.log").read_bytes()).strip()
    last = _text(KEPT.read_bytes())[-2000:] if KEPT.is_file() else ""
    return f"the guest {how}; its console is in {KEPT}\n{qemu}\n{last}"


def _text(words: str | bytes | None) -> str:
    return words.decode(errors="replace") if isinstance(words, bytes) else words or ""
