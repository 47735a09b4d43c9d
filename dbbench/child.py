"""One run of db_bench to its end, with what it printed and what it used."""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .. import proc
from ..errors import WaltaxError

_LAST_LINES = 3


@dataclass(frozen=True)
class Ended:
    """What a run that went well printed, and used as a whole process."""

    stdout: str
    start_unix_s: float
    wall_s: float
    cpu_user_s: float
    cpu_system_s: float
    switches_voluntary: int
    switches_involuntary: int


def run(argv: Sequence[str], env: Mapping[str, str], output: Path, within_s: float) -> Ended:
    """Run `argv`; `output` keeps its command line and all that it printed.

    It has a process group of its own, so that a Ctrl-C at the terminal reaches only us, and the
    kernel kills it when we die. Errors: WaltaxError with its last words when it fails, is killed,
    or is not done in time: then it is killed.
    """
    errors = output.with_suffix(".stderr")
    start_unix_s, start = time.time(), time.monotonic()
    try:
        with output.open("wb") as stdout, errors.open("wb") as stderr:
            child = subprocess.Popen(
                list(argv),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                env={**os.environ, **env},
                preexec_fn=proc.dying_with_us(),
                process_group=0,
            )
            in_time, status, used = _waited(child, within_s)
            wall_s = time.monotonic() - start
        printed, complained = _text(output), _text(errors)
    finally:
        errors.unlink(missing_ok=True)
    output.write_text(f"$ {' '.join(argv)}\n{printed}\nstandard error:\n{complained}")
    if not in_time or status != 0:
        how = _how(status) if in_time else f"not done after {within_s:.0f} s, and killed"
        raise WaltaxError(f"db_bench: {how}: {_last_words(printed, complained)}")
    return Ended(
        stdout=printed,
        start_unix_s=start_unix_s,
        wall_s=wall_s,
        cpu_user_s=used.ru_utime,
        cpu_system_s=used.ru_stime,
        switches_voluntary=used.ru_nvcsw,
        switches_involuntary=used.ru_nivcsw,
    )


def _waited(
    child: subprocess.Popen[bytes], within_s: float
) -> tuple[bool, int, resource.struct_rusage]:
    """Whether it ended by itself, its exit code, and what it used; it is gone in any case."""
    handle = os.pidfd_open(child.pid)
    in_time = False
    try:
        in_time = bool(select.select([handle], [], [], within_s)[0])
    finally:
        os.close(handle)
        if not in_time:
            with suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGKILL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    return in_time, child.returncode, used


def _how(status: int) -> str:
    return f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit code {status}"


def _last_words(printed: str, complained: str) -> str:
    words = [line.strip() for line in (complained or printed).splitlines() if line.strip()]
    return " | ".join(words[-_LAST_LINES:]) or "silent"


def _text(path: Path) -> str:
    return path.read_text(errors="replace")
