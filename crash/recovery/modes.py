"""RocksDB's recovery modes: which damaged logs each opens, and what each loses.

The mode is set only to open a state, which was written in the usual mode.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from ...cell import Cell
from ...driver.client import Event
from ...profiles import Profile, options_file
from ..cutter import state
from ..cutter.state import Cut
from ..runs import engine as engines
from ..runs import recording, states
from ..runs.engine import Engine
from ..runs.recording import Recording

MODES = (
    "kTolerateCorruptedTailRecords",
    "kAbsoluteConsistency",
    "kPointInTimeRecovery",
    "kSkipAnyCorruptedRecords",
)
"""The index of a mode is its value in MyRocks' rocksdb_wal_recovery_mode."""
_CHANGED = "changed"  # as killed, but a byte in the middle of the log is another
DAMAGES = {"killed": "kill", "torn": "prefix", "sectors": "sectors", _CHANGED: "kill"}
"""How a log is damaged, and the strategy of the cut that does it."""


def rows(
    profile: Profile, cell: Cell, recorded: Recording, cuts: int, work: Path, seed: int
) -> Iterator[Mapping[str, object]]:
    """Yield a row for each damage at `cuts` moments of a run, and for each mode that opens it.

    Each opening writes its state to the folder state/ of `work`, and removes it.
    """
    opening = {mode: _in_mode(profile, cell.workload, mode, work) for mode in MODES}
    for moment in state.moments(recorded.log, cuts, seed):
        for damage, strategy in DAMAGES.items():
            for mode, engine in opening.items():
                check = partial(_check, engine, cell.durability, damage)
                cut = Cut(moment, strategy, seed=seed)
                outcome = states.outcome(replace(recorded, check=check), cut, work / "state")
                found = asdict(outcome)
                del found["cut"]
                yield {
                    **{"engine": cell.engine, "workload": cell.workload, "mode": mode},
                    **{"durability": cell.durability, "damage": damage, "moment": moment},
                    **{"seed": seed, **found},
                }


def _check(engine: Engine, durability: str, damage: str, db: Path, wal: Path, acks: Path) -> Event:
    if damage == _CHANGED:
        _change_a_byte(wal)
    return recording.check(engine, db, wal, acks, durability)


def _in_mode(profile: Profile, workload: str, mode: str, work: Path) -> Engine:
    """Return the engine that opens what it finds in this recovery mode."""
    engine = engines.of(profile, workload, work)
    if engine.on_server:
        changed = {"rocksdb_wal_recovery_mode": MODES.index(mode)}
        return replace(engine, settings={**engine.settings, **changed})
    options = work / f"{mode}.options"
    options.write_text(options_file(profile, workload, added={"wal_recovery_mode": mode}))
    return replace(engine, load={**engine.load, "options_file": str(options)})


def _change_a_byte(wal: Path) -> None:
    """Change the byte in the middle of the longest file of the log in the folder `wal`."""
    longest = max(wal.glob("*.log"), key=lambda path: path.stat().st_size)
    content = bytearray(longest.read_bytes())
    content[len(content) // 2] ^= 0xFF
    longest.write_bytes(content)
