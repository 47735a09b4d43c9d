from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.devices.probe import fio
from waltax.devices.probe.jobs import PREALLOCATED, SIZES, Job, Plan, command, plan, worn_bytes

GIB, MIB = 1 << 30, 1 << 20
PLANS = [plan(8 * GIB), plan(1 * GIB), plan(32 * GIB, thorough=True)]


def every(of: Plan) -> list[Job]:
    return [job for jobs in of.rounds for job in jobs]


@pytest.mark.parametrize(("size", "thorough"), [(GIB, False), (8 * GIB, False), (32 * GIB, True)])
def test_all_jobs_together_stay_under_the_most_bytes(size: int, thorough: bool) -> None:
    made = plan(size, thorough=thorough)
    words = [
        dict(w.partition("=")[::2] for w in command(j, Path("/d"), Path("fio")))
        for j in every(made)
    ]
    asked = sum(
        int(one["--io_size"]) / job.bytes * worn_bytes(job)
        for one, job in zip(words, every(made), strict=True)
    )
    assert 0.5 * size < made.most_bytes <= size
    assert asked <= made.most_bytes
    assert made.data_bytes < made.most_bytes


def test_a_sync_wears_more_than_its_bytes_but_not_in_memory() -> None:
    job = every(PLANS[0])[0]
    assert worn_bytes(job) >= job.bytes + 2 * 4096
    assert worn_bytes(replace(job, wears=False)) == job.bytes


def test_too_few_bytes_are_refused_with_what_is_needed() -> None:
    with pytest.raises(UsageError) as caught:
        plan(64 * MIB)
    assert str(caught.value).startswith("--max-bytes: found 64 MiB, too little for 100 syncs")
    needed = int(str(caught.value).split("give ")[1].split("MiB")[0])
    assert plan(needed * MIB).most_bytes <= needed * MIB


def test_sizes_end_within_blocks_as_a_wal_s_do() -> None:
    assert all(size % 512 for size in SIZES)
    assert (min(SIZES), max(SIZES)) == (131, 160_000)


def test_every_size_is_measured_in_every_round_of_repeats() -> None:
    for of in PLANS:
        repeats = [jobs for jobs in of.rounds if len(jobs) > 1]
        assert len(repeats) >= 3
        for jobs in repeats:
            assert {j.bytes for j in jobs if (j.kind, j.state) == ("sync", "preallocated")} == set(
                SIZES
            )


@pytest.mark.parametrize("of", PLANS)
def test_no_job_asks_fio_for_what_measures_something_else(of: Plan) -> None:
    for job in every(of):
        words = command(job, Path("/d"), Path("fio"))
        text = " ".join(words)
        for trap in ("--direct=", "create_on_open", "time_based", "--fsync=", "--sync="):
            assert trap not in text
        assert "--thread=1" in words
        assert ("--fdatasync=1" in words) == (job.kind == "sync")


@pytest.mark.parametrize("of", PLANS)
def test_no_appended_file_is_written_twice(of: Plan) -> None:
    for job in every(of):
        if job.state != "recycled":
            assert job.files * (job.file // job.bytes) >= job.writes


def states(tmp_path: Path, job: Job) -> Path:
    """Run a short job whose file is kept, and return that file."""
    short = replace(job, seconds=0.05, cap=64 * worn_bytes(job))
    words = [w for w in command(short, tmp_path, fio.find().path) if w != "--unlink=1"]
    subprocess.run(words, check=True, capture_output=True, cwd=tmp_path)
    (file,) = tmp_path.iterdir()
    return file


def test_a_preallocated_file_has_rocksdb_s_room_and_only_its_own_length(tmp_path: Path) -> None:
    job = every(PLANS[0])[0]
    file = states(tmp_path, job).stat()
    assert job.state == "preallocated"
    assert file.st_blocks * 512 >= PREALLOCATED
    assert file.st_size <= 64 * job.bytes


def test_a_growing_file_has_no_room(tmp_path: Path) -> None:
    job = next(job for job in every(PLANS[0]) if job.state == "growing")
    file = states(tmp_path, job).stat()
    assert file.st_blocks * 512 < MIB
    assert file.st_size <= 64 * job.bytes


def test_a_recycled_file_was_written_before(tmp_path: Path) -> None:
    job = next(job for job in every(PLANS[0]) if job.state == "recycled")
    small = replace(job, file_bytes=MIB)
    file = states(tmp_path, small).stat()
    assert (file.st_size, file.st_blocks * 512) == (MIB, MIB)
