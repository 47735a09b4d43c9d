"""The tap when it emulates, what it refuses, and that it agrees with a real RocksDB.

Nothing here depends on how fast the machine is.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path

import pytest
from tapped import FAST, command, environment, observe, room
from waltax.devices.tap_model import DeviceModel, SyncLatency, packed
from waltax.devices.tap_page import create, percentile
from waltax.devices.tap_preload import tap_environment

__all__ = ["room"]  # the fixture


def constant(us: float) -> tuple[SyncLatency, ...]:
    return (SyncLatency(1, ((50, us),)),)


@pytest.mark.parametrize("model", [None, FAST])
def test_fallocate_is_skipped_only_when_emulating(room: Path, model: DeviceModel | None) -> None:
    script = 'os.posix_fallocate(os.open(WAL + "/1.log", RW), 0, 1 << 20)'
    observe(room, script, model)
    assert (room / "wal/1.log").stat().st_size == (0 if model else 1 << 20)


def test_emulated_syncs_never_end_before_their_deadline(room: Path) -> None:
    seen = observe(
        room,
        """
import threading
fd = os.open(WAL + "/1.log", RW)
def work():
    for _ in range(50):
        os.write(fd, bytes(100))
        os.fdatasync(fd)
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
os.fsync(os.open(WAL, os.O_RDONLY))
""",
        DeviceModel((SyncLatency(100, ((50, 20.0),)),), 1, 0, 0, 64, 5, 5, 1),
    )
    assert (seen.emulated, seen.writes, seen.syncs, seen.dir_syncs) == (1, 200, 200, 1)
    assert sum(seen.sync_wanted) == sum(seen.sync_achieved) == 200
    assert seen.wanted_ns >= 200 * 20_000
    assert seen.achieved_ns >= seen.wanted_ns
    least = percentile(seen.sync_wanted, 0)
    assert least is not None
    assert least >= 20 * 0.98


def test_processes_that_write_to_one_device_wait_for_each_other(room: Path) -> None:
    """Alone, each would wait for its own syncs: 20 times 5 ms."""
    script = """
import time
began = time.monotonic()
other = os.fork()
fd = os.open(f"{WAL}/{int(other > 0)}.log", RW)
for _ in range(20):
    os.write(fd, b"x")
    os.fdatasync(fd)
if other:
    os.waitpid(other, 0)
    assert time.monotonic() - began >= 40 * 0.005
os._exit(0)
"""
    seen = observe(room, script, DeviceModel(constant(5000.0), 0, 0, 0, 64, 0, 0, 0))
    assert seen.syncs == 40


@pytest.mark.parametrize("sleeps", [2, 3, 5])
def test_the_caller_of_a_sync_sleeps_as_often_as_on_the_device(room: Path, sleeps: int) -> None:
    # Turns of 0.6 ms: long enough to sleep in, and too short to be slept through in two parts.
    model = DeviceModel(constant(600.0 * sleeps), 0, 0, 0, 64, 0, 0, 0, sync_sleeps=sleeps)
    script = """
import resource
fd = os.open(WAL + "/1.log", RW)
os.write(fd, b"x")
def switches():
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
slept = []
for _ in range(21):
    before = switches()
    os.fdatasync(fd)
    slept.append(switches() - before)
# One that is woken late has no time for its next sleep.
os.write(os.open(WAL + "/2.log", RW), bytes(sorted(slept)[10]))
"""
    seen = observe(room, script, model)
    # It wakes up ahead by what its last wake-ups took, and so may be early by one, not by more.
    assert seen.achieved_ns > 0.8 * seen.wanted_ns
    (slept,) = (file.bytes for file in seen.files if file.name == "2.log")
    assert slept == sleeps


def test_draws_depend_on_the_seed_alone(room: Path) -> None:
    spread = DeviceModel((SyncLatency(1, ((0, 1.0), (100, 50.0))),), 0, 0, 0, 64, 0, 0, 0)
    script = """
fd = os.open(WAL + "/1.log", RW)
for _ in range(100):
    os.write(fd, b"x")
    os.fdatasync(fd)
