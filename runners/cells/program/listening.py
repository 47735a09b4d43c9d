"""Tell whether a program listens on a socket."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterable

import psutil


def listens(programs: Iterable[psutil.Process]) -> bool:
    """Return whether one of these processes has a listening socket of TCP, or a Unix one by name,
    of which psutil does not say whether it listens already.
    """
    for program in programs:
        with contextlib.suppress(psutil.Error, OSError):
            for each in program.net_connections("all"):
                named = each.family == socket.AF_UNIX and bool(each.laddr)
                if each.status == psutil.CONN_LISTEN or (named and each.type == socket.SOCK_STREAM):
                    return True
    return False
