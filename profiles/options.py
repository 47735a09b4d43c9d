"""RocksDB's OPTIONS file of a cell: the profile's settings, and what waltax and a knob add.

With such a file, db_bench takes RocksDB's settings from there alone: of its flags, it keeps those
of the load (sync, disable_wal, num, threads, seed, ...), of statistics and of the block cache. What
the file leaves out has RocksDB's default and not db_bench's, so that pipelined writes are off.

RocksDB writes what it made of them beside the data: it takes back in silence what its build lacks,
or what does not go together.
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

# The oldest release that waltax supports: a newer one reads it, and refuses
# what it does not know any more.
_VERSION = """[Version]
  rocksdb_version=7.8.0
  options_file_version=1.1
"""
_SECTION, _FAMILY, _TABLE = "DBOptions", "CFOptions", "TableOptions/BlockBasedTable"
TABLES = {_SECTION: "db", _FAMILY: "column_family", _TABLE: "table"}
"""The kinds of sections in an OPTIONS file, and the tables of [rocksdb] that give their options."""
_WRITTEN = re.compile("k[A-Z].*|true|false")
# What writes without a log do not go together with, and why (DBImpl::WriteImpl, from 9.1 on).
_OF_A_LOG = {"recycle_log_file_num": "RocksDB recycles no file that is not written"}
# Options that flags of our drivers set, where they are called otherwise.
_OF_A_FLAG = {"write_buffer_mb": "write_buffer_size", "compression": "bottommost_compression"}
# How to have what RocksDB takes back.
_WAYS = {
    "recycle_log_file_num": "before release 9.1 it recycles only with "
    f'wal_recovery_mode = "{SKIPPING}" under [rocksdb.db]',
}
# What RocksDB takes and writes into no OPTIONS file.
_NOT_WRITTEN = {
    *("env", "listeners", "row_cache", "rate_limiter", "sst_file_manager", "wal_filter"),
    *("write_buffer_manager", "persistent_cache", "block_cache_compressed", "cf_paths"),
}
_ABSENT = "none"
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
    told: dict[str, dict[str, Parameter]] = {kind: {} for kind in TABLES}
    for (kind, option), (_, value) in _asked(profile, workload, durability).items():
        told[kind][option] = value
    told[_SECTION] |= {**(added or {}), **(knob.options if knob else {})}
    return _file(told)


def of_one(kind: str, option: str) -> str:
    """The text of a file with one option, in that kind of section."""
    return _file({kind: {option: 0}})


def _file(sections: Mapping[str, Mapping[str, Parameter]]) -> str:
    """Of DBOptions, of every column family's options, and of those of its tables."""
    return "\n".join([_VERSION, *(_section(kind, sections.get(kind, {})) for kind in TABLES)])


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


def _section(kind: str, settings: Mapping[str, Parameter]) -> str:
    title = kind if kind == _SECTION else f'{kind} "default"'
    lines = [f"  {key}={_text(value)}" for key, value in settings.items()]
    return "\n".join([f"[{title}]", *lines, ""])


def _text(value: Parameter) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def written_options(db: Path) -> str:
    """The OPTIONS file that RocksDB wrote in `db`. Errors: WaltaxError where there is none."""
    written = max(db.glob("OPTIONS-*[0-9]"), default=None)
    if written is None:
        raise WaltaxError(f"{db}: RocksDB wrote no OPTIONS file: nothing proves the log's options")
    return written.read_text()


def require_kept(
    profile: Profile, workload: str, text: str, knob: Knob | None = None, durability: str = ""
) -> None:
    """RocksDB's own OPTIONS file, this text, has every option of the profile and of the cell's
    knob, and else the log's defaults.

    Errors: WaltaxError with file, section and key of one that RocksDB changed.
    """
    kept, left = read(text), by_flags(profile, workload)
    asked = {(_SECTION, option): ("", value) for option, value in _DEFAULTS.items()}
    asked |= _asked(profile, workload, durability)
    asked |= {(_SECTION, key): ("", value) for key, value in (knob.options if knob else {}).items()}
    tables = {kind for kind, _ in kept}
    for (kind, option), (place, value) in asked.items():
        if option in left or option in _NOT_WRITTEN or kind not in tables:
            continue
        for found in kept.get((kind, option), [_ABSENT]):
            if found == _ABSENT or not _holds(option, _text(value), found):
                way = _WAYS.get(option, "leave it out, or give what RocksDB makes of it")
                raise WaltaxError(
                    f"{place}{option}: asked for {_text(value)}, but RocksDB made it {found}: {way}"
                )


def _asked(
    profile: Profile, workload: str, durability: str
) -> dict[tuple[str, str], tuple[str, Parameter]]:
    """By kind of section in an OPTIONS file and option, the profile's place and value."""
    rocksdb, of = profile.embedded, workloads.of(workload).sized_by
    told = {key: rocksdb.db[key] for key in rocksdb.db.keys() - _unwanted(profile, durability)}
    limit = {"max_total_wal_size": rocksdb.max_total_wal_mb << 20}
    families = profile.workload(workload).column_family
    return {
        (kind, option): (f"{profile.path}: {section}: ", value)
        for kind, section, options in (
            (_SECTION, "rocksdb.db", told),
            (_SECTION, "rocksdb.max_total_wal_mb", limit),
            (_FAMILY, "rocksdb.column_family", rocksdb.column_family),
            (_FAMILY, f"{of}.column_family", families),
            (_TABLE, "rocksdb.table", rocksdb.table),
        )
        for option, value in options.items()
    }


def by_flags(profile: Profile, workload: str) -> set[str]:
    """The options that a flag of a driver says, whatever its OPTIONS file does."""
    section = profile.workload(workload)
    flags = {*section.load, *section.run, *profile.embedded.flags}
    named = {flag.replace("-", "_") for flag in flags}
    return named | {_OF_A_FLAG[flag] for flag in named & _OF_A_FLAG.keys()}


def _holds(option: str, value: str, found: str) -> bool:
    """Of words, only names of enumerations and switches are written down as they are read."""
    if value[:1].isalpha() and not _WRITTEN.fullmatch(value):
        return True
    return values.holds(value, found, exactly=option in _DEFAULTS or value[:1] == "k")


def read(text: str) -> dict[tuple[str, str], list[str]]:
    """The values of every option by kind of section, one for each column family."""
    found: dict[tuple[str, str], list[str]] = {}
    kind = ""
    for line in text.splitlines():
        if line.startswith("["):
            kind = line.strip("[]").partition(" ")[0]
        elif "=" in line:
            option, _, value = line.partition("=")
            found.setdefault((kind, option.strip()), []).append(value.strip())
    return found
