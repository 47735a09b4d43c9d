"""Running a job of fio, whose answer must add up."""

from __future__ import annotations

import shutil
from pathlib import Path

from ...base import proc
from ...base.errors import WaltaxError
from ..importing.fio_json import FioJob, parse
from .jobs import Job, command

_PATIENCE_S = 120.0  # beyond the job's own time, for a slow disk's last flush


def find() -> str:
    """Return fio's path. Errors: WaltaxError when it is not in PATH."""
    program = shutil.which("fio")
    if program is None:
        raise WaltaxError("fio: not found; install fio 3.33 or newer: apt-get install fio")
    return program


def run(job: Job, directory: Path, program: str) -> tuple[FioJob, str]:
    """Run the job with its files in `directory`; return its answer and fio's version.

    fio dies with us. Errors: WaltaxError with fio's message, or naming it when the device hangs.
    """
    argv, longest_s = command(job, directory, program), job.seconds + _PATIENCE_S
    return read(proc.run(argv, timeout_s=longest_s), job)


def read(out: str, job: Job) -> tuple[FioJob, str]:
    """Return the answer in fio's output, and its version. Errors: WaltaxError."""
    try:
        told = parse(out)
    except ValueError as error:
        raise WaltaxError(f"fio ({job.label}): its JSON is not as expected: {error}") from error
    answer = told.jobs[0]
    writes, syncs = answer.write.total_ios, answer.synced.N
    wanted = writes if job.kind == "sync" else 0
    binned = sum(answer.synced.bins.values())
    # A writer may end before its last sync, and one that wraps around its file adds some.
    if not writes or abs(syncs - wanted) > 1 + wanted / 100 or binned != syncs:
        raise WaltaxError(
            f"fio ({job.label}): found {writes:,} writes, {syncs:,} syncs and {binned:,} times of "
            f"syncs, want {'one each' if wanted else 'writes alone'}"
        )
    return answer, told.version
