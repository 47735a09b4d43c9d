"""Prepare and bring up db_bench's cells: a whole run for each slice, nothing in between."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ....base.errors import UsageError, WaltaxError
from ....base.folders import removal
from ....cell import Cell
from ....engines.knobs import knob
from ....profiles import Profile, options_file, trial
from ....workload import Parameter
from ....workloads.dbbench.argv import Run, run_argv
from ....workloads.dbbench.workload import bench_of
from .. import waldir
from ..campaign import Campaign
from ..life import Say, workloads_of
from ..setting import Setting
from . import data as data_sets
from . import program
from .cell import BenchedCell
from .data import data
from .room import share as share

TITLE = "db_bench"
_OPERATIONS = "operations"  # in [dbbench.run]: how many every slice does
# Beginnings of flags from which db_bench makes options of other names; "": it keeps the flag.
_OPTIONS = {
    **{"compression_type": "compression", "open_files": "max_open_files"},
    **{"subcompactions": "max_subcompactions", "file_opening_threads": "max_file_opening_threads"},
    **{"mmap_read": "allow_mmap_reads", "mmap_write": "allow_mmap_writes", "ttl_seconds": "ttl"},
    **{"memtablerep": "memtable_factory", "checksum_type": "checksum"},
    **{"memtable_bloom_size_ratio": "memtable_prefix_bloom_size_ratio"},
    **{"wal_ttl_seconds": "WAL_ttl_seconds", "wal_size_limit_MB": "WAL_size_limit_MB"},
    **dict.fromkeys(("partition_index", "use_hash_search"), "index_type"),
    **{"min_level_to_compress": "compression_per_level", "rate_limiter_bytes_per_sec": ""},
    **{"universal_": "compaction_options_universal", "fifo_": "compaction_options_fifo"},
    **dict.fromkeys([f"compression_{w}_" for w in ("max", "zstd", "parallel")], "compression_opts"),
    "compression_level": "compression_opts",
    **{"prefix_size": "prefix_extractor", "hash_bucket_count": "memtable_factory"},
}


def require(campaign: Campaign) -> None:
    """Raise UsageError for builds, for impossible sizes of keys and values, and for settings that
    db_bench refuses.
    """
    if campaign.builds:
        raise UsageError(
            f"--build: found {', '.join(campaign.builds)} with db_bench, a program of a RocksDB of "
            "its own; type --workload kv, which writes as it does"
        )
    for cell in campaign.cells:
        profile = campaign.profile_of(cell)
        data(profile, cell.workload, cell.size)
        run = _run(profile, cell, trial.NOWHERE, trial.OPTIONS, 0)
        try:
            db_bench = program.find().path
        except WaltaxError:  # it does not exist yet
            return
        if not cell.knob:  # an impossible one fails only its cell
            line = run_argv(db_bench, replace(run, seconds=1))
            trial.require(profile, cell.workload, line, _options(profile, cell, {}))
        _refuse_dropped(profile, db_bench, run.flags)


def _refuse_dropped(profile: Profile, program: Path, flags: Mapping[str, Parameter]) -> None:
    """Raise UsageError for a flag without effect, because an OPTIONS file overrides it."""
    line = [str(program), f"--db={trial.NOWHERE}", f"--options_file={trial.OPTIONS}"]
    for flag in profile.embedded.flags:
        raise UsageError(
            f"{profile.path}: rocksdb.flags: {flag}: a flag of our drivers, which db_bench is not "
            "told; give it as an option under [rocksdb.db] or [rocksdb.column_family]"
        )
    for flag in flags:
        plain = flag.replace("-", "_")
        for name in dict.fromkeys((plain, plain.removeprefix("no"))):  # `no` is gflags' false
            option = _OPTIONS.get(next(filter(name.startswith, _OPTIONS), ""), name)
            if option and (section := trial.section_of(line, option)):
                raise UsageError(
                    f"{profile.path}: dbbench.run: {flag}: db_bench drops this flag beside "
                    f"--options_file; give {option} under [rocksdb.{section}]"
                )


def prepare(campaign: Campaign, say: Say) -> dict[str, Path | None]:
    """Return the cells' data sets; None for a benchmark that begins with an empty database.

    Errors: WaltaxError, also when no known db_bench exists.
    """
    program.find()
    return {
        cell.id: data_sets.prepare(
            campaign.profile_of(cell), cell.workload, cell.size, campaign.data_root, say
        )
        for cell in campaign.cells
    }


def words(campaign: Campaign) -> str:
    """Say how many keys of which size there are, and how long a run is."""
    workload = campaign.cells[0].workload
    sizes = dict.fromkeys(cell.size for cell in campaign.cells)
    planned = [data(campaign.profile, workload, size) for size in sizes]
    keys = f"{planned[0].entries:,} keys"
    if len(planned) > 1:
        keys += f" of the sizes {', '.join(what.named for what in planned)}"
    else:
        size = planned[0].size
        keys += f" of {size.key_bytes} bytes with values of {size.value_bytes}"
    operations = campaign.profile.workload(workload).run.get(_OPERATIONS)
    each = "" if operations is None else f" of {int(operations):,} operations"
    return f"{keys}; a whole run of db_bench{each} for each slice"


def options(campaign: Campaign) -> dict[str, str]:
    """Return the profile's OPTIONS of each benchmark; a run's own are kept beside its output."""
    return {
        f"{campaign.recipe.engine}-{workload}.options": options_file(campaign.profile, workload)
        for workload in workloads_of(campaign.cells)
    }


@contextlib.contextmanager
def bring_up(setting: Setting) -> Iterator[BenchedCell]:
    """Yield the cell; nothing runs yet. Folders and processes are gone at the end in any case."""
    cell, home = setting.cell, setting.home
    kept = setting.folders.kept / "dbbench"
    removal.tree(home)
    wal_dir: Path | None = None
    try:
        home.mkdir(parents=True)
        kept.mkdir(parents=True, exist_ok=True)
        wal_dir = waldir.make(waldir.root(setting), cell.id)
        options_path = kept / f"{cell.id}.options"
        options_path.write_text(_options(setting.profile, cell, {"wal_dir": str(wal_dir)}))
        db_bench = program.find()
        run = _run(setting.profile, cell, home / "db", options_path, setting.seed)
        yield BenchedCell(
            cell=cell,
            placement=setting.placement,
            wal_dirs=(wal_dir,),
            seed=setting.seed,
            argv=run_argv(db_bench.path, replace(run, operations=1)),
            ready={
                "event": "ready",
                "engine": {"rocksdb_version": db_bench.version},
                "workload": {},
                "data_bytes": None,  # a slice begins anew: nothing grows from one to the next
                "generator_cpu_us_per_op": None,
                "warnings": [],
            },
            setting=setting,
            program=db_bench.path,
            run=run,
            kept=kept,
            env=setting.place(setting.folders.memory),
        )
    finally:
        removal.trees(wal_dir, home)


def _options(profile: Profile, cell: Cell, added: Mapping[str, Parameter]) -> str:
    added = {**data_sets.OPTIONS, **added}
    return options_file(profile, cell.workload, knob(cell.knob), added, cell.durability)


def _run(profile: Profile, cell: Cell, db: Path, options_path: Path, seed: int) -> Run:
    """Return what all slices of the cell have in common. Errors: UsageError."""
    what = data(profile, cell.workload, cell.size)
    flags = dict(profile.workload(cell.workload).run)
    operations = flags.pop(_OPERATIONS, None)
    if operations is not None and (not isinstance(operations, int) or operations < 1):
        raise UsageError(
            f"{profile.path}: dbbench.run: operations: found {operations!r}; a whole number above 0"
        )
    return Run(
        bench_of(cell.workload),
        db,
        options_path,
        what.size,
        what.entries,
        cell.threads,
        seed,
        profile.embedded.block_cache_mb,
        cell.durability,
        operations=operations,
        flags=flags,
    )
