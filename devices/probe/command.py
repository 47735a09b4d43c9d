"""`waltax devices probe` and `waltax devices compare`."""

from __future__ import annotations

import functools
import math
import os
import re
import shlex
import shutil
from pathlib import Path
from typing import Any, get_args

import click
from rich.console import Console

from ...base import home
from ...base.errors import UsageError, WaltaxError
from ...base.terminal import Terminal, say
from .. import load
from ..catalog import CATALOG, names, user_config_path, user_paths
from ..check import require_writable
from ..device import NAME_PATTERN, Device
from ..emulation_memory import read_memory
from . import curves, fio, jobs, measure, record
from .compare import print_comparison, print_summary
from .load import Wear

_UNITS = {"": 1, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40}
_UNITS |= {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
CLASSES = [
    name for name in get_args(Device.model_fields["device_class"].annotation) if name != "none"
]


def _bytes(text: str) -> int:
    """Return the number of bytes in a text such as 4GiB, 500MB or 73819750."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?([KMGT]i?B)?", text, re.IGNORECASE)
    number = round(float(match[1]) * _UNITS[(match[2] or "").upper()]) if match else 0
    if number < 1:
        raise click.BadParameter(f"found {text!r}, want a size like 4GiB, 500MB or 73819750")
    return number


def _finite(_: click.Context, __: click.Parameter, seconds: float) -> float:
    """Reject an infinite time, which click's ranges let pass."""
    if not math.isfinite(seconds):
        raise click.BadParameter(f"found '{seconds}', want a number of seconds, 0 or more")
    return seconds


@click.command()
@click.argument("where", metavar="DIR|NAME")
@click.option("--name", help="Name of the device. Default: from its class.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Default: <name>.toml."
)
@click.option("--thorough", is_flag=True, help="Measure for some minutes instead of one.")
@click.option(
    "--max-bytes",
    type=_bytes,
    metavar="SIZE",
    help="The most to write. Default: 8GiB, with --thorough 32GiB.",
)
@click.option(
    "--prealloc",
    type=_bytes,
    metavar="SIZE",
    default=str(jobs.PREALLOCATED),
    show_default="1.1 x 64MiB, as RocksDB",
    help="Size to preallocate the log files to.",
)
@click.option(
    "--class", "device_class", type=click.Choice(CLASSES), help="If the kernel names no class."
)
@click.option(
    "--wait",
    "wait_s",
    type=click.FloatRange(min=0),
    callback=_finite,
    default=30,
    show_default=True,
    help="Seconds in all to wait for moments in which nobody else uses the CPUs.",
)
@click.option("--fio", "program", type=click.Path(path_type=Path), help="Default: from PATH.")
@click.option("--plan", "only_plan", is_flag=True, help="Print the plan, and write nothing.")
def probe(where: str, out: Path | None, only_plan: bool, **options: Any) -> None:
    """Measure what a log device can do, with fio, into a device file that can be replayed.

    DIR is a directory on the device. NAME is a device that has a directory here.
    """
    console = Terminal()
    directory = directory_of(where)
    program = fio.find(options["program"])
    target = record.target(directory, options["device_class"])
    name = _name(options["name"], where, target)
    path = out or Path(f"{name}.toml")
    require_new(path)
    thorough = options["thorough"]
    most = options["max_bytes"] or (jobs.MOST_BYTES_THOROUGH if thorough else jobs.MOST_BYTES)
    wears = target.device_class != "ram"
    plan = jobs.plan(most, thorough=thorough, preallocated=options["prealloc"], wears=wears)
    if not only_plan:  # before the check for space, which they may take from this probe
        say(console, *measure.remove_leftovers(directory))
    _require_space(directory, plan, target.device_class)
    wear = Wear(target.facts.disks, most)
    _print_plan(console, directory, target, plan, wear)
    if only_plan:
        return
    tell = functools.partial(say, console)
    measured = measure.measure(program, plan, directory, tell, options["wait_s"], wear)
    device = record.device(name, target, program, measured, options["prealloc"])
    record.write(device, path)
    print_device(console, device, path)


def directory_of(where: str) -> Path:
    """Return the directory to probe. Errors: UsageError that says what to type instead."""
    if not where:  # Path("") would be the current directory
        raise UsageError("DIR: found nothing; give a directory: waltax devices probe /mnt/x")
    if where in names():
        return _directory_of_device(where)
    directory = Path(where).expanduser()
    if re.fullmatch(NAME_PATTERN, where) and not directory.exists():
        raise UsageError(
            f"{where}: neither a directory nor a device; devices are {', '.join(names())} "
            f"(from {CATALOG})"
        )
    require_writable(directory, "DIR:")
    return directory.absolute()


def _directory_of_device(name: str) -> Path:
    device = load(name)
    if device.is_off:
        raise UsageError(f"{name} writes no WAL, so there is nothing to probe; give a directory")
    path = Path(device.path).expanduser() if device.path else user_paths().get(name)
    if path is None:
        raise UsageError(
            f"{name} is emulated here: there is no device to probe. Type: waltax devices probe DIR "
            f"with a directory on it, or put its directory under [{name}] in {user_config_path()}"
        )
    require_writable(path, f"{name}'s directory")
    return path


def _name(given: str | None, where: str, target: record.Target) -> str:
    """Return the device's name, which must not be one of the catalog's."""
    stem = where if where in names() else f"{target.device_class}-{target.facts.fs_type}".lower()
    name = given or re.sub(r"[^a-z0-9]+", "-", f"{stem}-probed").strip("-")
    require_free_name(name)
    return name


def require_free_name(name: str) -> None:
    """Raise UsageError for what is no device's name, or one of the catalog's."""
    if not re.fullmatch(NAME_PATTERN, name):
        raise UsageError(f"--name: found {name!r}, want lower case, digits and single dashes")
    if name in names():
        raise UsageError(f"--name: {name} is taken by the catalog in {CATALOG}; give another")


def require_new(path: Path) -> None:
    """Raise UsageError for a file that cannot be written, before the probe takes a minute."""
    folder = path.absolute().parent
    if path.suffix != ".toml":
        raise UsageError(f"--out: found {path}, want a name that ends in .toml")
    _refuse_existing(path)
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"--out: {folder} is not a directory that can be written")


