"""Readings made up, small real probes, and the command line."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Literal

from waltax.devices.block import Disk
from waltax.devices.facts import DirectoryFacts
from waltax.devices.filesystem import FilesystemFacts
from waltax.devices.probe.fio import Answer
from waltax.devices.probe.jobs import TYPICAL, Job, Plan, plan
from waltax.devices.probe.measure import Measured, Reading
from waltax.devices.tap_model import FileState

MIB = 1 << 20
SMALL_SIZES = (TYPICAL, 10_032)


def reading(
    us: float,
    *,
    size: int = TYPICAL,
    syncs: int = 1000,
    foreign_cores: float = 0.0,
    state: FileState = "preallocated",
    bins: tuple[tuple[float, int], ...] | None = None,
    sleeps: float = 3.0,
    cpu_us: float = 12.0,
    kind: Literal["sync", "write"] = "sync",
) -> Reading:
    """A job of which every sync took `us` after a write of 2 us, unless bins are given."""
    answer = Answer(
        writes=syncs,
        writes_per_s=1e6 / (us + 2),
        write_mean_us=2.0,
        write_us=2.0,
        syncs=syncs,
        sync_mean_us=us,
        bins=bins or ((us, syncs),),
        cpu_s=syncs * cpu_us * 1e-6,
        switches=round(syncs * sleeps),
    )
    return Reading(Job(kind, state, size, 1.0), answer, 5.0, foreign_cores)


def measured(*readings: Reading, preallocates: bool = True) -> Measured:
    return Measured(readings, dir_sync_us=50.0, preallocates=preallocates)


def facts(device_class: str = "virtual", dax: bool = False) -> DirectoryFacts:
    disk = Disk("vda", device_class, "virtio", "unknown", None, "write back", True, dax, "none")
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


def small_plan() -> Plan:
    """The thorough plan in memory, of two sizes, 30 ms a job, one repeat."""
    whole = plan(32 << 30, thorough=True, wears=False)
    rounds = [
        [
            replace(job, seconds=0.03, cap=min(job.cap, 32 * MIB), file_bytes=4 * MIB)
            for job in jobs
            if job.kind != "sync" or job.bytes in SMALL_SIZES
        ]
        for jobs in (whole.rounds[0], whole.rounds[-1])
    ]
    return replace(whole, rounds=tuple(tuple(jobs) for jobs in rounds))


def command(*words: str) -> list[str]:
    """The command line of `waltax devices WORDS`."""
    return [sys.executable, "-m", "waltax", "devices", *words]
