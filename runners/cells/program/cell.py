"""A user's own program as a cell: run anew in each slice, or started anew for a load against it."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ....base import proc
from ....base.errors import UsageError, WaltaxError
from ....base.folders import removal
from ....devices.tap_page import TapPages
from ....workloads.own_program import RUNS, UNIT
from ...recipe.parts import MIB, Command
from .. import machine, waldir
from ..campaign import Campaign
from ..live import Live, Measured, MeasuredNode, Position, Say, Share
from ..setting import Setting
from . import shell, watch
from .run import Folder, Tap, begun, moved, size_mib

_LOG_MIB = 64.0  # of a program whose log is not known yet
_SUPERVISED = "supervised"  # a file of the campaign, if its program must be
_SUPERVISOR = (
    "a supervisor answers the syncs, in the baseline, too: each takes tens of microseconds more, "
    "so that a device's cost in percent comes out too low"
)


def metric(expression: str) -> re.Pattern[str]:
    """Return the regular expression, whose only group is the number.

    Errors: UsageError unless it is a regular expression with exactly one group.
    """
    try:
        pattern = re.compile(expression, re.MULTILINE)
    except re.error as error:
        raise UsageError(f"--metric: {expression!r} is no regular expression: {error}") from error
    if pattern.groups != 1:
        raise UsageError(
            f"--metric: {expression!r} has {pattern.groups} groups, want one around the "
            "number, such as 'transactions: +([0-9.]+)'; (?:...) groups without counting"
        )
    return pattern


def number(expression: str, output: str) -> float:
    """Return the number of the last match, without its thousands separators.

    Errors: as `metric`; WaltaxError when nothing matches, or when it is no number above zero:
    others have no ratios.
    """
    matches = list(metric(expression).finditer(output))
    if not matches:
        raise WaltaxError(
            f"--metric: {expression!r} matches nothing in the command's output, "
            f"which ends: {proc.last_words(output) or '(it printed nothing)'}"
        )
    text = matches[-1].group(1) or ""
    with contextlib.suppress(ValueError):
        value = float(text.replace(",", ""))
        if math.isfinite(value) and value > 0:
            return value
    raise WaltaxError(f"--metric: {expression!r} found {text!r}, want a number above zero")


def require(campaign: Campaign) -> None:
    """Raise UsageError for an invalid metric, and for data that are no folder."""
    command = _command(campaign)
    if command.metric:
        metric(command.metric)
    if command.data and not Path(command.data).is_dir():
        raise UsageError(f"--data: {command.data}: there is no such folder")


def prepare(campaign: Campaign, say: Say) -> dict[str, Path | None]:
    """Watch one run: it must succeed, and sync the files that its user calls its log.

    Errors: UsageError for a log that it does not have, and as `watch.watch`.
    """
    command, kept = _command(campaign), campaign.folders.kept
    seen = watch.watch(command, campaign.data_root, kept)
    seen.require_log(command.log)
    if command.metric:
        number(command.metric, seen.output)
    if seen.is_supervised:
        (kept / _SUPERVISED).touch()
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
    data_mib = size_mib(command.data)
    runs = command.rounds * command.sessions * len(campaign.cells)
    return Share(
        disk_mib=2 * data_mib,
        written_mib=data_mib * runs,
        emulated_mib=_LOG_MIB + data_mib * (not moved(command.log)),
        whole_runs=runs,
    )


def words(campaign: Campaign) -> str:
    """Say what is run, on which data."""
    command = _command(campaign)
    data = f"a copy of {command.data}" if command.data else "an empty folder"
    load = f", and {command.load!r} against it" if command.load else ""
    return f"{command.run!r} in {data}{load}; its log: {' '.join(command.log)}"


def _command(campaign: Campaign) -> Command:
    """Return the command. REQUIRES: a campaign of a command."""
    assert campaign.recipe.command is not None
    return campaign.recipe.command


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
    supervises = (kept / _SUPERVISED).exists()
    try:
        for place in (home, device):
            removal.tree(place)
            place.mkdir(mode=0o755, parents=True)
        model = waldir.model_of(setting.placement, setting.seed)
        yield ProgramCell(
            cell=setting.cell,
            placement=setting.placement,
            wal_dirs=(device,),
            seed=setting.seed,
            axes=setting.axes,
            ready={"event": "ready", "engine": {}, "warnings": [_SUPERVISOR] * supervises},
            command=command,
            tap=Tap.make(memory, model, setting.cell.tap_rung, supervises=supervises),
            home=home,
            kept=kept,
        )
    finally:
        removal.trees(memory, device, home)


@dataclass(kw_only=True)
class ProgramCell(Live):
    """A program that is run anew, in a fresh copy of its data, in each slice."""

    command: Command
    tap: Tap
    home: Path  # for the copies
    kept: Path  # for its outputs, by the numbers of slices

    @contextlib.contextmanager
    def begun(
        self, log: Path
    ) -> Iterator[tuple[Folder, TapPages, Callable[[], shell.Finished], int | None]]:
        """Have the command begin in a copy of its data, which is then removed.

        Yield that, its pages, and what `begun` of `run` yields, which keeps the outputs as `log`.
        """
        copies = self.home / "run", self.wal_dir / "run"
        try:
            placed = Folder.make(self.command, copies[0], self.tap.sockets, copies[1])
            pages = self.tap.begin()
            line, env = self.tap.around(self.command.of(self.cell), placed)
            with begun(self.command, line, env, placed, log) as (run, server):
                yield placed, pages, run, server
        finally:
            removal.trees(*copies)

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:  # noqa: ARG002
        """Run the command once, or the load against it, however long that takes.

        Errors: WaltaxError when it fails, takes too long, prints no number, or leaves something
        running.
        """
        name = f"{at.slice:04d}-{self.cell.device}-{self.cell.durability}"
        with self.begun(self.kept / name) as (placed, pages, run, server):
            pids = [process.pid for process in shell.tree(server)]
            places = {"data": placed.data, "wal": placed.log}
            tap, cpu = pages.snapshot(), shell.cpu_s(server)
            before = machine.sample(places, pids)
            done = run()
            during, so_far = machine.sample(places, pids).since(before), pages.snapshot()
            user_s, system_s = shell.cpu_s(server)
        self.slices += 1
        value, unit, seen = 1 / done.seconds, RUNS, so_far.minus(tap)
        if self.command.metric:
            value, unit = number(self.command.metric, done.output), UNIT
        event = {
            "event": "slice",
            "throughput": value,
            "throughput_unit": unit.name,
            "start_unix_s": done.start_unix_s,
            "warmup_s": 0.0,
            "measure_s": done.seconds,
            "cpu_user_s": done.cpu_user_s,
            "cpu_system_s": done.cpu_system_s,
            "counters": {"wal_bytes": seen.write_bytes},
            "requests": 1,
        }
        # Its files have other folders in each slice, and none afterwards.
        node = MeasuredNode(self.wal_dir, seen, replace(so_far, files=()), ())
        used = (user_s - cpu[0], system_s - cpu[1]) if self.command.serves else None
        return Measured(event, (node,), during, used)
