"""What a power cut leaves of a run that was recorded until its log was long enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ...driver.client import Driver
from ..cutter.state import Cut
from ..runs import states
from ..runs.recording import Data, Recording, Run
from .crashed import CUT, MODES, Crashed, Work

_STRATEGY = "prefix"
"""Of what was unsynced the first bytes are there, the last sector torn."""


def run(work: Work, until: Callable[[Driver, Path], None], threads: int, seed: int) -> Run:
    """What to record of such work, until `until(driver, wal)` says that its log is long enough."""
    data = Data(work.workload, work.load)
    return Run(MODES[CUT], 0.0, threads, seed, work.run, data, until)


def left(recording: Recording, folder: Path, seed: int, names: Sequence[str]) -> Crashed:
    """The disk just after the last acknowledgement, in `folder`, which is made.

    Files of the log are called as `names`, shell patterns, say.
    """
    moment = max(call.end for call in recording.log.acks if call.end is not None)
    folder.mkdir()
    states.keep(recording, Cut(moment, _STRATEGY, seed=seed), folder)
    db, wal, acks = (folder / name for name in states.PARTS)
    files = [path for name in names for path in wal.glob(name)]
    return Crashed(db, wal, acks, sum(path.stat().st_size for path in files), len(files))
