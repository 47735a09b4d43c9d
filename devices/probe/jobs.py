"""The jobs of a probe as data, their command lines for fio, and the bytes that they write.

The jobs write as RocksDB writes its WAL: buffered, unaligned appends with a fdatasync after each,
in files preallocated to 1.1 times the write buffer without moving their end (fallocate with
KEEP_SIZE), with a new file when one is full. Aligned sizes, direct I/O, fsync, fio's create_on_open
(which drops the preallocation) and time_based (which wraps into overwriting) would each measure
something else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from ...base.errors import UsageError
from ..tap_model import FileState

# 1.1 times the default write buffer of 64 MiB, as RocksDB 7.8 and MariaDB 10.11 preallocate.
PREALLOCATED = 73_819_750
# Bytes of a group commit. As in the WAL, none is a multiple of a block. The last is what 16 clients
# commit together.
SIZES = (131, 700, 1032, 2250, 6800, 10032, 22300, 64500, 160_000)
OTHER_SIZES = (131, 1032, 10032, 64500)  # on growing and recycled files, in the short probe
TYPICAL = 1032
MIN_SYNCS = 100  # of a job; fewer say nothing about p99
MOST_BYTES = 8 << 30  # that a probe may write by default
MOST_BYTES_THOROUGH = 32 << 30

_MIB = 1 << 20
_PAGE = 4096
# A sync writes the whole page in which the append ends, and up to three pages of metadata: an
# inode, or a journal's descriptor, copy and commit. So even a few bytes cost an SSD this many more.
_BESIDE = 4 * _PAGE
_RECYCLED_FILE = 32 * _MIB
_LARGE_FILE = 64 * _MIB  # of a sequential writer: about the size of RocksDB's SST files
_MIN_LARGE = 16
_STARTUP_S = 0.4  # of fio, around each job


@dataclass(frozen=True)
class Job:
    """One run of fio.

    Of the kinds, `sync` has a fdatasync after each write; `write` has none, to show fio's own time;
    `sequential` writes whole MiB, flushed at the end. `wears` is false in memory, where no pages
    and metadata are written. `share` is its weight in the budget and `cap` the bytes that it may
    cost the disk (see `worn_bytes`); `seconds` ends it earlier.
    """

    kind: Literal["sync", "write", "sequential"]
    state: FileState
    bytes: int
    seconds: float
    share: float = 1.0
    cap: int = 0
    file_bytes: int = PREALLOCATED
    wears: bool = True

    @property
    def label(self) -> str:
        """The job's name in messages."""
        return f"{self.kind}, {self.state}, {self.bytes} B"

    @property
    def writes(self) -> int:
        """The number of writes that the cap allows."""
        return max(1, self.cap // worn_bytes(self))

    @property
    def least_bytes(self) -> int:
        """The smallest cap that is worth running."""
        return worn_bytes(self) * (_MIN_LARGE if self.kind == "sequential" else MIN_SYNCS)

    @property
    def most_bytes(self) -> int:
        """The bytes that it may cost the disk, without the layout of a recycled file."""
        return self.writes * worn_bytes(self)

    @property
    def file(self) -> int:
        """Bytes of one file, which must hold at least one write."""
        return max(self.file_bytes, 2 * self.bytes)

    @property
    def files(self) -> int:
        """The number of files, so that none is written twice unless it is recycled."""
        if self.state == "recycled":
            return 1
        return math.ceil(self.writes / (self.file // self.bytes))

    @property
    def disk_bytes(self) -> int:
        """Bytes of disk space that the files take."""
        return self.files * self.file


@dataclass(frozen=True)
class Plan:
    """The jobs in rounds, within which their order is free, and the most that they write.

    `most_bytes` is what a disk may have to write, `data_bytes` what fio passes to the kernel.
    """

    rounds: tuple[tuple[Job, ...], ...]
    most_bytes: int
    data_bytes: int
    disk_bytes: int
    seconds: float


def plan(
    max_bytes: int,
    *,
    thorough: bool = False,
    preallocated: int = PREALLOCATED,
    wears: bool = True,
) -> Plan:
    """Return jobs that together write at most `max_bytes`, including metadata and whole pages.

    Errors: UsageError when that is too little for MIN_SYNCS of each.
    """
    uncapped = _rounds(thorough, preallocated, wears=wears)
    every = [job for jobs in uncapped for job in jobs]
    shares = sum(job.share for job in every)
    unit = (max_bytes - _BESIDE_JOBS) / shares
    least = max(job.least_bytes / job.share for job in every)
    if unit < least:
        needed = math.ceil((least * shares + _BESIDE_JOBS) / _MIB)
        raise UsageError(
            f"--max-bytes: found {max_bytes / _MIB:,.0f} MiB, too little for {MIN_SYNCS} syncs of "
            f"every kind; give {needed}MiB or more"
        )
    rounds = tuple(tuple(replace(j, cap=int(unit * j.share)) for j in jobs) for jobs in uncapped)
    capped = [job for jobs in rounds for job in jobs]
    data = sum(job.writes * job.bytes for job in capped)
    return Plan(
        rounds,
        most_bytes=sum(job.most_bytes for job in capped) + _BESIDE_JOBS,
        data_bytes=data + _RECYCLED_FILE + IN_ORDER.writes * IN_ORDER.bytes,
        disk_bytes=max(job.disk_bytes for job in capped) + _RECYCLED_FILE,
        seconds=sum(job.seconds + _STARTUP_S for job in capped) + IN_ORDER.seconds,
    )


def worn_bytes(job: Job) -> int:
    """Return the most bytes that a write costs the disk: data, its whole last page, metadata."""
    return job.bytes + (_BESIDE if job.wears and job.kind == "sync" else 0)


IN_ORDER = Job("sync", "preallocated", TYPICAL, 3.0, cap=5_000 * (TYPICAL + _BESIDE))
"""The syncs that waltax times itself, to analyse their order: `measure.slow_run`."""
_BESIDE_JOBS = _RECYCLED_FILE + IN_ORDER.most_bytes  # written in addition to the jobs


def command(job: Job, directory: Path, fio: Path) -> list[str]:
    """Return fio's command line. Writers are threads, so that they die with their process."""
    words = [
        *(str(fio), "--output-format=json+", "--eta=never", "--name=global"),
        *(f"--directory={directory}", f"--runtime={round(job.seconds * 1000)}ms"),
        *("--rw=write", "--ioengine=sync", "--thread=1", "--group_reporting=1"),
        *("--openfiles=1", "--file_service_type=sequential"),
        *("--name=probe", f"--bs={job.bytes}", f"--nrfiles={job.files}"),
        *(f"--filesize={job.file}", f"--io_size={job.writes * job.bytes}"),
    ]
    if job.state == "recycled":  # laid out once, by the first job that needs it
        words += ["--overwrite=1", "--fallocate=none", "--filename=recycled"]
    else:
        keep = "keep" if job.state == "preallocated" else "none"
        words += ["--overwrite=0", f"--fallocate={keep}", "--unlink=1"]
    if job.kind == "sync":
        words.append("--fdatasync=1")
    if job.kind == "sequential":
        words.append("--end_fsync=1")
    return words


def _rounds(thorough: bool, preallocated: int, *, wears: bool) -> list[list[Job]]:
    """Return all jobs without caps. A round has every size and state once, so drift shows."""
    repeats, seconds, others = (5, 2.0, SIZES) if thorough else (3, 0.7, OTHER_SIZES)
    short = seconds * 0.7
    sync = partial(_sync, wears=wears)
    sizes = [sync("preallocated", size, seconds, preallocated) for size in SIZES]
    sizes += [sync("growing", size, short, preallocated) for size in others]
    sizes += [sync("recycled", size, short, _RECYCLED_FILE) for size in others]
    sizes.append(Job("write", "preallocated", TYPICAL, 0.2, share=0.2, file_bytes=preallocated))
    large = Job("sequential", "preallocated", _MIB, 3.0, share=2, file_bytes=_LARGE_FILE)
    return [sizes] * repeats + [[large]] * (repeats - 1)


def _sync(state: FileState, size: int, seconds: float, file_bytes: int, *, wears: bool) -> Job:
    """Return a sync job. Large writes get more of the budget, or there would be too few."""
    share = 1 + size / SIZES[-1]
    return Job("sync", state, size, seconds, share, file_bytes=file_bytes, wears=wears)
