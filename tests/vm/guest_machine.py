"""One boot of a guest in QEMU's plain emulation, whatever its disks are."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from guest_kernel import Kernel
from waltax.base.proc import launch

QEMU = "qemu-system-x86_64"


@dataclass(frozen=True)
class Boot:
    """How a boot ended; `seconds` is the host's wall time."""

    finished: bool
    seconds: float
    serial: Path


def boot(
    kernel: Kernel, initramfs: Path, hardware: list[str], home: Path, out: Path, within_s: float
) -> Boot:
    """Run the guest until it powers off, or kill it after `within_s`.

    `hardware` are QEMU's arguments for the disks; `out` is the folder that the guest may write.
    """
    serial = home / "serial.log"
    began = time.monotonic()
    with _running([*_argv(kernel, initramfs, serial, out), *hardware], home) as process:
        finished = _wait(process, within_s)
    return Boot(finished, time.monotonic() - began, serial)


def _argv(kernel: Kernel, initramfs: Path, serial: Path, out: Path) -> list[str]:
    argv = [QEMU, "-accel", "tcg,thread=multi", "-machine", "q35,nvdimm=on", "-cpu", "max"]
    argv += ["-smp", "2", "-m", "2G,slots=4,maxmem=4G", "-nodefaults", "-no-user-config"]
    argv += ["-display", "none", "-no-reboot", "-serial", f"file:{serial}"]
    argv += ["-kernel", str(kernel.image), "-initrd", str(initramfs)]
    argv += ["-append", "console=ttyS0 panic=-1 quiet mitigations=off"]
    shared = "security_model=none,multidevs=remap"
    argv += ["-virtfs", f"local,path=/,mount_tag=host,readonly=on,{shared}"]
    return [*argv, "-virtfs", f"local,path={out},mount_tag=out,{shared}"]


@contextlib.contextmanager
def _running(argv: list[str], home: Path) -> Iterator[subprocess.Popen[bytes]]:
    """QEMU, which outlives neither the block nor this process."""
    with (home / "qemu.log").open("wb") as log:
        process = launch(argv, stdout=log, stderr=log)
    try:
        yield process
    finally:
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        process.wait()


def _wait(process: subprocess.Popen[bytes], within_s: float) -> bool:
    try:
        return process.wait(within_s) == 0
    except subprocess.TimeoutExpired:
        return False
