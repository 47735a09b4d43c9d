"""`waltax sweep-knobs`: the WAL's settings one at a time, against the default and against off."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...cell import workload_of
from ...engines.knobs import KNOBS
from ...errors import WaltaxError
from ...runners import folders, typed
from . import dbbench, own_disk, shared

if TYPE_CHECKING:
    from rich.console import Console

    from ...devices.resolve import Placement
    from ...runners.campaign import Campaign

_PROFILE = "sweep-knobs"
_FALLBACK = "nvme"
_BENCH = "fillrandom"
# What a mode does to durability; what a knob does, `KNOBS` says.
_MODES = {
    "default": "sync: survives a power failure, if the device honours a flush",
    "flush": "no sync: survives the end of the process, not of the kernel or of the power",
    "off": "no log: what was not flushed from memtables is lost, even when only the process ends",
}
# Those that change which blocks of the file a sync writes.
_OF_FILE_STATE = ("recycled-logs", "no-fallocate", "fsync")


@click.command()
@click.option(
    "--knobs",
    help=f"Separated by commas: {','.join(KNOBS)}. Default: all. The default, flush and off are "
    "always measured.",
)
@typed.devices(
    f"One, by name or as a device file: {_FALLBACK} is emulated. Default: the disk of "
    "--data-dir, since recycled logs, fallocate and fsync act on a real file system.",
)
@click.option("--wal-dir", help="A directory on the real device.")
@click.option("--threads", type=click.IntRange(1, 1024), help="Default: the profile's.")
@click.option("--profile", default=_PROFILE, show_default=True, help="Size of the experiment.")
@shared.options
def command(**options: Any) -> None:
    """One setting of the WAL at a time on db_bench's fillrandom, commits synced.

    For every setting its throughput against the default's and against no log, CPU, syncs and bytes
    per operation, and what it does to durability.
    """
    from ...terminal import Terminal

    console = Terminal()
    if options["campaigns"]:
        shared.require_only_drawing(*dbbench.PLACES)
        for folder in options["campaigns"]:
            _again(folder, folders.named("data_dir"), console)
        return
    campaign = shared.resumed(options)
    if campaign is None:
        campaign = plan(options, console)
    else:
        shared.refuse_another(campaign, bool(campaign.recipe.knobs), "sweep of knobs")
    dbbench.require_disk(campaign, lambda _: "take fewer --knobs")
    raise SystemExit(dbbench.run(campaign, options, console, _report))


def plan(options: dict[str, Any], console: Console) -> Campaign:
    """The default, every knob, `flush` and `off`. Errors: UsageError for what there is not."""
    from ...runners import campaign

    knobs = dbbench.split("--knobs", options["knobs"], tuple(KNOBS))
    seed = {} if options["seed"] is None else {"seed": options["seed"]}
    with shared.place(options) as folder:
        device, wal_dir = _device(options, folder / "devices", console)
        recipe = campaign.Recipe(
            engine="rocksdb",
            workloads=(workload_of(_BENCH),),
            profile=shared.kept(options["profile"]),
            devices=(device,),
            durability="sync",
            beside=("flush",),
            threads=() if options["threads"] is None else (options["threads"],),
            knobs=knobs,
            wal_dir=wal_dir,
            kind="sweep-knobs",
            **seed,
        )
        return campaign.new(recipe, options["results"], options["data_dir"])


def _device(options: dict[str, Any], folder: Path, console: Console) -> tuple[str, str | None]:
    """The device's name or file, and the directory to give it; else this machine's own disk."""
    from ..campaigns import say

    if options["devices"]:
        return dbbench.one_device(options, _FALLBACK), options["wal_dir"]
    directory = _directory(options)
    path = own_disk.write(directory, folder)
    if path is not None:
        return str(path), None
    say(
        console,
        f"{directory}: the kernel does not say what is behind it, so {_FALLBACK} is emulated; "
        "name another directory with --wal-dir",
    )
    return _FALLBACK, None


def _directory(options: dict[str, Any]) -> Path:
    """Below --data-dir; to plan, what is there of it."""
    if options["wal_dir"] is not None:
        return Path(options["wal_dir"]).expanduser().absolute()
    root: Path = options["data_dir"].absolute()
    folders.require_writable("--data-dir", root)
    if options["only_plan"]:
        return dbbench.existing(root)
    directory = root / "wal"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def _again(folder: Path, data_dir: Path | None, console: Console) -> None:
    """Of results that may be another machine's: then nothing is said of their device."""
    from ...runners import campaign

    try:
        done = campaign.resume(folder.resolve(), data_dir)
    except WaltaxError:
        _print(folder, [], console)
    else:
        _report(done, console)


def _report(campaign: Campaign, console: Console) -> None:
    placements = {
        campaign.placements[cell.id].kind: campaign.placements[cell.id] for cell in campaign.cells
    }
    placement = next(one for kind, one in placements.items() if kind != "off")
    _print(campaign.folder, device_notes(placement), console)


def device_notes(placement: Placement) -> list[str]:
    """What the settings that act on the state of a file meet there."""
    names = ", ".join(_OF_FILE_STATE)
    device = placement.device
    if not placement.emulated:
        return [f"{device.name}: {device.title}; {device.notes.strip()}", *placement.warnings]
    assert device.model is not None
    notes = [f"{device.name} is emulated: {names} act on what is not there but modelled"]
    for knob, state, rows in (
        ("recycled-logs", "blocks that were written before", device.model.sync_recycled),
        ("no-fallocate", "a growing file", device.model.sync_growing),
    ):
        has = "times of its own" if rows else "no times of its own, and takes those of any file"
        notes.append(f"{knob}: the model has {has} for {state}")
    notes.append("fsync: the model has one time for both calls")
    return notes


def _print(folder: Path, notes: list[str], console: Console) -> None:
    from ...analysis.dbbench import knob_report

    durabilities = {**_MODES, **{name: knob.durability for name, knob in KNOBS.items()}}
    dbbench.widen(console)
    dbbench.say_files(knob_report.report(folder, console, durabilities, notes), console)
