"""`waltax devices probe`."""

from __future__ import annotations

import functools
import re
import shutil
from pathlib import Path

import click
import psutil

from ...base.errors import UsageError
from ...base.folders import places
from ...base.terminal import Terminal, say
from ..check import check, require_writable
from ..device_file import CLASSES, require_free_name, require_new, write
from . import jobs, measure, record

_PREFIX, _KIND = ".waltax-probe-", "probe"
_ROOM = 256 << 20  # of the files of one job, and as much again


@click.command()
@click.argument("directory", metavar="DIR")
@click.option("--name", help="Name of the device. Default: from its class.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Default: <name>.toml."
)
@click.option(
    "--class",
    "device_class",
    type=click.Choice(CLASSES),
    help="What it is. Default: what the kernel says.",
)
@click.option("--plan", "only_plan", is_flag=True, help="Print the plan, and write nothing.")
def probe(
    directory: str, name: str | None, out: Path | None, device_class: str | None, only_plan: bool
) -> None:
    """Measure what a log device can do, with fio, into a device file that can be replayed.

    DIR is a directory on the device.
    """
    if not directory:  # Path("") would be the current directory
        raise UsageError("DIR: found nothing; give a directory: waltax devices probe /mnt/x")
    place = Path(directory).expanduser().absolute()
    require_writable(place, "DIR:")
    facts = check(place)
    stem = f"{record.class_of(facts, device_class)}-{facts.fs_type}-probed".lower()
    name = name or re.sub(r"[^a-z0-9]+", "-", stem).strip("-")
    require_free_name(name)
    path = out or Path(f"{name}.toml")
    require_new(path)
    console, rounds = Terminal(), jobs.rounds()
    if not only_plan:  # before the check for space, which they may take from this probe
        say(console, *places.few(places.sweep(place, f"{_PREFIX}*", _KIND)))
    _require_space(place, facts.device_class)
    disks = ", ".join(f"{disk.name} ({disk.device_class})" for disk in facts.disks)
    seconds = sum(job.seconds + jobs.STARTUP_S for each in rounds for job in each)
    say(
        console,
        f"probing {place}: {facts.fs_type} on {disks or 'unknown'}",
        f"  writes at most {jobs.most_bytes(rounds) / 2**30:.1f} GiB, whole pages and metadata as "
        f"estimated, takes about {seconds:.0f} s and {_ROOM >> 20} MiB of room",
    )
    if only_plan:
        return
    with places.borrowed(place, _PREFIX, _KIND) as folder:
        measured = measure.measure(rounds, folder, functools.partial(say, console))
    write(console, record.device(name, facts, device_class, measured), path, record.ABOUT)


def _require_space(directory: Path, device_class: str) -> None:
    """Raise UsageError unless twice the space of the largest job's files is free."""
    free = shutil.disk_usage(directory).free
    if device_class == "ram":
        free = min(free, psutil.virtual_memory().available)
    if free < 2 * _ROOM:
        raise UsageError(
            f"{directory}: {free >> 20:,} MiB free, want {2 * _ROOM >> 20} MiB for the probe's "
            "files; free some, or name another directory on the device"
        )
