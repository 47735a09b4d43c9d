"""Run db_bench to its end; return what it printed and what it used."""

from __future__ import annotations

import os
import resource
import select
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ....base import proc
from ....base.errors import WaltaxError


@dataclass(frozen=True)
class Ended:
    """What a successful run printed, and used as a whole process."""

    stdout: str
    start_unix_s: float
    cpu_user_s: float
    cpu_system_s: float
    switches_voluntary: int
    switches_involuntary: int


def run(argv: Sequence[str], env: Mapping[str, str], output: Path, within_s: float) -> Ended:
    """Run `argv`; `output` keeps its command line and all that it printed.

    It has a process group of its own, so that a Ctrl-C at the terminal reaches only us, and the
    kernel kills it when we die. Errors: WaltaxError with its last words when it fails, is killed,
    or is not done in time and so killed.
    """
    errors = output.with_suffix(".stderr")
    start_unix_s = time.time()
    try:
        with output.open("wb") as stdout, errors.open("wb") as stderr:
            child = proc.launch(argv, env=env, stdout=stdout, stderr=stderr)
            hangs, status, used = _waited(child, within_s)
        printed, complained = _text(output), _text(errors)
    finally:
        errors.unlink(missing_ok=True)
    output.write_text(f"$ {' '.join(argv)}\n{printed}\nstandard error:\n{complained}")
    if hangs or status != 0:
        late = f"db_bench: not done after {within_s:.0f} s ({hangs}), and killed"
        how = late if hangs else f"db_bench died ({proc.how_ended(status)})"
        raise WaltaxError(f"{how}: {proc.last_words(complained, printed) or 'silent'}")
    return Ended(
        stdout=printed,
        start_unix_s=start_unix_s,
        cpu_user_s=used.ru_utime,
        cpu_system_s=used.ru_stime,
        switches_voluntary=used.ru_nvcsw,
        switches_involuntary=used.ru_nivcsw,
    )


def _waited(child: proc.Child, within_s: float) -> tuple[str, int, resource.struct_rusage]:
    """Wait for it and reap it. Return what hangs, or ""; how it ended; and what it used."""
    handle = os.pidfd_open(child.pid)
    in_time, hangs = False, ""
    try:
        in_time = bool(select.select([handle], [], [], within_s)[0])
        hangs = "" if in_time else proc.standing(child.pid)
    finally:
        os.close(handle)
        if not in_time:
            with suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGKILL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    return hangs, child.returncode, used


def _text(path: Path) -> str:
    return path.read_text(errors="replace")
