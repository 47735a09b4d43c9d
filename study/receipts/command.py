"""`waltax receipts`: what each mode of the log loses to a kill, and to a power cut."""

from __future__ import annotations

import json
import random
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...engines import ENGINES
from ...errors import UsageError, WaltaxError
from ...owned import places
from ...terminal import say
from .. import options
from . import words

if TYPE_CHECKING:
    from rich.console import Console

    from ...devices.resolve import Placement
    from ...profiles import Profile
    from ...receipts.runs.receipt import Receipt
    from ...receipts.runs.recording import Recording, Run
    from ...receipts.runs.states import Outcome

_ENGINE, _WORKLOAD = "rocksdb", "tpcc"
_MODELS = ("journal", "strict")
_WRITTEN = "receipts.json"
_BROKEN = "broken"
"""In a campaign's folder: the first state of a synced log that lost something."""


@dataclass(frozen=True)
class _Asked:
    """What is to be recorded and cut: see the options."""

    profile: Profile
    placement: Placement
    modes: tuple[str, ...]
    cuts: int
    states: int
    names: str
    seconds: float
    seed: int
    data_root: Path
    folder: Path  # of the results
    console: Console


@click.command()
@click.option("--device", default="nvme", show_default=True, help="Of the log, or a device file.")
@options.wal_dir("A directory on the real device.")
@options.profile("ci", "Size of the data, and how the engine is set.")
@options.engine((_ENGINE,), "The embedded one.", _ENGINE)
@options.one_workload((_WORKLOAD,), _WORKLOAD)
@options.durability("One mode. Default: each of the engine's.", ENGINES[_ENGINE].modes)
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

    TPC-C on embedded RocksDB is recorded once in each mode, and then cut at random moments: what a
    disk may hold then is opened by RocksDB and checked. Exits with 1 when a synced log loses
    anything; the state is kept.
    """
    from ... import devices, profiles
    from ...devices.resolve import resolve
    from ...owned.machine import only_campaign
    from ...runners import campaign
    from ...terminal import Terminal

    placement = resolve(devices.load(device, wal_dir), data_dir=data_dir.absolute())
    if placement.kind == "off":
        raise UsageError(f"--device: found {device!r}, which writes no log; type --wal off")
    asked = _Asked(
        profile=profiles.load(profile, engine),
        placement=placement,
        modes=(durability,) if durability else ENGINES[engine].modes,
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
        f"{_WORKLOAD} on {_ENGINE}, log on {placement.device.name}; seed {asked.seed}",
    )
    with only_campaign("receipts", share=share_machine) as notes:
        say(asked.console, *(f"warning: {note}" for note in notes))
        with places.results(asked.folder, (asked.folder / _WRITTEN).exists):
            _measure(asked)


def _measure(asked: _Asked) -> None:
    """Errors: WaltaxError when a synced log lost something."""
    from ...analysis import publish
    from ...driver.cells import loading

    data = loading.prepare(
        asked.profile, _WORKLOAD, asked.data_root, lambda text: say(asked.console, text)
    )
    found: list[Receipt] = []
    broken: str | None = None
    for mode in asked.modes:
        with _folders(asked) as (work, logs):
            recording = _recorded(asked, mode, data, work, logs)
            outcomes = list(_outcomes(asked, recording, work))
            found += _receipts(asked, mode, outcomes)
            if mode == "sync" and broken is None:
                broken = _kept_if_broken(asked, recording, outcomes)
    publish(words.report(found, asked.folder), asked.console, formats=("terminal", "json"))
    if broken is not None:
        raise WaltaxError(broken)


@contextmanager
def _folders(asked: _Asked) -> Iterator[tuple[Path, Path]]:
    """One for data, and one for the log on its device."""
    root = asked.placement.wal_root
    assert root is not None
    with places.borrowed(
        asked.data_root / "work", f"{asked.folder.name}-", "work", flag="--data-dir"
    ) as work:
        kind = "memory" if asked.placement.emulated else "wal"
        with places.borrowed(root, f"waltax-{asked.folder.name}-", kind, flag="--wal-dir") as logs:
            yield work, logs


def _recorded(asked: _Asked, mode: str, data: Path, work: Path, logs: Path) -> Recording:
    from ...devices import tap_page
    from ...devices.tap_preload import tap_environment
    from ...harness import waldir
    from ...receipts.runs import embedded

    wal, page = logs / "wal", logs / "page"
    wal.mkdir()
    tap_page.create(page).close()
    model = waldir.model_file(page, asked.placement, asked.seed)
    run = replace(_run(asked, work), durability=mode)
    room = work / "run"
    room.mkdir()
    recording = embedded.record(data, room, run, wal=wal, behind=tap_environment(wal, page, model))
    acknowledged = len(recording.log.acks)
    say(asked.console, f"{mode}: {acknowledged:,} New-Orders acknowledged in {run.seconds:g} s")
    return recording


def _run(asked: _Asked, work: Path) -> Run:
    from ...profiles import options_file
    from ...receipts.runs.recording import Run

    told = work / "rocksdb.options"
    told.write_text(options_file(asked.profile, _WORKLOAD))
    section, engine = asked.profile.workload(_WORKLOAD), asked.profile.embedded
    parameters = {**section.load, **section.run, **engine.flags}
    return Run(
        durability="",
        seconds=asked.seconds,
        threads=asked.profile.threads,
        seed=asked.seed,
        parameters={
            **parameters,
            "options_file": str(told),
            "block_cache_mb": engine.block_cache_mb,
        },
    )


def _outcomes(asked: _Asked, recording: Recording, work: Path) -> Iterator[Outcome]:
    from ...receipts.runs import receipt, states

    room = work / "state"
    room.mkdir()
    for cut in receipt.cuts(recording.log, asked.cuts, asked.states, asked.names, asked.seed):
        yield states.outcome(recording, cut, room)


def _receipts(asked: _Asked, mode: str, outcomes: Sequence[Outcome]) -> Iterator[Receipt]:
    from ...receipts.runs import receipt

    device = asked.placement.device.name
    yield from receipt.of(_ENGINE, _WORKLOAD, device, mode, outcomes)


def _kept_if_broken(asked: _Asked, recording: Recording, outcomes: Sequence[Outcome]) -> str | None:
    """Keep the first state that lost something, and say so; None when there is none."""
    from ...receipts.runs import embedded, states

    for one in outcomes:
        if one.lost or not one.consistent:
            room = asked.folder / _BROKEN
            room.mkdir()
            states.keep(recording, one.cut, room)
            again = shlex.join(embedded.check_line(*map(Path, states.PARTS)))
            (room / "cut.json").write_text(json.dumps(asdict(one), indent=1) + "\n")
            return (
                f"a synced log lost {one.lost:,} of {one.acknowledged:,} orders "
                f"({one.cut.strategy}, {one.problem}); see {room}, and type there: {again}"
            )
    return None
