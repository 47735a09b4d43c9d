"""Run a program that is not ours, watch it, and end it with all that it started."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ....base import proc
from ....base.errors import WaltaxError

_SHELL = ("/bin/sh", "-c")


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
    limit: str = "--timeout",
    cwd: Path | None = None,
    stdin: Path | None = None,
) -> Finished:
    """Run `command` by /bin/sh to its end, its outputs kept as `log`.out and `log`.err.

    Whatever it leaves running is killed, except what made a session of its own. Errors: WaltaxError
    with its last words, naming `flag`, for an exit code other than 0 and after `timeout_s`, naming
    `limit`, the flag that sets it.
    """
    start, began = time.time(), time.monotonic()
    with started(command, env, log, cwd=cwd, stdin=stdin) as child:
        used = proc.used(child, timeout_s)
        seconds = time.monotonic() - began
        if used is None:
            within = f"{timeout_s:g} s{limit and f' ({limit})'}"
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
