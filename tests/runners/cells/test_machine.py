from __future__ import annotations

import os
from pathlib import Path

from waltax.devices.witness import Watched, Witness, witness
from waltax.runners.cells import machine
from waltax.runners.cells.machine import Sample


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
