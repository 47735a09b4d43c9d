"""Data sets: loaded once per workload and scale, cloned for every cell of every session."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import proc
from ..driver.argv import load_argv
from ..errors import WaltaxError
from ..profiles import Profile, options_file
from .process import Driver
from .workloads import WORKLOADS

# Reopening a clone writes to these, so a link would change the original.
_IMMUTABLE = {".sst", ".blob"}
# Of the process that loaded: its lock, its info log, and its empty WAL.
_LEFT_BEHIND = ("LOCK", "LOG", "dataset.json")
LOAD_SEED = 1  # every campaign of a profile measures the same data


@dataclass(frozen=True)
class DataSet:
    """A loaded database directory, never opened again; cells open clones of it."""

    path: Path
    loaded: dict[str, Any]  # the driver's `loaded` event

    @property
    def bytes(self) -> int:
        return sum(file.stat().st_size for file in self.path.iterdir())


def key(profile: Profile, workload: str) -> str:
    """The data set's name: equal for equal data, whatever the profile is called."""
    load, rocksdb = profile.workload(workload).load, profile.rocksdb
    column_family = {**rocksdb.column_family, **profile.workload(workload).column_family}
    settings = [load, column_family, rocksdb.table]
    # Another RocksDB may write files that this one cannot read; it has another build.
    what = [settings, LOAD_SEED, proc.build_dir().name]
    digest = hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:10]
    size = load.get(WORKLOADS[workload].size, "default")
    return f"{workload}-{size}-{digest}"


def prepare(
    profile: Profile, workload: str, data_root: Path, say: Callable[[str], None]
) -> DataSet:
    """The workload's data set in this profile, loaded now unless it is there already.

    A load that was cut short is not there: it happens beside, and is renamed when done.
    """
    path = data_root / "sets" / key(profile, workload)
    if not (path / "dataset.json").exists():
        _load(profile, workload, path, say)
    return DataSet(path, json.loads((path / "dataset.json").read_text()))


def _load(profile: Profile, workload: str, path: Path, say: Callable[[str], None]) -> None:
    partial = path.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.rmtree(path, ignore_errors=True)
    partial.mkdir(parents=True)
    options = path.with_suffix(".options")
    options.write_text(options_file(profile, workload))
    argv = load_argv(
        proc.program(workload),
        partial,
        threads=os.cpu_count() or 1,
        seed=LOAD_SEED,
        parameters={**profile.workload(workload).load, "options_file": str(options)},
    )
    say(f"loading {path.name} ({profile.workload(workload).note})")
    loader = Driver("load", argv, log=path.with_suffix(".stderr"))
    words = WORKLOADS[workload]
    event = loader.wait_for(
        "loaded", on_progress=lambda e: say(f"loading {workload}: {words.progress(e)}")
    )
    loader.close()
    (partial / "dataset.json").write_text(json.dumps(event) + "\n")
    partial.rename(path)
    say(f"loaded {words.loaded(event)}")


def clone(data_set: DataSet, target: Path) -> None:
    """A copy at `target` that may be opened and changed.

    Immutable files become hard links, so that a clone of gigabytes takes less than a
    second. Errors: WaltaxError when the file system is full.
    """
    try:
        target.mkdir(parents=True)
        for file in data_set.path.iterdir():
            if file.name.startswith(_LEFT_BEHIND) or file.suffix == ".log":
                continue
            if file.suffix in _IMMUTABLE:
                os.link(file, target / file.name)
            else:
                shutil.copyfile(file, target / file.name)
    except OSError as error:
        raise WaltaxError(f"{target}: cannot clone {data_set.path.name}: {error}") from error
