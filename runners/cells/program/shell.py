"""Run a program that is not ours, watch it, and end it with all that it started."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....base import proc
from ....base.errors import WaltaxError
from ..live import Event

SHELL = ("/bin/sh", "-c")


@dataclass(frozen=True)
class Finished:
    """A program that succeeded. What it used includes that of children it waited for."""

    output: str
    start_unix_s: float
    seconds: float
    cpu_user_s: float
    cpu_system_s: float
    switches_voluntary: int
    switches_involuntary: int

    def event(self, value: float, unit: str, counters: Mapping[str, int], **more: Any) -> Event:
        """Return what a driver would say of the slice that it is."""
        return {
            "event": "slice",
            "throughput": value,
            "throughput_unit": unit,
            "start_unix_s": self.start_unix_s,
            "warmup_s": 0.0,
            "measure_s": self.seconds,
            "cpu_user_s": self.cpu_user_s,
            "cpu_system_s": self.cpu_system_s,
            "counters": counters,
            **more,
        }


def run(
    command: str,
    *,
    env: Mapping[str, str],
    timeout_s: float,
    log: Path,
    flag: str = "COMMAND",
    limit: str = "--timeout",
    cwd: Path | None = None,
    stdin: Path | None = None,
) -> Finished:
    """Run `command` by /bin/sh as `finished` does.

    Errors: WaltaxError, naming `flag`, for an exit code other than 0 and after `timeout_s`, naming
    `limit`, the flag that sets it; each with its last words.
    """
    within = f"{timeout_s:g} s{limit and f' ({limit})'}"
    return finished(
        [*SHELL, command],
        env=env,
        timeout_s=timeout_s,
        log=log,
        late=f"{flag}: the command did not end within {within} and was killed: %s; it had said",
        failed=f"{flag}: the command failed (%s)",
        cwd=cwd,
        stdin=stdin,
    )


def finished(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    timeout_s: float,
    log: Path,
    late: str,
    failed: str,
    silent: str = "(nothing)",
    cwd: Path | None = None,
    stdin: Path | None = None,
) -> Finished:
    """Run `argv` to its end, its outputs kept as `log`.out and `log`.err.

    Whatever it leaves running is killed, except what made a session of its own. Errors: WaltaxError
    after `timeout_s` in the words of `late`, whose %s is what it does, and for an exit code other
    than 0 in those of `failed`, whose %s is how it ended. Its last words follow, or `silent`.
    """
    start, began = time.time(), time.monotonic()
    with started(argv, env, log, cwd=cwd, stdin=stdin) as child:
        used = proc.used(child, timeout_s)
        seconds = time.monotonic() - began
        if used is None:
            raise WaltaxError(f"{late % proc.standing(child.pid)}: {last_words(log, silent)}")
    if child.returncode != 0:
        raise WaltaxError(f"{failed % proc.how_ended(child.returncode)}: {last_words(log, silent)}")
    return Finished(
        output=outputs(log)[0].read_text(errors="replace"),
        start_unix_s=start,
        seconds=round(seconds, 6),
        cpu_user_s=round(used.ru_utime, 6),
        cpu_system_s=round(used.ru_stime, 6),
        switches_voluntary=used.ru_nvcsw,
        switches_involuntary=used.ru_nivcsw,
    )


@contextlib.contextmanager
def started(
    argv: Sequence[str],
    env: Mapping[str, str],
    log: Path,
    *,
    cwd: Path | None = None,
    stdin: Path | None = None,
) -> Iterator[proc.Child]:
    """Start a program; end all that it started, which may not disturb the next one's server.

    Its outputs are files: a pipe would stay open as long as any of its children holds it.
    """
    out, err = outputs(log)
    with (
        Path(stdin or os.devnull).open("rb") as typed,
        out.open("wb") as stdout,
        err.open("wb") as stderr,
        proc.launched_group(
            argv, env=env, cwd=cwd or Path.cwd(), stdin=typed, stdout=stdout, stderr=stderr
        ) as child,
    ):
        yield child


def outputs(log: Path) -> tuple[Path, Path]:
    """Return the files of a program's standard output and standard error."""
    return log.with_name(f"{log.name}.out"), log.with_name(f"{log.name}.err")


def last_words(log: Path, silent: str = "(nothing)") -> str:
    """Return the last words that a program has said, or `silent`."""
    texts = [file.read_text(errors="replace") for file in reversed(outputs(log))]
    return proc.last_words(*texts) or silent
