"""Tell whether a program listens on a socket."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

import psutil

_NET = Path("/proc/net")
_LISTENS = "0A"  # of tcp and tcp6, in the fourth column
_ACCEPTS = 0x10000  # of unix, among the flags in the fourth column


def listens(programs: Iterable[psutil.Process]) -> bool:
    """Return whether one of these processes has a listening socket of TCP or of Unix."""
    known = _listening()
    return any(inode in known for program in programs for inode in _sockets(program.pid))


def _listening() -> set[str]:
    inodes = set()
    for name in ("tcp", "tcp6", "unix"):
        with contextlib.suppress(OSError):
            for line in (_NET / name).read_text().splitlines()[1:]:
                words = line.split()
                if name == "unix" and int(words[3], 16) & _ACCEPTS:
                    inodes.add(words[6])
                elif name != "unix" and words[3] == _LISTENS:
                    inodes.add(words[9])
    return inodes


def _sockets(pid: int) -> set[str]:
    """Return the inodes of a process's sockets, as in "socket:[1234]"."""
    inodes = set()
    with contextlib.suppress(OSError):
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                inodes.add(str(link.readlink()).removeprefix("socket:[").removesuffix("]"))
    return inodes
