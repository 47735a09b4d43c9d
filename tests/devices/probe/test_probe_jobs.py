from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from waltax.devices.probe.jobs import PREALLOCATED, SIZES, Job, command, find, most_bytes, rounds

GIB, MIB = 1 << 30, 1 << 20
EVERY = [job for jobs in rounds() for job in jobs]


def _words(job: Job) -> dict[str, str]:
    words = command(job, Path("/d"), "fio")
    return dict(word.partition("=")[::2] for word in words)


def test_a_probe_writes_no_more_than_it_says_with_whole_pages_and_metadata() -> None:
    beside = {"sync": 4 * 4096, "sequential": 0}
    asked = sum(
        int(_words(job)["--io_size"]) / job.bytes * (job.bytes + beside[job.kind]) for job in EVERY
    )
    assert asked <= most_bytes(rounds()) <= 4.6 * GIB


def test_sizes_end_within_blocks_as_a_wal_s_do() -> None:
    assert all(size % 512 for size in SIZES)
    assert (min(SIZES), max(SIZES)) == (131, 160_000)


def test_every_size_is_measured_in_every_round_of_repeats() -> None:
    repeats = [jobs for jobs in rounds() if len(jobs) > 1]
    assert len(repeats) >= 3
    for jobs in repeats:
        assert {job.bytes for job in jobs} == set(SIZES)


@pytest.mark.parametrize("job", dict.fromkeys(EVERY), ids=lambda job: job.label)
def test_no_job_asks_fio_for_what_measures_something_else(job: Job) -> None:
    words = _words(job)
    for trap in ("--direct", "--create_on_open", "--time_based", "--fsync", "--sync"):
        assert trap not in words
    assert words["--thread"] == "1"
    assert ("--fdatasync" in words) == (job.kind == "sync")


@pytest.mark.parametrize("job", dict.fromkeys(EVERY), ids=lambda job: job.label)
def test_no_appended_file_is_written_twice(job: Job) -> None:
    assert job.files * (job.file_bytes // job.bytes) >= job.writes


def kept(tmp_path: Path, job: Job) -> Path:
    """Run a short job whose file is kept, and return that file."""
    short = replace(job, seconds=0.05, most_bytes=64 * (job.bytes + 4 * 4096))
    words = [w for w in command(short, tmp_path, find()) if w != "--unlink=1"]
    subprocess.run(words, check=True, capture_output=True, cwd=tmp_path)
    (file,) = tmp_path.iterdir()
    return file


def test_a_preallocated_file_has_rocksdb_s_room_and_only_its_own_length(tmp_path: Path) -> None:
    job = EVERY[0]
    file = kept(tmp_path, job).stat()
    assert file.st_blocks * 512 >= PREALLOCATED
    assert file.st_size <= 64 * job.bytes
