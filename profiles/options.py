"""RocksDB's OPTIONS file of a cell: the profile's settings, and those of waltax and a knob.

RocksDB writes the resulting options beside the data: it silently drops options that its build lacks
or that conflict.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from .. import workloads
from ..base.errors import WaltaxError
from ..cell import BASELINE
from ..engines.knobs import Knob
from ..engines.rocksdb import SKIPPING
from ..workload import Parameter
from . import values
from .model import Profile

# The oldest release that waltax supports: newer ones read its files, and reject
# options that they no longer know.
_VERSION = """[Version]
  rocksdb_version=7.8.0
  options_file_version=1.1
"""
_SECTION, _FAMILY, _TABLE = "DBOptions", "CFOptions", "TableOptions/BlockBasedTable"
TABLES = {_SECTION: "db", _FAMILY: "column_family", _TABLE: "table"}
"""The kinds of sections in an OPTIONS file, and the tables of [rocksdb] that give their options."""
_WRITTEN = re.compile("k[A-Z].*|true|false")
# Options that conflict with writes without a log, and why (DBImpl::WriteImpl, since 9.1).
_OF_A_LOG = {"recycle_log_file_num": "RocksDB recycles no file that is not written"}
# How to keep options that RocksDB would drop.
_WAYS = {
    "recycle_log_file_num": "before release 9.1 it recycles only with "
    f'wal_recovery_mode = "{SKIPPING}" under [rocksdb.db]',
}
# Options that RocksDB accepts but does not write into an OPTIONS file.
_NOT_WRITTEN = {
    *("env", "listeners", "row_cache", "rate_limiter", "sst_file_manager", "wal_filter"),
    *("write_buffer_manager", "persistent_cache", "block_cache_compressed", "cf_paths"),
}
_ABSENT = "none"
# RocksDB's defaults for every option of a knob, the same in all known releases.
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
    """Return a workload's OPTIONS file. Every column family takes the section "default".

    `added` are the cell's own DBOptions. Options of the profile that RocksDB rejects with the
    cell's `durability` are left out.
    """
    sections: dict[str, dict[str, Parameter]] = {kind: {} for kind in TABLES}
    for (kind, option), (_, value) in _wanted(profile, workload, durability).items():
        sections[kind][option] = value
    sections[_SECTION] |= {**(added or {}), **(knob.options if knob else {})}
    return _file(sections)


def _file(sections: Mapping[str, Mapping[str, Parameter]]) -> str:
    """Return a file with sections of DBOptions, column family options and table options."""
    return "\n".join([_VERSION, *(_section(kind, sections.get(kind, {})) for kind in TABLES)])


def _unwanted(profile: Profile, durability: str) -> dict[str, str]:
    """Return the profile's options that RocksDB rejects without a log, and why."""
    if durability != BASELINE:
        return {}
    return {key: why for key, why in _OF_A_LOG.items() if profile.embedded.db.get(key, 0)}


def left_out(profile: Profile, durability: str) -> list[str]:
    """Return a sentence for each option of the profile that a cell leaves out."""
    return [
        f"{key} = {profile.embedded.db[key]} of the profile is left out without a log: {why}"
        for key, why in _unwanted(profile, durability).items()
    ]


def _section(kind: str, settings: Mapping[str, Parameter]) -> str:
    title = kind if kind == _SECTION else f'{kind} "default"'
    lines = [f"  {key}={_text(value)}" for key, value in settings.items()]
    return "\n".join([f"[{title}]", *lines, ""])


def _text(value: Parameter) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def written_options(db: Path) -> str:
    """Return the OPTIONS file that RocksDB wrote in `db`. Errors: WaltaxError without one."""
    written = max(db.glob("OPTIONS-*[0-9]"), default=None)
    if written is None:
        raise WaltaxError(f"{db}: RocksDB wrote no OPTIONS file: nothing proves the log's options")
    return written.read_text()


def require_kept(
    profile: Profile, workload: str, text: str, knob: Knob | None = None, durability: str = ""
) -> None:
    """Check that `text`, which RocksDB wrote, has the options of the profile and the cell's knob.

    All other options of the log must have their defaults. Errors: WaltaxError with file, section
    and key of an option that RocksDB changed.
    """
    kept = read(text)
    wanted = {(_SECTION, option): ("", value) for option, value in _DEFAULTS.items()}
    wanted |= _wanted(profile, workload, durability)
    knobs = knob.options if knob else {}
    wanted |= {(_SECTION, key): ("", value) for key, value in knobs.items()}
    tables = {kind for kind, _ in kept}
    for (kind, option), (place, value) in wanted.items():
        if option in _NOT_WRITTEN or kind not in tables:
            continue
        for made in kept.get((kind, option), [_ABSENT]):
            if made == _ABSENT or not _holds(option, _text(value), made):
                way = _WAYS.get(option, "leave it out, or give what RocksDB makes of it")
                raise WaltaxError(
                    f"{place}{option}: asked for {_text(value)}, but RocksDB made it {made}: {way}"
                )


def _wanted(
    profile: Profile, workload: str, durability: str
) -> dict[tuple[str, str], tuple[str, Parameter]]:
    """Return the profile's place and value by option, and by kind of section in OPTIONS files."""
    rocksdb, of = profile.embedded, workloads.of(workload).sized_by
    db = {key: rocksdb.db[key] for key in rocksdb.db.keys() - _unwanted(profile, durability)}
    limit = {"max_total_wal_size": rocksdb.max_total_wal_mb << 20}
    families = profile.workload(workload).column_family
    return {
        (kind, option): (f"{profile.path}: {section}: ", value)
        for kind, section, options in (
            (_SECTION, "rocksdb.db", db),
            (_SECTION, "rocksdb.max_total_wal_mb", limit),
            (_FAMILY, "rocksdb.column_family", rocksdb.column_family),
            (_FAMILY, f"{of}.column_family", families),
            (_TABLE, "rocksdb.table", rocksdb.table),
        )
        for option, value in options.items()
    }


def _holds(option: str, value: str, actual: str) -> bool:
    """Return whether an option has its value; only enumerations and switches keep their words."""
    if value[:1].isalpha() and not _WRITTEN.fullmatch(value):
        return True
    return values.holds(value, actual, exactly=option in _DEFAULTS or value[:1] == "k")


def read(text: str) -> dict[tuple[str, str], list[str]]:
    """Return every option's values by kind of section, one for each column family."""
    values_by_option: dict[tuple[str, str], list[str]] = {}
    kind = ""
    for line in text.splitlines():
        if line.startswith("["):
            kind = line.strip("[]").partition(" ")[0]
        elif "=" in line:
            option, _, value = line.partition("=")
            values_by_option.setdefault((kind, option.strip()), []).append(value.strip())
    return values_by_option