"""
    wanted = [observe(room, script, packed(spread, seed)).wanted_ns for seed in (1, 1, 2)]
    assert wanted[0] == wanted[1] != wanted[2]


def test_a_bad_page_ends_the_program_with_one_line(room: Path) -> None:
    create(room / "page")
    under = environment(room, None, "wal")
    (room / "page").write_bytes(b"short")
    refused(room, under, "the page is too small")
    (room / "page").write_bytes(bytes(1 << 20))
    refused(room, under, "not a page of this version")
    (room / "page").unlink()
    refused(room, under, "No such file")


def test_a_missing_wal_directory_ends_the_program_with_one_line(room: Path) -> None:
    create(room / "page")
    refused(room, environment(room, None, "nowhere"), "nowhere: No such file")


def test_emulation_is_refused_on_what_is_not_a_memory_file_system(room: Path) -> None:
    create(room / "page")
    refused(room, environment(room, FAST, "/proc"), "memory file system")


def refused(room: Path, variables: dict[str, str], reason: str) -> None:
    ran = subprocess.run(
        command(room, "print('ran')"), env=variables, capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert re.fullmatch(r"waltax tap: [^\n]*\n", ran.stderr)
    assert reason in ran.stderr


@pytest.mark.parametrize("model", [None, FAST])
@pytest.mark.parametrize("threads", [1, 8])
def test_rocksdb_counts_the_same_syncs(room: Path, model: DeviceModel | None, threads: int) -> None:
    page = create(room / "page")
    ran = subprocess.run(
        [
            *("db_bench", "--benchmarks=fillrandom", "--sync=1", "--statistics=1"),
            *(f"--threads={threads}", f"--num={20000 // threads}", "--write_buffer_size=262144"),
            *(f"--db={room}/db", f"--wal_dir={room}/wal"),
        ],
        env=environment(room, model, "wal"),
        check=True,
        capture_output=True,
        text=True,
    )
    found = re.search(r"rocksdb\.wal\.synced COUNT : (\d+)", ran.stdout)
    assert found is not None
    seen = page.snapshot()
    assert seen.syncs == int(found.group(1)) > 0
    assert seen.bypasses == 0
    assert seen.opens >= len(seen.files) > 1
    assert seen.write_bytes == sum(file.bytes for file in seen.files)


def test_rocksdb_recycles_its_logs_when_told(room: Path) -> None:
    (room / "options").write_text(
        "[Version]\nrocksdb_version=7.8.3\noptions_file_version=1.1\n"
        "[DBOptions]\ncreate_if_missing=true\nrecycle_log_file_num=2\n"
        f"wal_recovery_mode=kSkipAnyCorruptedRecords\nwal_dir={room}/wal\n"
        '[CFOptions "default"]\nwrite_buffer_size=65536\n'
    )
    page = create(room / "page")
    subprocess.run(
        [
            *("db_bench", "--benchmarks=fillrandom", "--sync=1", "--num=5000"),
            *(f"--options_file={room}/options", f"--db={room}/db"),
        ],
        env=environment(room, FAST, "wal"),
        check=True,
        capture_output=True,
    )
    seen = page.snapshot()
    assert seen.syncs == 5000
    assert seen.opens > len(seen.files)


def test_the_kernels_work_is_the_callers_and_no_thread_is_made_for_it(room: Path) -> None:
    model = DeviceModel(constant(50.0), 0, 0, 0, 64, 5, 15, 0)
    script = """
fd = os.open(WAL + "/1.log", RW)
for _ in range(10):
    os.write(fd, b"x")
    os.fdatasync(fd)
os.write(os.open(WAL + "/2.log", RW), bytes(len(os.listdir("/proc/self/task"))))
"""
    seen = observe(room, script, model)
    assert seen.kernel_wanted_ns == 10 * 15_000
    (threads,) = (file.bytes for file in seen.files if file.name == "2.log")
    assert threads == 1


def test_cpu_time_that_sleeps_take_is_counted_and_not_used_up_beside_them(room: Path) -> None:
    cpu_us = 1000.0
    model = DeviceModel(constant(2000.0), 0, 0, 0, 64, cpu_us, 0, 0)
    script = """
fd = os.open(WAL + "/1.log", RW)
for _ in range(50):
    os.write(fd, b"x")
    os.fdatasync(fd)
"""
    seen = observe(room, script, model)
    assert seen.sleep_cpu_ns > 0
    assert seen.burn_ns < 50 * cpu_us * 1e3


def test_logs_with_pages_of_their_own_can_be_on_one_device(room: Path) -> None:
    """As those of two nodes: each is counted alone, and waits for the other's syncs."""
    model = DeviceModel(constant(5000.0), 0, 0, 0, 64, 0, 0, 0)
    script = """
fd = os.open(WAL + "/1.log", RW)
for _ in range(20):
    os.write(fd, b"x")
    os.fdatasync(fd)
"""
    pages = [create(room / name) for name in ("page", "other-page")]
    alone, log = environment(room, model, "wal"), (room / "wal", room / "other-page")
    shared = os.environ | tap_environment(*log, packed(model), room / "page")
    began = time.monotonic()
    nodes = [subprocess.Popen(command(room, script), env=env) for env in (alone, shared)]
    assert [node.wait() for node in nodes] == [0, 0]
    assert time.monotonic() - began >= 40 * 0.005
    assert [page.snapshot().syncs for page in pages] == [20, 20]
