"""One run of the user's command as a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...cell import Cell
from ...devices.tap_page import TapCounters
from ...mariadb import binaries
from ...row import Row
from .. import machine, record
from ..campaign import Campaign
from ..engines import ENGINES, Engine
from ..record import Position
from ..served import Placed
from . import shell
from .counters import Counters

UNIT = "metric"


@dataclass(frozen=True)
class Seen:
    """A run as its witnesses tell it."""

    number: float
    command: shell.Finished
    counted: Counters  # by the server
    tap: TapCounters
    tap_so_far: TapCounters  # since the server's start
    machine: dict[str, float]
    server_cpu_s: tuple[float, float]  # user and system
    stray_log_files: tuple[Path, ...]


def accepted(
    campaign: Campaign,
    cell: Cell,
    at: Position,
    placed: Placed,
    seen: Seen,
    warnings: Sequence[str],
) -> Row:
    """The row of a run whose evidence was accepted; `warnings` are the run's own."""
    return {
        **record.identity(campaign, cell, at),
        "status": "ok",
        "failure": None,
        "throughput": seen.number,
        "throughput_unit": UNIT,
        "start_unix_s": seen.command.start_unix_s,
        "warmup_s": 0.0,
        "measure_s": round(seen.command.seconds, 6),
        **_witnesses(ENGINES[cell.engine], placed, seen),
        **seen.machine,
        **_cpu(seen),
        **_origin(campaign, cell, placed),
        "warnings": [*campaign.placements[cell.id].warnings, *warnings, *machine.warnings()],
    }


def failed(campaign: Campaign, cell: Cell, at: Position, failure: str) -> Row:
    """The row of a run that failed: what was known, and why."""
    return {
        **record.identity(campaign, cell, at),
        "status": "failed",
        "failure": failure,
        "throughput": None,
        "throughput_unit": UNIT,
        "warnings": [],
    }


def _witnesses(engine: Engine, placed: Placed, seen: Seen) -> Row:
    syncs = None if engine.wal_syncs is None else seen.counted.log[engine.wal_syncs]
    return {
        **seen.counted.log,
        "wal_bytes": seen.counted.log[engine.wal_bytes],
        "wal_syncs": syncs,
        "wal_dir": str(placed.wal_dir),
        "wal_files": [str(placed.wal_dir / file.name) for file in seen.tap.files if file.writes],
        **record.tap_columns(seen.tap),
    }


def _cpu(seen: Seen) -> Row:
    user, system = seen.server_cpu_s
    ours = seen.command.cpu_user_s + seen.command.cpu_system_s + user + system
    return {
        "cpu_user_s": seen.command.cpu_user_s,
        "cpu_system_s": seen.command.cpu_system_s,
        "cpu_server_user_s": round(user, 6),
        "cpu_server_system_s": round(system, 6),
        "cpu_foreign_s": round(max(0.0, seen.machine["machine_busy_cpu_s"] - ours), 3),
    }


def _origin(campaign: Campaign, cell: Cell, placed: Placed) -> Row:
    facts = dict(machine.provenance())
    versions = {
        "waltax": facts.pop("waltax_version"),
        "mariadb": binaries.find(cell.engine).version,
    }
    if cell.engine == "myrocks":
        versions["rocksdb"] = placed.server.engine_version()
    return {**facts, "versions": versions, "seed": campaign.recipe.seed}
