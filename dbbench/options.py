"""A run's OPTIONS file: the profile's, with what waltax and a knob add.

With a file, db_bench takes RocksDB's settings from there alone: of its flags, it keeps those of
the load (sync, disable_wal, num, threads, seed, ...), of statistics and of the block cache. What
the file leaves out has RocksDB's default and not db_bench's, so that pipelined writes are off.

RocksDB writes what it made of them beside the data: it takes back in silence what its build lacks,
or what does not go together.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..errors import WaltaxError
from .knobs import Knob, Value

_SECTION = "[DBOptions]"
# RocksDB's defaults of all that a knob changes, the same in every release that is known.
_DEFAULTS: Mapping[str, Value] = {
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


def text(profile: str, wal_dir: Path | None, knob: Knob | None) -> str:
    """The text of a run's file, from that of the profile's. `wal_dir` None: beside the data.

    What a closing database flushes only because it has no log is left out: it would be counted
    as a part of the run, in the cells without a WAL alone.
    """
    added: dict[str, Value] = {"avoid_flush_during_shutdown": True}
    if wal_dir is not None:
        added["wal_dir"] = str(wal_dir)
    return _with(profile, added | dict(knob.options if knob else {}))


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


def _read(text: str) -> dict[str, Value]:
    """The section's options."""
    section = text.partition(f"{_SECTION}\n")[2].partition("\n[")[0]
    pairs = (line.partition("=") for line in section.splitlines() if "=" in line)
    return {name.strip(): value.strip() for name, _, value in pairs}


def _with(profile: str, added: Mapping[str, Value]) -> str:
    """Every line of the other sections stays; of this one, those that are not replaced."""
    lines: list[str] = []
    section = ""
    for line in profile.splitlines():
        section = line if line.startswith("[") else section
        if section == _SECTION and line.partition("=")[0].strip() in added:
            continue
        lines.append(line)
        if line == _SECTION:
            lines += [f"  {name}={_text(value)}" for name, value in added.items()]
    return "\n".join([*lines, ""])


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
