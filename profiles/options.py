"""RocksDB's OPTIONS file of a cell: the profile's settings, and those of waltax and a knob.

RocksDB writes the resulting options beside the data: it silently drops options that its build lacks
or that conflict.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from configparser import ConfigParser
from pathlib import Path

from ..base.errors import WaltaxError
from ..cell import BASELINE
from ..engines.knobs import Knob
from ..workload import Parameter
from . import values
from .model import Profile, Settings

# The oldest release that waltax supports: newer ones read its files, and reject
# options that they no longer know.
_VERSION = """[Version]
  rocksdb_version=7.8.0
  options_file_version=1.1
"""
_DB = "DBOptions"
TABLES = {
    _DB: "db",
    'CFOptions "default"': "column_family",
    'TableOptions/BlockBasedTable "default"': "table",
}
"""The sections of an OPTIONS file, and the tables of [rocksdb] that give their options."""
_WRITTEN = re.compile("k[A-Z].*|true|false")
_RECYCLED = "recycle_log_file_num"
# RocksDB's defaults for every option of a knob, the same in all known releases.
_DEFAULTS: Mapping[str, Parameter] = {
    "allow_fallocate": True,
    "enable_pipelined_write": False,
    "manual_wal_flush": False,
    _RECYCLED: 0,
    "unordered_write": False,
    "use_fsync": False,
    "wal_bytes_per_sync": 0,
    "wal_compression": "kNoCompression",
    "wal_recovery_mode": "kPointInTimeRecovery",
}
_ABSENT = "none"


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
    sections: dict[str, dict[str, Parameter]] = {table: {} for table in TABLES.values()}
    for (table, option), (_, value) in _wanted(profile, workload, durability).items():
        sections[table][option] = value
    sections["db"] |= {**(added or {}), **(knob.options if knob else {})}
    parts = [_VERSION]
    for title, table in TABLES.items():
        lines = [f"  {key}={_text(value)}" for key, value in sections[table].items()]
        parts.append("\n".join([f"[{title}]", *lines, ""]))
    return "\n".join(parts)


def left_out(profile: Profile, durability: str) -> list[str]:
    """Return a sentence if a cell leaves out an option of the profile.

    Since release 9.1 RocksDB refuses writes without a log if it is to recycle logs.
    """
    number = profile.embedded.db.get(_RECYCLED, 0)
    if durability != BASELINE or not number:
        return []
    return [
        f"{_RECYCLED} = {number} of the profile is left out without a log: RocksDB recycles no "
        "file that is not written"
    ]


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
    wanted = {("db", option): ("", value) for option, value in _DEFAULTS.items()}
    wanted |= _wanted(profile, workload, durability)
    wanted |= {("db", key): ("", value) for key, value in (knob.options if knob else {}).items()}
    for title, kept in read(text).items():
        for (table, option), (place, value) in wanted.items():
            made = kept.get(option, _ABSENT)
            if table_of(title, any_family=True) != table or _holds(option, _text(value), made):
                continue
            raise WaltaxError(
                f"{place}{option}: asked for {_text(value)}, but RocksDB made it {made}: leave it "
                "out, or give what RocksDB makes of it"
            )


def _wanted(
    profile: Profile, workload: str, durability: str
) -> dict[tuple[str, str], tuple[str, Parameter]]:
    """Return the profile's place and value of each option, by its table in [rocksdb]."""
    limit: Settings = {"max_total_wal_size": profile.embedded.max_total_wal_mb << 20}
    tables = [*profile.tables(workload), ("rocksdb.max_total_wal_mb", limit)]
    wanted: dict[tuple[str, str], tuple[str, Parameter]] = {}
    for section, options in tables:
        table = "db" if options is limit else section.rpartition(".")[2]
        for option in options if table in TABLES.values() else ():
            wanted[table, option] = f"{profile.path}: {section}: ", options[option]
    if left_out(profile, durability):
        del wanted["db", _RECYCLED]
    return wanted


def _holds(option: str, value: str, actual: str) -> bool:
    """Return whether an option has its value; only enumerations and switches keep their words."""
    if actual == _ABSENT:
        return False
    if value[:1].isalpha() and not _WRITTEN.fullmatch(value):
        return True
    return values.holds(value, actual, exactly=option in _DEFAULTS or value[:1] == "k")


def table_of(title: str, *, any_family: bool = False) -> str:
    """Return the table of [rocksdb] that gives the options of a section, "" for none."""
    kind, _, family = title.partition(" ")
    return TABLES.get(f'{kind} "default"' if any_family and family else title, "")


def read(text: str) -> dict[str, dict[str, str]]:
    """Return the settings of an OPTIONS file or a my.cnf by section. Errors: configparser.Error."""
    parser = ConfigParser(
        delimiters=("=",),
        comment_prefixes=("#", ";", "!"),
        inline_comment_prefixes=("#",),
        strict=False,
        allow_no_value=True,
        interpolation=None,
    )
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return {
        title: {
            name: "true" if value is None else value.strip("'\"")
            for name, value in parser.items(title)
        }
        for title in parser.sections()
    }
