"""Find what could answer a cell's process in the kernel's place: libraries, call filters.

A library that is loaded behind the tap answers for syncs, writes and clocks. A lie that is compiled
into a program, or installed among the system's libraries, is not detected here.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from ...base import home, proc
from ...base.errors import WaltaxError
from ...devices import tap_preload
from ...devices.kernel import Kernel

_PRELOADED = "/etc/ld.so.preload"
_NO_FILE = 2**30  # more files than any process may have open
# Where systems and their package managers keep libraries.
_SYSTEM = ("/usr/", "/lib", "/nix/store/", "/gnu/store/", "/opt/", "[")


def warnings(pid: int, kernel: Kernel | None = None) -> list[str]:
    """Return what makes it doubtful that the kernel answers a process of ours, a sentence each."""
    kernel = kernel or Kernel()
    return [*_filtered(pid, kernel), *_loaded(pid, kernel), *_bound(pid)]


def _filtered(pid: int, kernel: Kernel) -> Iterator[str]:
    """Yield warnings of filters, which can answer a call with success even for no file."""
    for call in (os.fsync, os.fdatasync):
        if _succeeds(call):
            yield f"not durable: {call.__name__} of no file succeeds: a filter of calls answers"
    ours, its = _filters(kernel, "self"), _filters(kernel, str(pid))
    if ours is not None and its is not None and its > ours:
        yield f"{its - ours} filters of system calls (seccomp) lie between a program and the kernel"


def _succeeds(call: Callable[[int], None]) -> bool:
    try:
        call(_NO_FILE)
    except OSError as error:
        return error.errno != errno.EBADF
    return True


def _filters(kernel: Kernel, pid: str) -> int | None:
    for line in (kernel.read(f"/proc/{pid}/status") or "").splitlines():
        name, _, value = line.partition(":")
        if name == "Seccomp_filters":
            return int(value)
    return None


def _loaded(pid: int, kernel: Kernel) -> Iterator[str]:
    preloaded = (kernel.read(_PRELOADED) or "").split()
    if preloaded:
        names = ", ".join(preloaded)
        yield f"{_PRELOADED} loads {names} into every program: it may answer in the kernel's place"
    maps = (kernel.read(f"/proc/{pid}/maps") or "").splitlines()
    mapped = [line.split(maxsplit=5) for line in maps]
    code = dict.fromkeys(words[5] for words in mapped if len(words) == 6 and "x" in words[1])
    foreign = [file for file in code if not _is_ours(file, pid) and file not in preloaded]
    if foreign:
        yield (
            f"{', '.join(foreign)} is loaded into a program: it may answer in the kernel's place, "
            "and what is counted here of syncs, writes and clocks is its word"
        )


def _is_ours(file: str, pid: int) -> bool:
    if file.startswith((*_SYSTEM, f"{home.programs().resolve()}/")):
        return True
    # A server has a copy of the tap, where its user can load it.
    if Path(file).name == tap_preload.library().name:
        return True
    with suppress(OSError):
        program = Path(f"/proc/{pid}/exe").readlink()
        return file == str(program) or file in _needed(program)
    return False


@cache
def _needed(program: Path) -> frozenset[str]:
    """Return the libraries that a program names itself; asked only about unusual ones."""
    try:
        words = proc.run(["ldd", program]).split()
    except WaltaxError:
        return frozenset()
    return frozenset(str(Path(word).resolve()) for word in words if word.startswith("/"))


def _bound(pid: int) -> Iterator[str]:
    with suppress(OSError):
        its, ours = os.sched_getaffinity(pid), os.sched_getaffinity(0)
        if its < ours:
            yield f"a program may use {len(its)} of the {len(ours)} CPUs that waltax may use"
