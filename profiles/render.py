"""A profile's RocksDB settings as the OPTIONS file that RocksDB itself reads."""

from __future__ import annotations

from .model import Parameter, Profile

# The oldest release that waltax supports: a newer one reads it, and refuses
# what it does not know any more.
_VERSION = """[Version]
  rocksdb_version=7.8.0
  options_file_version=1.1
"""


def options_file(profile: Profile, workload: str) -> str:
    """The text of a workload's OPTIONS file. Every column family takes the section "default"."""
    rocksdb = profile.embedded
    db = {**rocksdb.db, "max_total_wal_size": rocksdb.max_total_wal_mb << 20}
    column_family = {**rocksdb.column_family, **profile.workload(workload).column_family}
    return "\n".join(
        [
            _VERSION,
            _section("DBOptions", db),
            _section('CFOptions "default"', column_family),
            _section('TableOptions/BlockBasedTable "default"', rocksdb.table),
        ]
    )


def _section(title: str, settings: dict[str, Parameter]) -> str:
    lines = [f"  {key}={_text(value)}" for key, value in settings.items()]
    return "\n".join([f"[{title}]", *lines, ""])


def _text(value: Parameter) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
