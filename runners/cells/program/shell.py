"""Run a program that is not ours, watch it, and end it with all that it started.

What it started may leave its process group, and outlive it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

from ....base import proc
from ....base.errors import WaltaxError

_SHELL = ("/bin/sh", "-c")
_WRAPPERS = ("sh", "waltax_supervis")  # the kernel keeps 15 letters
_LEAVES_S = 1.0  # in which what ends with a program has ended
_PR_SET_CHILD_SUBREAPER = 36
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Finished:
    """A program that succeeded. What it used includes that of children it waited for."""

    output: str
    start_unix_s: float
    seconds: float
    cpu_user_s: float
    cpu_system_s: float


def run(
    command: str,
    *,
    env: Mapping[str, str],
    timeout_s: float,
    log: Path,
    flag: str = "COMMAND",
    cwd: Path | None = None,
    stdin: Path | None = None,
) -> Finished:
    """Run `command` by /bin/sh to its end, its outputs kept as `log`.out and `log`.err.

    Whatever it leaves running is killed, except what made a session of its own. Errors: WaltaxError
    with its last words, naming `flag`, for an exit code other than 0 and after `timeout_s`.
    """
    start, began = time.time(), time.monotonic()
    with started(command, env, log, cwd=cwd, stdin=stdin) as child:
        used = proc.used(child, timeout_s)
        seconds = time.monotonic() - began
        if used is None:
            within = f"{timeout_s:g} s (--timeout)"
            raise WaltaxError(
                f"{flag}: the command did not end within {within} and was killed: "
                f"{proc.standing(child.pid)}; it had said: {last_words(log)}"
            )
    if child.returncode != 0:
        how = proc.how_ended(child.returncode)
        raise WaltaxError(f"{flag}: the command failed ({how}): {last_words(log)}")
    return Finished(
        output=outputs(log)[0].read_text(errors="replace"),
        start_unix_s=start,
        seconds=round(seconds, 6),
        cpu_user_s=round(used.ru_utime, 6),
        cpu_system_s=round(used.ru_stime, 6),
    )


@contextlib.contextmanager
def started(
    command: str,
    env: Mapping[str, str],
    log: Path,
    *,
    cwd: Path | None = None,
    stdin: Path | None = None,
) -> Iterator[proc.Child]:
    """Start `command` by /bin/sh; end all that it started, which may not disturb the next one.

    Its outputs are files: a pipe would stay open as long as any of its children holds it.
    """
    out, err = outputs(log)
    with (
        Path(stdin or os.devnull).open("rb") as typed,
        out.open("wb") as stdout,
        err.open("wb") as stderr,
        proc.launched_group(
            [*_SHELL, command],
            env=env,
            cwd=cwd or Path.cwd(),
            stdin=typed,
            stdout=stdout,
            stderr=stderr,
        ) as child,
    ):
        yield child


def outputs(log: Path) -> tuple[Path, Path]:
    """Return the files of a program's standard output and standard error."""
    return log.with_name(f"{log.name}.out"), log.with_name(f"{log.name}.err")


def last_words(log: Path) -> str:
    """Return the last words that a program has said."""
    texts = [file.read_text(errors="replace") for file in reversed(outputs(log))]
    return proc.last_words(*texts) or "(nothing)"


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
    for program in own[:1]:
        with contextlib.suppress(psutil.Error):
            program.terminate()


@contextlib.contextmanager
def ending() -> Iterator[Callable[..., list[str]]]:
    """End whatever programs that are started within leave running, and reap it.

    Yield a function that names what is left, `but` for a process, once what ends with a program had
    time for it: "redis (pid 7)". We become its parent, so it is the children of ours that were none
    before.
    """
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    ours = {process.pid for process in psutil.Process().children()}

    def left() -> list[psutil.Process]:
        others = [each for each in psutil.Process().children() if each.pid not in ours]
        return [process for process in others if not _reaped(process)]

    def names(but: int | None = None) -> list[str]:
        until = time.monotonic() + _LEAVES_S
        while (there := [one for one in left() if one.pid != but]) and time.monotonic() < until:
            time.sleep(0.01)
        return [f"{_name(process)} (pid {process.pid})" for process in there]

    try:
        yield names
    finally:
        while there := left():
            for process in (each for one in there for each in tree(one.pid)):
                with contextlib.suppress(psutil.Error):
                    process.kill()
            for process in there:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(process.pid, 0)


def _reaped(process: psutil.Process) -> bool:
    """Reap a child that has ended."""
    with contextlib.suppress(ChildProcessError):
        return os.waitpid(process.pid, os.WNOHANG)[0] != 0
    return True


def _name(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return process.name()
    return "a program"
