"""The profile of `waltax sweep-sizes` at another number of keys, under a name of its own."""

from __future__ import annotations

from pathlib import Path

from ... import profiles
from ...profiles import Profile
from ...profiles.model import Rocksdb, Section, Timing
from ...workload import Parameter
from ..scaled import toml
from . import shared

# What a small one must have all the same: RocksDB takes no smaller memtable, and a table has to
# hold a few blocks.
_MIN_BYTES = 64 << 10
SHRINKING = ("write_buffer_size", "target_file_size_base", "max_bytes_for_level_base")
_MIN_S = 0.001


def write(profile: Profile, keys: int, pair_bytes: int, folder: Path) -> Path:
    """The TOML of the profile at so many keys, in `folder`: --resume reads it by its path.

    `pair_bytes` is the largest key with its value, for plans.
    """
    found = at(profile, keys, pair_bytes)
    about = f"# Profile {profile.name} at {keys:,} keys.\n"
    text = about + toml(found.model_dump(exclude={"digest"}, exclude_none=True))
    path = shared.keep(found.name, text, folder)
    profiles.load(str(path), found.engine)
    return path


def at(profile: Profile, keys: int, pair_bytes: int) -> Profile:
    """As many keys, and operations a slice; memtables, levels, cache and time in proportion.

    REQUIRES: the profile sizes db_bench. Its digest is empty: that is a file's.
    """
    section = profile.sections["dbbench"]
    share = keys / int(section.load["num"])
    changes = {
        "name": f"{profile.name}-n{keys}",
        "title": f"{profile.title}, at {keys:,} keys",
        "timing": _timing(profile.timing, share),
        "rocksdb": _rocksdb(profile.embedded, share),
        "dbbench": _section(section, keys, pair_bytes),
        "digest": "",
    }
    return profile.model_copy(update=changes)


def _timing(timing: Timing, share: float) -> Timing:
    def part(seconds: float) -> float:
        return max(_MIN_S, round(seconds * share, 3))

    changes = {
        "measure_s": part(timing.measure_s),
        "time_budget_s": part(timing.time_budget_s),
    }
    return timing.model_copy(update=changes)


def _rocksdb(rocksdb: Rocksdb, share: float) -> Rocksdb:
    """So that a run has about as many flushes and compactions; never more than at full size."""
    share = min(share, 1.0)
    sizes: dict[str, Parameter] = {
        name: max(_MIN_BYTES, round(int(rocksdb.column_family[name]) * share)) for name in SHRINKING
    }
    changes = {
        "block_cache_mb": max(1, round(rocksdb.block_cache_mb * share)),
        "column_family": {**rocksdb.column_family, **sizes},
    }
    return rocksdb.model_copy(update=changes)


def _section(section: Section, keys: int, pair_bytes: int) -> Section:
    changes = {
        "data_mb": max(1, round(keys * pair_bytes / 2**20)),
        "load": {**section.load, "num": keys},
        "run": {**section.run, "operations": keys},
    }
    return section.model_copy(update=changes)
