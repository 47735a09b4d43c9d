"""RocksDB's recovery modes: which damaged logs each opens, and what each loses.

The mode is set only to open a state, which was written in the usual mode.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ...driver.client import Event
from ..cutter import state
from ..cutter.state import Cut
from ..runs import states
from ..runs.recording import Recording
from ..runs.states import Outcome

Check = Callable[[Path, Path, Path], Event]

MODES = (
    "kTolerateCorruptedTailRecords",
    "kAbsoluteConsistency",
    "kPointInTimeRecovery",
    "kSkipAnyCorruptedRecords",
)
"""The index of a mode is its value in MyRocks' rocksdb_wal_recovery_mode."""


@dataclass(frozen=True)
class Damage:
    """How a log was damaged: by the strategy of a cut, and whether a byte is changed after it."""

    strategy: str
    changes: bool
    help: str


DAMAGES: dict[str, Damage] = {
    "killed": Damage("kill", False, "only the process died: all that it wrote is there"),
    "torn": Damage("prefix", False, "the power failed: of what was unsynced the first bytes are"),
    "sectors": Damage("sectors", False, "the power failed: any sectors of the unsynced are"),
    "changed": Damage("kill", True, "as killed, but a byte in the middle of the log is another"),
}


@dataclass(frozen=True)
class Tried:
    """A state that was opened in one mode."""

    damage: str
    mode: str
    outcome: Outcome


def tried(
    recording: Recording, checks: Mapping[str, Check], cuts: int, folder: Path, seed: int
) -> Iterator[Tried]:
    """Yield each damage at `cuts` moments of a run, opened once in each mode by its check.

    Each opening writes its state to `folder`, and removes it.
    """
    for moment in state.moments(recording.log, cuts, seed):
        for name, damage in DAMAGES.items():
            cut = Cut(moment, damage.strategy, seed=seed)
            for mode, check in checks.items():
                looked = replace(recording, check=_changing(check) if damage.changes else check)
                yield Tried(name, mode, states.outcome(looked, cut, folder))


def _changing(check: Check) -> Check:
    def changed(db: Path, wal: Path, acks: Path) -> Event:
        change_a_byte(wal)
        return check(db, wal, acks)

    return changed


def change_a_byte(wal: Path) -> None:
    """Change the byte in the middle of the longest file of the log in the folder `wal`."""
    longest = max(wal.glob("*.log"), key=lambda path: path.stat().st_size)
    content = bytearray(longest.read_bytes())
    content[len(content) // 2] ^= 0xFF
    longest.write_bytes(content)
