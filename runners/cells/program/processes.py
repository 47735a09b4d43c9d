"""Find and end all that a program started, which may leave its process group."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import time
from collections.abc import Sequence

import psutil

_PR_SET_CHILD_SUBREAPER = 36
_libc = ctypes.CDLL(None, use_errno=True)
_WRAPPERS = ("sh", "waltax_supervis")  # the kernel keeps 15 letters
_LEAVES_S = 1.0  # in which what ends with a program has ended


def tree(pid: int | None) -> list[psutil.Process]:
    """Return a process and all its descendants that run; of None nothing."""
    with contextlib.suppress(psutil.NoSuchProcess):
        if pid is not None:
            first = psutil.Process(pid)
            return [first, *first.children(recursive=True)]
    return []


def cpu_s(pid: int | None) -> tuple[float, float]:
    """Return the user and system time of a process, its descendants, and those that ended."""
    user = system = 0.0
    for process in tree(pid):
        with contextlib.suppress(psutil.Error):
            times = process.cpu_times()
            user += times.user + times.children_user
            system += times.system + times.children_system
    return user, system


def listens(pid: int) -> bool:
    """Return whether one of these has a listening socket of TCP, or a Unix one by name, of which
    psutil does not say whether it listens already.
    """
    for process in tree(pid):
        with contextlib.suppress(psutil.Error, OSError):
            for each in process.net_connections("all"):
                named = each.family == socket.AF_UNIX and bool(each.laddr)
                if each.status == psutil.CONN_LISTEN or (named and each.type == socket.SOCK_STREAM):
                    return True
    return False


def ask_to_end(pid: int) -> None:
    """Send SIGTERM to the program that a shell, or a supervisor, was started for."""
    own = tree(pid)
    while len(own) > 1 and _name(own[0]) in _WRAPPERS:
        own = own[1:]
    if own:
        _signal({own[0].pid}, signal.SIGTERM)


def kill(pid: int) -> None:
    """Kill a process and its descendants."""
    _signal({process.pid for process in tree(pid)}, signal.SIGKILL)


def _signal(pids: set[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


class Left:
    """What programs that are run from now on leave running.

    We become their parent, so they are the children of ours that we did not start.
    """

    def __init__(self) -> None:
        _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)
        self._ours = {process.pid for process in psutil.Process().children()}

    def names(self) -> list[str]:
        """Return what is left once what ends with a program had time for it: "redis (pid 7)"."""
        until = time.monotonic() + _LEAVES_S
        while (there := self._there()) and time.monotonic() < until:
            time.sleep(0.01)
        return [f"{_name(process)} (pid {process.pid})" for process in there]

    def end(self) -> None:
        """Kill it with its descendants, and reap it."""
        while there := self._there():
            for process in there:
                kill(process.pid)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(process.pid, 0)

    def _there(self) -> Sequence[psutil.Process]:
        others = [
            process for process in psutil.Process().children() if process.pid not in self._ours
        ]
        return [process for process in others if not _reaped(process)]


def _reaped(process: psutil.Process) -> bool:
    """Reap a child that has ended."""
    with contextlib.suppress(ChildProcessError):
        return os.waitpid(process.pid, os.WNOHANG)[0] != 0
    return True


def _name(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return process.name()
    return "a program"
