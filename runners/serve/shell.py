"""A user's command: started for one server, watched, and ended with all that it started."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ... import proc
from ...errors import WaltaxError

_LAST_LINES = 3


@dataclass(frozen=True)
class Finished:
    """A command that ended well. CPU time is its own and that of children it waited for."""

    output: str
    start_unix_s: float
    seconds: float
    cpu_user_s: float
    cpu_system_s: float


def environment(socket: Path, user: str, database: str) -> dict[str, str]:
    """How a command finds its server; client libraries read MYSQL_UNIX_PORT by themselves."""
    return {
        "WALTAX_SOCKET": str(socket),
        "WALTAX_USER": user,
        "WALTAX_DATABASE": database,
        "MYSQL_UNIX_PORT": str(socket),
    }


def run(
    command: str, *, env: Mapping[str, str], timeout_s: float, log: Path, flag: str = "--run"
) -> Finished:
    """Run `command` by /bin/sh, its outputs kept as `log`.out and `log`.err.

    Whatever it leaves running is killed, but for what made a session of its own. Errors:
    WaltaxError, naming `flag`, for an exit code other than 0 and after `timeout_s`; each with its
    last words.
    """
    out, err = log.with_name(f"{log.name}.out"), log.with_name(f"{log.name}.err")
    before, start = _cpu(), time.time()
    began = time.monotonic()
    child = _start(command, env, out, err)
    try:
        child.wait(timeout_s)
        seconds = time.monotonic() - began
    except subprocess.TimeoutExpired:
        raise WaltaxError(
            f"{flag}: the command did not end within {timeout_s:g} s (--timeout) and was killed; "
            f"it had said: {_last_words(out, err)}"
        ) from None
    finally:
        _end(child)
    if child.returncode != 0:
        raise WaltaxError(
            f"{flag}: the command failed ({_how(child.returncode)}): {_last_words(out, err)}"
        )
    after = _cpu()
    return Finished(
        output=out.read_text(errors="replace"),
        start_unix_s=start,
        seconds=seconds,
        cpu_user_s=round(after[0] - before[0], 6),
        cpu_system_s=round(after[1] - before[1], 6),
    )


def _start(command: str, env: Mapping[str, str], out: Path, err: Path) -> subprocess.Popen[bytes]:
    """In a process group of its own, so that a Ctrl-C at the terminal reaches only us.

    Its outputs are files: a pipe would be open for as long as any child of its holds it.
    """
    with out.open("wb") as stdout, err.open("wb") as stderr:
        return subprocess.Popen(
            ["/bin/sh", "-c", command],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env={**os.environ, **env},
            preexec_fn=proc.dying_with_us(),
            process_group=0,
        )


def _end(child: subprocess.Popen[bytes]) -> None:
    """Nothing that the command started may disturb the next one's server."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _how(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"


def _last_words(out: Path, err: Path) -> str:
    """Of its standard error; of its output when that is silent."""
    for file in (err, out):
        words = file.read_text(errors="replace").strip().splitlines()[-_LAST_LINES:]
        if words:
            return " | ".join(words)
    return "(nothing)"


def _cpu() -> tuple[float, float]:
    """Of children that were waited for: a server is only waited for when it has ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime, used.ru_stime
