from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from waltax.devices.witness import Watched, Witness, witness
from waltax.runners.cells import machine
from waltax.runners.cells.machine import Sample

_SLEEPER = "import time\nfor line in open(0): time.sleep(0.002); print(flush=True)"


def test_what_happened_between_two_samples_is_their_difference() -> None:
    early, late = Sample({"steal_s": 1.5, "a": 3.0}), Sample({"steal_s": 2.0, "a": 10.0})
    assert late.since(early) == {"steal_s": 0.5, "a": 7.0}


def test_a_sample_of_this_machine_counts_its_cpu(tmp_path: Path) -> None:
    before = machine.sample({"data": tmp_path})
    after = machine.sample({"data": tmp_path})
    assert after.since(before)["machine_busy_cpu_s"] >= 0
    assert before.values["machine_busy_cpu_s"] > 0


def test_a_memory_backed_directory_has_no_disk_counters() -> None:
    names = machine.sample({"wal": Path("/dev/shm")}).values
    assert not any(name.startswith("diskstats_wal") for name in names)


def test_the_devices_below_the_log_are_asked_before_and_after() -> None:
    log = Witness("counted: vda", (Watched("vda", 0, "vda", flushed=True),))
    early = Sample({}, log=log, devices={"vda": {"writes": 10.0, "flushes": 4.0}})
    late = Sample({}, log=log, devices={"vda": {"writes": 17.0, "flushes": 9.0}})
    (seen,) = late.since(early)["wal_devices"]
    about = {"device": "vda", "level": 0, "path_of": "vda", "flushed": True}
    assert seen == about | {"writes": 7.0, "flushes": 5.0}
    assert late.since(early)["wal_below"] == "counted: vda"


def test_memory_below_a_log_is_said_and_has_no_devices() -> None:
    seen = machine.sample({"wal": Path("/dev/shm")}).since(Sample({}))
    assert (seen["wal_below"], seen["wal_devices"]) == ("memory: tmpfs", [])


def test_every_result_says_where_it_comes_from() -> None:
    facts = machine.provenance()
    assert facts["kernel"]
    assert facts["cores"]
    assert facts["git_commit"]


def test_what_devices_read_for_a_process_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "data" / "file"
    file.parent.mkdir()
    file.write_bytes(os.urandom(1 << 20))
    with file.open("rb") as written:
        os.fsync(written.fileno())
        os.posix_fadvise(written.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    before = machine.sample({}, [os.getpid()])
    file.read_bytes()
    read = machine.sample({}, [os.getpid()]).since(before)["process_read_bytes"]
    on_disk = not any(name.startswith("memory") for name in [witness(tmp_path).below])
    assert (read >= 1 << 20) == on_disk


def test_the_disk_of_the_data_tells_requests_and_their_times() -> None:
    names = {name for name in machine.sample({"data": Path("/var/tmp")}).values if "data" in name}
    told = {"reads", "read_bytes", "read_ms", "writes", "write_bytes", "write_ms"}
    assert not names or {f"diskstats_data_{name}" for name in told} <= names


def test_a_process_that_sleeps_switches_by_its_own_will() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _SLEEPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        before = machine.sample({}, [child.pid])
        for _ in range(20):
            child.stdin.write(b"\n")
            child.stdin.flush()
            child.stdout.readline()
        seen = machine.sample({}, [child.pid]).since(before)
        child.stdin.close()
    assert seen["sched_switches_voluntary"] >= 20
    assert seen["sched_run_s"] > 0


def test_several_processes_are_counted_together() -> None:
    alone = machine.sample({}, [os.getpid()]).threads
    both = machine.sample({}, [os.getpid(), os.getppid()]).threads
    assert set(alone) < set(both)


def test_a_process_that_is_gone_has_no_threads() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert machine.sample({}, [child.pid]).threads == {}
    assert not any(
        name.startswith("sched_")
        for name in machine.sample({}, [child.pid]).since(machine.sample({}))
    )


def test_a_thread_that_ends_takes_nothing_from_the_sum() -> None:
    early = {(1, 1): {"sched_run_s": 1.0}, (1, 2): {"sched_run_s": 50.0}}
    late = {(1, 1): {"sched_run_s": 1.5}}
    assert Sample({}, late).since(Sample({}, early)) == {"sched_run_s": 0.5}


def test_a_thread_with_the_number_of_another_counts_from_its_beginning() -> None:
    early = {(1, 2): {"sched_run_s": 50.0}}
    late = {(1, 2): {"sched_run_s": 0.25}, (1, 3): {"sched_run_s": 0.25}}
    assert Sample({}, late).since(Sample({}, early)) == {"sched_run_s": 0.5}
