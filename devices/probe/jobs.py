"""The jobs of a probe as data, and running them by fio, whose answer must add up.

The jobs write as RocksDB writes its WAL: buffered, unaligned appends with a fdatasync after each,
in files preallocated to 1.1 times the write buffer without moving their end (fallocate with
KEEP_SIZE), with a new file when one is full. Aligned sizes, direct I/O, fsync, fio's create_on_open
(which drops the preallocation) and time_based (which wraps into overwriting) would each measure
something else.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ...base import proc
from ...base.errors import WaltaxError
from ..importing.fio_json import FioJob, parse

# 1.1 times the default write buffer of 64 MiB, as RocksDB 7.8 and MariaDB 10.11 preallocate.
PREALLOCATED = 73_819_750
# Bytes of a group commit. As in the WAL, none is a multiple of a block. The last is what 16 clients
# commit together.
SIZES = (131, 700, 1032, 2250, 6800, 10032, 22300, 64500, 160_000)
STARTUP_S = 0.4  # of fio, around each job

_MIB = 1 << 20
# A sync writes the whole page in which the append ends, and up to three pages of metadata: an
# inode, or a journal's descriptor, copy and commit. So even a few bytes cost an SSD this many more.
_BESIDE = 4 * 4096
_MOST_BYTES = 128 * _MIB  # that a job may cost the disk
_REPEATS = 3
_PATIENCE_S = 120.0  # beyond the job's own time, for a slow disk's last flush


@dataclass(frozen=True)
class Job:
    """One run of fio.

    Of the kinds, `sync` has a fdatasync after each write, and `sequential` writes whole MiB,
    flushed at the end. It ends after `seconds` or `most_bytes`.
    """

    kind: Literal["sync", "sequential"]
    bytes: int
    seconds: float = 0.8
    most_bytes: int = _MOST_BYTES
    file_bytes: int = PREALLOCATED

    @property
    def label(self) -> str:
        """The job's name in messages."""
        return f"{self.kind}, {self.bytes} B"

    @property
    def writes(self) -> int:
        """The number of writes that `most_bytes` allows, with whole pages and metadata."""
        beside = _BESIDE if self.kind == "sync" else 0
        return self.most_bytes // (self.bytes + beside)

    @property
    def files(self) -> int:
        """The number of files, so that none is written twice."""
        return math.ceil(self.writes / (self.file_bytes // self.bytes))


def rounds() -> list[list[Job]]:
    """Return all jobs in rounds. A round has every size once, so that drift shows."""
    jobs = [Job("sync", size) for size in SIZES]
    large = Job("sequential", _MIB, 3.0, 4 * _MOST_BYTES, 64 * _MIB)
    return [*([jobs] * _REPEATS), [large], [large]]


def most_bytes(of: Sequence[Sequence[Job]]) -> int:
    """Return the most that the jobs write."""
    return sum(job.most_bytes for jobs in of for job in jobs)


def command(job: Job, directory: Path, fio: str) -> list[str]:
    """Return fio's command line. Writers are threads, so that they die with their process."""
    return [
        *(fio, "--output-format=json+", "--eta=never", "--name=global"),
        *(f"--directory={directory}", f"--runtime={round(job.seconds * 1000)}ms"),
        *("--rw=write", "--ioengine=sync", "--thread=1"),
        *("--openfiles=1", "--file_service_type=sequential"),
        *("--name=probe", f"--bs={job.bytes}", f"--nrfiles={job.files}"),
        *(f"--filesize={job.file_bytes}", f"--io_size={job.writes * job.bytes}"),
        *("--overwrite=0", "--fallocate=keep", "--unlink=1"),
        "--fdatasync=1" if job.kind == "sync" else "--end_fsync=1",
    ]


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
