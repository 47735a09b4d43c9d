"""Data sets: loaded once per workload and scale, cloned for every cell of every session."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from .. import proc
from ..driver.argv import Parameters, check_argv, load_argv
from ..errors import WaltaxError
from ..profiles import Profile, options_file
from .process import Driver
from .workloads import WORKLOADS

# Reopening a clone writes to these, so a link would change the original.
_IMMUTABLE = {".sst", ".blob"}
# Of the process that loaded: its lock, its info log, and its empty WAL.
_LEFT_BEHIND = ("LOCK", "LOG", "dataset.json")
LOAD_SEED = 1  # every campaign of a profile measures the same data


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


def prepare(profile: Profile, workload: str, data_root: Path, say: Callable[[str], None]) -> Path:
    """The workload's data set in this profile, loaded now unless it is there already.

    A database directory that is never opened again: cells open clones of it. A load that was
    cut short, or whose data is not consistent, is not there: it happens beside, and is renamed
    when it was checked. Errors: WaltaxError naming a violation; then nothing is kept.
    """
    path = data_root / "sets" / key(profile, workload)
    if not (path / "dataset.json").exists():
        _load(profile, workload, path, say)
    return path


def _load(profile: Profile, workload: str, path: Path, say: Callable[[str], None]) -> None:
    partial = path.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.rmtree(path, ignore_errors=True)
    partial.mkdir(parents=True)
    options = path.with_suffix(".options")
    options.write_text(options_file(profile, workload))
    parameters = {**profile.workload(workload).load, "options_file": str(options)}
    threads = os.cpu_count() or 1
    argv = load_argv(
        proc.program(workload), partial, threads=threads, seed=LOAD_SEED, parameters=parameters
    )
    say(f"loading {path.name} ({profile.workload(workload).note})")
    loader = Driver("load", argv, log=path.with_suffix(".stderr"))
    words = WORKLOADS[workload]
    event = loader.wait_for(
        "loaded", on_progress=lambda e: say(f"loading {workload}: {words.progress(e)}")
    )
    loader.close()
    say(f"loaded {words.loaded(event)}; checking it")
    _check(partial, workload, threads, parameters)
    (partial / "dataset.json").write_text(json.dumps(event) + "\n")
    partial.rename(path)


def _check(partial: Path, workload: str, threads: int, parameters: Parameters) -> None:
    """Errors: WaltaxError naming what is not consistent; the data is gone then."""
    argv = check_argv(
        proc.program(workload), partial, partial, threads=threads, parameters=parameters
    )
    checker = Driver("check", argv, log=partial.with_suffix(".stderr"))
    event = checker.wait_for("check")
    checker.close()
    if not event["ok"]:
        shutil.rmtree(partial)
        found = "; ".join(event["violations"][:3])
        raise WaltaxError(f"{partial.stem}: the data that was loaded is not consistent: {found}")


def clone(data_set: Path, target: Path) -> None:
    """A copy at `target` that may be opened and changed.

    Immutable files become hard links, so that a clone of gigabytes takes less than a
    second. Errors: WaltaxError when the file system is full.
    """
    try:
        target.mkdir(parents=True)
        for file in data_set.iterdir():
            if file.name.startswith(_LEFT_BEHIND) or file.suffix == ".log":
                continue
            if file.suffix in _IMMUTABLE:
                os.link(file, target / file.name)
            else:
                shutil.copyfile(file, target / file.name)
    except OSError as error:
        raise WaltaxError(f"{target}: cannot clone {data_set.name}: {error}") from error
