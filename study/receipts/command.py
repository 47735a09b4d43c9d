"""`waltax receipts`: what each mode of the log loses to a kill, and to a power cut."""

from __future__ import annotations

import random
from pathlib import Path

import click

from ...engines import ENGINES
from ...errors import UsageError
from ...owned import places
from ...terminal import say
from .. import options

_ENGINES, _WORKLOAD = ("rocksdb", "myrocks", "innodb"), "tpcc"
_MODELS = ("journal", "strict")


@click.command()
@click.option("--device", default="nvme", show_default=True, help="Of the log, or a device file.")
@options.wal_dir("A directory on the real device.")
@options.profile("ci", "Size of the data, and how the engine is set.")
@options.engine(_ENGINES, "Whose log.")
@options.one_workload((_WORKLOAD,), _WORKLOAD)
@options.durability("One mode. Default: each that the engine has.")
@click.option(
    "--cuts", type=click.IntRange(1), default=10, show_default=True, help="Moments of each run."
)
@click.option(
    "--states", type=click.IntRange(1), default=7, show_default=True, help="States of each moment."
)
@click.option(
    "--names",
    type=click.Choice(_MODELS),
    default=_MODELS[0],
    show_default=True,
    help="How names become durable: in order, as on ext4, or only as POSIX promises.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.5, 60),
    default=4.0,
    show_default=True,
    help="How long each mode is recorded.",
)
@options.seed()
@options.share_machine()
@options.results()
@options.data_dir()
def command(
    *,
    device: str,
    wal_dir: str | None,
    profile: str,
    engine: str,
    workloads: tuple[str, ...],  # noqa: ARG001 - the one that there is
    durability: str | None,
    cuts: int,
    states: int,
    names: str,
    seconds: float,
    seed: int | None,
    share_machine: bool,
    results: Path,
    data_dir: Path,
) -> None:
    """What each mode of the log loses when a process is killed or the power is cut.

    TPC-C is recorded once in each mode, and then cut at random moments: what a disk may hold then
    is opened by the engine and checked. Exits with 1 when a synced log loses anything under a
    journal's names; the state is kept.
    """
    from ... import devices, profiles
    from ...devices.resolve import resolve
    from ...owned.machine import only_campaign
    from ...runners import campaign
    from ...terminal import Terminal
    from . import measuring

    placement = resolve(devices.load(device, wal_dir), data_dir=data_dir.absolute())
    if placement.kind == "off":
        raise UsageError(f"--device: found {device!r}, which writes no log; type --wal off")
    asked = measuring.Asked(
        profile=profiles.load(profile, engine),
        placement=placement,
        modes=_modes(engine, durability),
        cuts=cuts,
        states=states,
        names=names,
        seconds=seconds,
        seed=random.randrange(2**31) if seed is None else seed,
        data_root=data_dir.absolute(),
        folder=results.absolute() / f"{campaign.now()}-receipts",
        console=Terminal(),
    )
    say(
        asked.console,
        f"{_WORKLOAD} on {engine}, log on {placement.device.name}; seed {asked.seed}",
    )
    with only_campaign("receipts", share=share_machine) as notes:
        say(asked.console, *(f"warning: {note}" for note in notes))
        with places.results(asked.folder, (asked.folder / measuring.WRITTEN).exists):
            measuring.measure(asked)


def _modes(engine: str, asked: str | None) -> tuple[str, ...]:
    """Errors: UsageError for a mode that the engine does not have."""
    record = ENGINES[engine]
    if asked is None:
        return record.modes
    if asked not in record.modes:
        raise UsageError(f"--wal: found {asked!r}; {record.why_not[asked]}")
    return (asked,)