def _refuse_existing(out: Path) -> None:
    if out.exists():
        raise UsageError(f"--out: {out} exists; remove it, or name another file with --out")


def _require_space(directory: Path, plan: jobs.Plan, device_class: str) -> None:
    """Raise UsageError unless twice the space of the largest job's files is free."""
    free = shutil.disk_usage(directory).free
    if device_class == "ram":
        free = min(free, read_memory().available)
    if free < 2 * plan.disk_bytes:
        raise UsageError(
            f"{directory}: {free / 2**20:,.0f} MiB free, want {2 * plan.disk_bytes / 2**20:,.0f} "
            "MiB for the probe's files; free some, or give a smaller --max-bytes or --prealloc"
        )


def _print_plan(
    console: Console, directory: Path, target: record.Target, plan: jobs.Plan, wear: Wear
) -> None:
    disks = ", ".join(f"{disk.name} ({disk.device_class})" for disk in target.facts.disks)
    say(console, f"probing {directory}: {target.facts.fs_type} on {disks or 'unknown'}")
    memory = target.device_class == "ram"
    wears = "into memory" if memory else "to the disk"
    say(
        console,
        f"  writes at most {plan.most_bytes / 2**30:.1f} GiB {wears} with whole pages and "
        f"metadata ({plan.data_bytes / 2**30:.1f} GiB of data), takes about {plan.seconds:.0f} s "
        f"and {plan.disk_bytes / 2**20:,.0f} MiB of room",
    )
    if not memory and not wear.counted:
        say(console, "  that is an estimate: the kernel does not count what is written here")


def print_device(console: Console, device: Device, path: Path) -> None:
    """Print the device's figures, its warnings, its file and how to replay it."""
    print_summary(console, device)
    for text in device.probe.warnings if device.probe else ():
        say(console, f"warning: {text}", style="yellow")
    say(console, f"written: {path}")
    # An absolute path: make runs in the repository, the probe perhaps elsewhere.
    call = "waltax run-device --device " if home.IS_INSTALLED else "make run-device DEVICE="
    say(console, f"replay:  {call}{shlex.quote(str(path.absolute()))}")


@click.command()
@click.argument("a")
@click.argument("b")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default="compare.png",
    show_default=True,
    help="The figure; .png, .svg or .pdf.",
)
def compare(a: str, b: str, out: Path) -> None:
    """Compare two devices, by name or by file, and draw their latency curves."""
    _refuse_existing(out)
    if out.suffix not in (".png", ".svg", ".pdf"):
        raise UsageError(f"--out: found {out}, want a name that ends in .png, .svg or .pdf")
    first, second = load(a), load(b)
    for device in (first, second):
        if device.model is None:
            raise UsageError(f"{device.name} has no [model], so there is nothing to compare")
    console = Terminal()
    print_comparison(console, first, second)
    try:
        curves.draw(first, second, out)
    except OSError as error:
        raise WaltaxError(f"{out}: cannot be written: {error.strerror}") from error
    say(console, f"figure: {out}")
