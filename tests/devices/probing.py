"""Readings made up, small real probes, and the command line."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from waltax.devices.block import Disk
from waltax.devices.facts import DirectoryFacts
from waltax.devices.filesystem import FilesystemFacts
from waltax.devices.importing.fio_json import FioJob, FioTimes, FioWrites
from waltax.devices.probe.jobs import Job, rounds
from waltax.devices.probe.measure import Measured, Reading

MIB = 1 << 20
TYPICAL = 1032
SMALL_SIZES = (TYPICAL, 10_032)


def reading(
    us: float,
    *,
    size: int = TYPICAL,
    syncs: int = 1000,
    foreign_cores: float = 0.0,
    bins: dict[float, int] | None = None,
    sleeps: float = 3.0,
    cpu_us: float = 12.0,
) -> Reading:
    """A job of which every sync took `us` after a write of 2 us, unless bins are given."""
    times = {round(of * 1000): count for of, count in (bins or {us: syncs}).items()}
    answer = FioJob.model_construct(
        jobname="probe",
        job_runtime=1000,
        usr_cpu=0.0,
        sys_cpu=syncs * cpu_us * 1e-4,
        ctx=round(syncs * sleeps),
        write=FioWrites(total_ios=syncs, iops=1e6 / (us + 2), clat_ns=FioTimes(N=1, mean=2000.0)),
        synced=FioTimes.model_construct(N=syncs, mean=us * 1000, bins=times),
    )
    return Reading(Job("sync", size), answer, 5.0, foreign_cores)


def measured(*readings: Reading) -> Measured:
    return Measured(readings, dir_sync_us=50.0, fio="3.33")


def facts(device_class: str = "virtual", dax: bool = False) -> DirectoryFacts:
    disk = Disk("vda", device_class, "virtio", "unknown", None, "write back", True, dax)
    return DirectoryFacts(
        Path("/data"),
        "/",
        "ext4",
        "/dev/vda",
        FilesystemFacts("yes (data=ordered)", "yes", "yes" if dax else "no"),
        (),
        (disk,),
        device_class,
    )


def small_rounds() -> list[list[Job]]:
    """The probe's jobs of two sizes, 30 ms each, one repeat."""
    first, *_, last = rounds()
    return [
        [
            replace(job, seconds=0.03, most_bytes=32 * MIB, file_bytes=4 * MIB)
            for job in jobs
            if job.kind != "sync" or job.bytes in SMALL_SIZES
        ]
        for jobs in (first, last)
    ]


def command(*words: str) -> list[str]:
    """The command line of `waltax devices WORDS`."""
    return [sys.executable, "-m", "waltax", "devices", *words]
