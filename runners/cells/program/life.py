"""Prepare and bring up the cells of a user's own program: `waltax try`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from ....base.errors import UsageError
from ....base.folders import removal
from ...recipe.parts import MIB, Command
from .. import waldir
from ..campaign import Campaign
from ..live import Say, Share
from ..setting import Setting
from . import cell, folder, metric, watch
from .cell import ProgramCell
from .folder import Tap

_LOG_MIB = 64.0  # of a program whose log is not known yet
_SUPERVISED = (
    "a supervisor answers the syncs, in the baseline, too: each takes tens of microseconds more, "
    "so that a device's cost in percent comes out too low"
)


def require(campaign: Campaign) -> None:
    """Raise UsageError for an invalid metric or pattern, or for data that are no folder."""
    command = _command(campaign)
    if command.metric:
        metric.parse(command.metric)
    for text in command.log:
        folder.pattern(text)
    if command.data and not Path(command.data).is_dir():
        raise UsageError(f"--data: {command.data}: there is no such folder")


def prepare(campaign: Campaign, say: Say) -> dict[str, Path | None]:
    """Watch one run: it must succeed, and sync the files that its user calls its log.

    Errors: UsageError for a log that it does not have, and as `watch.watch`.
    """
    command, kept = _command(campaign), campaign.folders.kept
    seen = watch.watch(command, campaign.data_root, kept)
    watch.require_seen(seen)
    watch.require_log(seen, command.log)
    if command.metric:
        metric.find(metric.parse(command.metric), seen.output)
    watch.keep(seen, kept)
    log = seen.matching(command.log)
    say(
        f"watched one run: {seen.seconds:.3g} s, {log.syncs:,} syncs of the log, "
        f"{log.bytes / MIB:,.3g} MiB written to it"
    )
    for line in seen.doubts():
        say(line)
    return {each.id: None for each in campaign.cells}


def share(campaign: Campaign) -> Share:
    """Return the room for copies of the data, of which there is one at a time."""
    command = _command(campaign)
    data_mib = folder.size_mib(command.data)
    runs = command.rounds * command.sessions * len(campaign.cells)
    return Share(
        disk_mib=2 * data_mib,
        written_mib=data_mib * runs,
        emulated_mib=_LOG_MIB + data_mib * (not folder.moved(command.log)),
        whole_runs=runs,
    )


def words(campaign: Campaign) -> str:
    """Say what is run, on which data."""
    command = _command(campaign)
    data = f"a copy of {command.data}" if command.data else "an empty folder"
    load = f", and {command.load!r} against it" if command.serves else ""
    return f"{command.run!r} in {data}{load}; its log: {' '.join(command.log)}"


@contextlib.contextmanager
def bring_up(setting: Setting) -> Iterator[ProgramCell]:
    """Make the cell's folders, of which nothing is left behind.

    The log of the baseline is in memory, as that of emulated devices is.
    """
    command, kept = setting.recipe.command, setting.folders.kept
    assert command is not None
    on_device = waldir.root(setting, setting.placement)
    root = setting.folders.memory if setting.cell.is_baseline else on_device
    memory, home = waldir.memory_of(setting), setting.home
    device = root / f"{memory.name}-log"
    supervises = watch.was_supervised(kept)
    try:
        for place in (home, device):
            removal.tree(place)
            place.mkdir(mode=0o755, parents=True)
        tap = Tap.make(memory, supervises=supervises)
        model = waldir.model_of(setting.placement, setting.seed)
        cell.calibrate(tap, device, model, setting.cell.tap_rung, home / "calibrated")
        yield ProgramCell(
            cell=setting.cell,
            placement=setting.placement,
            wal_dirs=(device,),
            seed=setting.seed,
            axes=setting.axes,
            ready={"event": "ready", "engine": {}, "warnings": [_SUPERVISED] * supervises},
            command=command,
            tap=tap,
            home=home,
            device=device,
            model=model,
            kept=kept,
        )
    finally:
        removal.trees(memory, device, home)


def _command(campaign: Campaign) -> Command:
    """Return the command. REQUIRES: a campaign of a command."""
    assert campaign.recipe.command is not None
    return campaign.recipe.command
