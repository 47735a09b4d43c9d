"""RocksDB's OPTIONS file of a cell: the profile's settings, and what waltax and a knob add.

With such a file, db_bench takes RocksDB's settings from there alone: of its flags, it keeps those
of the load (sync, disable_wal, num, threads, seed, ...), of statistics and of the block cache. What
the file leaves out has RocksDB's default and not db_bench's, so that pipelined writes are off.

RocksDB writes what it made of them beside the data: it takes back in silence what its build lacks,
or what does not go together.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..cell import BASELINE
from ..engines.knobs import Knob
from ..errors import WaltaxError
from ..workload import Parameter
from .model import Profile

# The oldest release that waltax supports: a newer one reads it, and refuses
# what it does not know any more.
_VERSION = """[Version]
  rocksdb_version=7.8.0
  options_file_version=1.1
"""
_SECTION = "DBOptions"
# What writes without a log do not go together with, and why (DBImpl::WriteImpl, from 9.1 on).
_OF_A_LOG = {"recycle_log_file_num": "RocksDB recycles no file that is not written"}
# RocksDB's defaults of all that a knob changes, the same in every release that is known.
_DEFAULTS: Mapping[str, Parameter] = {
    "allow_fallocate": True,
    "enable_pipelined_write": False,
    "manual_wal_flush": False,
    "recycle_log_file_num": 0,
    "unordered_write": False,
    "use_fsync": False,
    "wal_bytes_per_sync": 0,
    "wal_compression": "kNoCompression",
    "wal_recovery_mode": "kPointInTimeRecovery",
}


def options_file(
    profile: Profile,
    workload: str,
    knob: Knob | None = None,
    added: Mapping[str, Parameter] | None = None,
    durability: str = "",
) -> str:
    """The text of a workload's OPTIONS file. Every column family takes the section "default".

    `added` are DBOptions of the cell's own. Of the profile's, those are left out that RocksDB does
    not have with the cell's `durability`.
    """
    rocksdb = profile.embedded
    unwanted = _unwanted(profile, durability)
    kept = {key: value for key, value in rocksdb.db.items() if key not in unwanted}
    db = {**kept, "max_total_wal_size": rocksdb.max_total_wal_mb << 20}
    db |= {**(added or {}), **(knob.options if knob else {})}
    column_family = {**rocksdb.column_family, **profile.workload(workload).column_family}
    return "\n".join(
        [
            _VERSION,
            _section(_SECTION, db),
            _section('CFOptions "default"', column_family),
            _section('TableOptions/BlockBasedTable "default"', rocksdb.table),
        ]
    )


def _unwanted(profile: Profile, durability: str) -> dict[str, str]:
    """The profile's options that RocksDB refuses without a log, and why."""
    if durability != BASELINE:
        return {}
    return {key: why for key, why in _OF_A_LOG.items() if profile.embedded.db.get(key, 0)}


def left_out(profile: Profile, durability: str) -> list[str]:
    """What a cell goes without, in words."""
    return [
        f"{key} = {profile.embedded.db[key]} of the profile is left out without a log: {why}"
        for key, why in _unwanted(profile, durability).items()
    ]


def _section(title: str, settings: Mapping[str, Parameter]) -> str:
    lines = [f"  {key}={_text(value)}" for key, value in settings.items()]
    return "\n".join([f"[{title}]", *lines, ""])


def _text(value: Parameter) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def require_kept(asked: Path, knob: Knob | None, db: Path) -> None:
    """Every option of the log is as the run's file and its knob say, in what the run has left.

    Errors: WaltaxError when RocksDB has changed one, or wrote none down.
    """
    written = max(db.glob("OPTIONS-*[0-9]"), default=None)
    if written is None:
        raise WaltaxError(f"{db}: RocksDB wrote no OPTIONS file: nothing proves the log's options")
    kept = _read(written.read_text())
    changed = dict(knob.options) if knob else {}
    wanted = dict(_DEFAULTS) | _read(asked.read_text()) | changed
    for option, default in (dict(_DEFAULTS) | changed).items():
        want, found = _text(wanted[option]), kept.get(option, "none")
        if isinstance(default, bool):
            want = {"0": "false", "1": "true"}.get(want, want)
        if found != want:
            raise WaltaxError(
                f"{option}: asked for {want}, but RocksDB made it {found}: this build or these "
                "options do not have it"
            )


def _read(text: str) -> dict[str, Parameter]:
    """The section's options."""
    section = text.partition(f"[{_SECTION}]\n")[2].partition("\n[")[0]
    pairs = (line.partition("=") for line in section.splitlines() if "=" in line)
    return {name.strip(): value.strip() for name, _, value in pairs}
