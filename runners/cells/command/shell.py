"""Run a user's command for one server, watch it, and end it with all that it started."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ....base import proc
from ....base.errors import WaltaxError


@dataclass(frozen=True)
class Finished:
    """A command that succeeded. CPU time is its own and that of children it waited for."""

    output: str
    start_unix_s: float
    seconds: float
    cpu_user_s: float
    cpu_system_s: float


def environment(socket: Path, user: str, database: str) -> dict[str, str]:
    """Return how a command finds its server; client libraries read MYSQL_UNIX_PORT themselves."""
    return {
        "WALTAX_SOCKET": str(socket),
        "WALTAX_USER": user,
        "WALTAX_DATABASE": database,
        "MYSQL_UNIX_PORT": str(socket),
    }


def run(
    command: str,
    *,
    env: Mapping[str, str],
    timeout_s: float,
    log: Path,
    flag: str = "--run",
    limit: str = "--timeout",
    cwd: Path | None = None,
    stdin: Path | None = None,
) -> Finished:
    """Run `command` by /bin/sh, its outputs kept as `log`.out and `log`.err.

    Whatever it leaves running is killed, except what made a session of its own. Errors:
    WaltaxError, naming `flag`, for an exit code other than 0 and after `timeout_s`, naming `limit`,
    the flag that sets it; each with its last words.
    """
    out, err = log.with_name(f"{log.name}.out"), log.with_name(f"{log.name}.err")
    before, start = _cpu(), time.time()
    began = time.monotonic()
    with started(command, env, out, err, cwd=cwd, stdin=stdin) as child:
        try:
            child.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise WaltaxError(
                f"{flag}: the command did not end within {timeout_s:g} s{limit and f' ({limit})'} "
                f"and was killed: {proc.standing(child.pid)}; it had said: {last_words(out, err)}"
            ) from None
        # Its guard is not waited for yet: that CPU time is not the command's.
        seconds, after = time.monotonic() - began, _cpu()
    if child.returncode != 0:
        how = proc.how_ended(child.returncode)
        raise WaltaxError(f"{flag}: the command failed ({how}): {last_words(out, err)}")
    return Finished(
        output=out.read_text(errors="replace"),
        start_unix_s=start,
        seconds=seconds,
        cpu_user_s=round(after[0] - before[0], 6),
        cpu_system_s=round(after[1] - before[1], 6),
    )


@contextlib.contextmanager
def started(
    command: str,
    env: Mapping[str, str],
    out: Path,
    err: Path,
    *,
    cwd: Path | None = None,
    stdin: Path | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command; end all that it started, which may not disturb the next one's server.

    Its outputs are files: a pipe would stay open as long as any of its children holds it.
    """
    argv = ["/bin/sh", "-c", command]
    with (
        Path(stdin or os.devnull).open("rb") as typed,
        out.open("wb") as stdout,
        err.open("wb") as stderr,
        proc.launched_group(
            argv, env=env, cwd=cwd or Path.cwd(), stdin=typed, stdout=stdout, stderr=stderr
        ) as child,
    ):
        yield child


def last_words(out: Path, err: Path) -> str:
    """Return the last words that a command has said."""
    texts = [file.read_text(errors="replace") for file in (err, out)]
    return proc.last_words(*texts) or "(nothing)"


def _cpu() -> tuple[float, float]:
    """Return the CPU time of reaped children; a server is reaped only when it has ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime, used.ru_stime
