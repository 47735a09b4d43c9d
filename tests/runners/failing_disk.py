"""Plants a disk that begins to fail while a campaign runs, into waltax or into a driver program."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

_SOURCE = Path(__file__).with_suffix(".c")


@dataclass(frozen=True)
class FailingDisk:
    """A library that fails calls of a program it is preloaded into, from `begin` to `end` on."""

    library: Path
    _when: Path

    def begin(self) -> None:
        self._when.touch()

    def end(self) -> None:
        self._when.unlink()

    def faults(self, call: str, path: str, error: int) -> dict[str, str]:
        """Variables that let `call` (open, write, sync) of files with `path` in theirs end so."""
        told = {"WHEN": self._when, "CALL": call, "IN": path, "ERRNO": error}
        return {f"FAULT_{name}": str(value) for name, value in told.items()}

    def environment(self, preloaded: str, call: str, path: str, error: int) -> dict[str, str]:
        """The same of a program that preloads libraries already; see `faults`."""
        return {**self.faults(call, path, error), "LD_PRELOAD": f"{self.library}:{preloaded}"}


def built(folder: Path) -> FailingDisk:
    """The library, which fails nothing yet."""
    library = folder / "failing_disk.so"
    made = ("-o", library, _SOURCE, "-ldl")
    subprocess.run(["cc", "-O1", "-D_GNU_SOURCE", "-shared", "-fPIC", *made], check=True)
    return FailingDisk(library, folder / "fails")


def plant(
    folder: Path, monkeypatch: pytest.MonkeyPatch, call: str, path: str, error: int
) -> FailingDisk:
    """Let `call` (open, write, sync) of files with `path` in theirs end so, once it begins."""
    disk = built(folder)
    for name, value in disk.faults(call, path, error).items():
        monkeypatch.setenv(name, value)
    return disk


# Not by a program around it: the tap tells when two processes have it.
_AROUND = """\
import sys
from waltax.__main__ import main
from waltax.devices import tap_preload
library, device = sys.argv[1:3]
del sys.argv[1:3]
real = tap_preload.tap_environment
def planted(wal_dir, *others, **named):
    env = real(wal_dir, *others, **named)
    if f"-{device}-" in str(wal_dir):
        env["LD_PRELOAD"] = f"{library}:{env['LD_PRELOAD']}"
    return env
tap_preload.tap_environment = planted
main()
"""


def around(argv: list[str], disk: FailingDisk, device: str) -> list[str]:
    """The command line `argv`, with the library before the tap where a device's cells run."""
    return [argv[0], "-c", _AROUND, str(disk.library), device, *argv[3:]]
