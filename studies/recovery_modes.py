"""Open what a power cut leaves in each of RocksDB's recovery modes: `--recovery-modes`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..crash.recovery import modes
from ..crash.runs import engine as engines
from ..crash.runs import recording
from ..profiles import options_file

if TYPE_CHECKING:
    from ..cell import Cell
    from ..crash.runs.engine import Engine
    from ..crash.runs.recording import Recording
    from ..driver.client import Event
    from ..profiles import Profile


def rows(
    profile: Profile, cell: Cell, recorded: Recording, cuts: int, work: Path, seed: int
) -> Iterator[Mapping[str, object]]:
    """Yield a row for each damage at each moment of a run, and for each mode that opens it."""
    checks = {
        mode: partial(_check, _in_mode(profile, cell.workload, mode, work), cell.durability)
        for mode in modes.MODES
    }
    for attempt in modes.tried(recorded, checks, cuts, work / "state", seed):
        outcome = asdict(attempt.outcome)
        yield {
            **{"engine": cell.engine, "workload": cell.workload, "durability": cell.durability},
            **{"damage": attempt.damage, "mode": attempt.mode},
            **{"moment": outcome.pop("cut")["moment"], "seed": seed, **outcome},
        }


def _check(engine: Engine, durability: str, db: Path, wal: Path, acks: Path) -> Event:
    return recording.check(engine, db, wal, acks, durability)


def _in_mode(profile: Profile, workload: str, mode: str, work: Path) -> Engine:
    """Return the engine that opens what it finds in this recovery mode."""
    engine = engines.of(profile, workload, work)
    if engine.on_server:
        changed = {"rocksdb_wal_recovery_mode": modes.MODES.index(mode)}
        return replace(engine, settings={**engine.settings, **changed})
    options = work / f"{mode}.options"
    added = {"wal_recovery_mode": mode}
    options.write_text(options_file(profile, workload, added=added))
    load = {**engine.data.load, "options_file": str(options)}
    return replace(engine, data=replace(engine.data, load=load))
