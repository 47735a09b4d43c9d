"""Each mode is recorded, cut, and its states are checked: the receipts of `waltax receipts`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...analysis import publish
from ...devices import tap_page, tap_preload
from ...driver.cells import loading
from ...engines import ENGINES
from ...errors import WaltaxError
from ...harness import waldir
from ...owned import places
from ...profiles import options_file
from ...receipts.runs import embedded, receipt, served, states
from ...receipts.runs.recording import Run
from ...receipts.runs.served import Served
from ...terminal import say
from . import words

if TYPE_CHECKING:
    from rich.console import Console

    from ...devices.resolve import Placement
    from ...profiles import Profile
    from ...receipts.runs.receipt import Receipt
    from ...receipts.runs.recording import Recording
    from ...receipts.runs.states import Outcome

WRITTEN = "receipts.json"
_BROKEN = "broken"
"""In a campaign's folder: the first state of a synced log that lost something."""
_WORKLOAD = "tpcc"
_PASSABLE = 0o711  # for the servers' user


@dataclass(frozen=True)
class Asked:
    """What is to be recorded and cut: see the command's options."""

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

    @property
    def engine(self) -> str:
        return self.profile.engine


def measure(asked: Asked) -> None:
    """Print the receipts and write them. Errors: WaltaxError when a synced log lost something."""
    data = loading.prepare(
        asked.profile, _WORKLOAD, asked.data_root, lambda text: say(asked.console, text)
    )
    found: list[Receipt] = []
    broken: str | None = None
    device = asked.placement.device.name
    for mode in asked.modes:
        with _folders(asked) as (work, logs):
            recording = _recorded(asked, mode, data, work, logs)
            outcomes = list(_outcomes(asked, recording, work))
            found += receipt.of(asked.engine, _WORKLOAD, device, mode, outcomes)
            if mode == "sync" and asked.names == "journal":
                broken = _kept_if_broken(asked, recording, outcomes)
    publish(words.report(found, asked.folder), asked.console, formats=("terminal", "json"))
    if broken is not None:
        raise WaltaxError(broken)


@contextmanager
def _folders(asked: Asked) -> Iterator[tuple[Path, Path]]:
    """One for data, and one for the log on its device; a server's user may enter them."""
    root = asked.placement.wal_root
    assert root is not None
    name = asked.folder.name
    kind = "memory" if asked.placement.emulated else "wal"
    with (
        places.borrowed(
            asked.data_root / "work", f"{name}-", "work", flag="--data-dir", mode=_PASSABLE
        ) as work,
        places.borrowed(root, f"waltax-{name}-", kind, flag="--wal-dir", mode=_PASSABLE) as logs,
    ):
        yield work, logs


def _recorded(asked: Asked, mode: str, data: Path, work: Path, logs: Path) -> Recording:
    room, given = work / "run", logs / "given"
    room.mkdir()
    given.mkdir()
    run = _run(asked, mode, room)
    behind, wal = _tapped(asked, given, room), given / "wal"
    if ENGINES[asked.engine].on_server:
        recording = served.record(data, room, run, _served(asked), wal=wal, behind=behind)
    else:
        recording = embedded.record(data, room, run, wal=wal, behind=behind)
    acknowledged = len(recording.log.acks)
    say(asked.console, f"{mode}: {acknowledged:,} New-Orders acknowledged in {run.seconds:g} s")
    return recording


def _tapped(asked: Asked, given: Path, room: Path) -> dict[str, str]:
    """What preloads the tap, which makes the log's device what it is."""
    page, wal = given / "page", given / "wal"
    wal.mkdir()
    tap_page.create(page).close()
    model = waldir.model_file(page, asked.placement, asked.seed)
    library = tap_preload.library()
    if ENGINES[asked.engine].on_server:
        library = served.hand_over(given, library, room)
    return tap_preload.tap_environment(wal, page, model, library.parent)


def _run(asked: Asked, mode: str, room: Path) -> Run:
    section = asked.profile.workload(_WORKLOAD)
    parameters = {**section.load, **section.run}
    if not ENGINES[asked.engine].on_server:
        told, engine = room / "rocksdb.options", asked.profile.embedded
        told.write_text(options_file(asked.profile, _WORKLOAD))
        parameters |= {
            **engine.flags,
            "options_file": str(told),
            "block_cache_mb": engine.block_cache_mb,
        }
    return Run(mode, asked.seconds, asked.profile.threads, asked.seed, parameters)


def _served(asked: Asked) -> Served:
    load = asked.profile.workload(_WORKLOAD).load
    return Served(asked.engine, asked.profile.server_settings(_WORKLOAD), load)


def _outcomes(asked: Asked, recording: Recording, work: Path) -> Iterator[Outcome]:
    room = work / "state"
    room.mkdir()
    for cut in receipt.cuts(recording.log, asked.cuts, asked.states, asked.names, asked.seed):
        yield states.outcome(recording, cut, room)


def _kept_if_broken(asked: Asked, recording: Recording, outcomes: Sequence[Outcome]) -> str | None:
    """Keep the first state that lost something, and say so; None when there is none."""
    for one in outcomes:
        if one.lost or not one.consistent:
            room = asked.folder / _BROKEN
            room.mkdir()
            states.keep(recording, one.cut, room)
            (room / "cut.json").write_text(json.dumps(asdict(one), indent=1) + "\n")
            return (
                f"a synced log lost {one.lost:,} of {one.acknowledged:,} orders "
                f"({one.cut.strategy}, {one.problem}); see {room}{_again(asked.engine)}"
            )
    return None


def _again(engine: str) -> str:
    if ENGINES[engine].on_server:
        return ""
    return ", and type there: " + shlex.join(embedded.check_line(*map(Path, states.PARTS)))
