"""Prepare and bring up db_bench's cells: a whole run for each slice, nothing in between."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ....base.errors import UsageError, WaltaxError
from ....cell import Cell
from ....engines.knobs import knob
from ....profiles import Profile, options_file, trial
from ....workload import Parameter
from ....workloads.dbbench.argv import FILLS, READERS, Run, run_argv
from ....workloads.dbbench.workload import bench_of
from ...recipe.parts import Command
from .. import waldir
from ..campaign import Campaign
from ..cell_memory import WAL_OVERSHOOT
from ..life import Say, Share, workloads_of
from ..program import life as programs
from ..program.cell import calibrate
from ..setting import Setting
from . import data as data_sets
from . import program
from .cell import DB, LOG, BenchedCell
from .data import data

_OPERATIONS = "operations"  # in [dbbench.run]: how many every slice does
# What else it may have: db_bench drops a flag that is also an option of its OPTIONS file.
_FLAGS = (
    *("batch_size", "compression_ratio", "rate_limiter_bytes_per_sec", "read_random_exp_range"),
    *("reverse_iterator", "seek_nexts", "verify_checksum"),
)
# The most that a second of writing adds in keys and values, without a WAL on two cores.
_WRITTEN_MIB_PER_S = 150.0
# On disk at one time, over what is written: tables, and others that they are compacted into.
_TABLES = 1.5
# The mean over a campaign and its devices, measured with `quick` on two cores.
_FLUSHED_MIB_PER_S = 20.0
# Bytes flushed and compacted over bytes put, for a fixed number of operations. With `sweep-sizes`
# at 100,000 keys: 0.5 with fillseq, which compacts nothing, and up to 1.7 with fillrandom.
_WRITE_AMPLIFICATION = 2.0
_PROCESS_MIB = 50.0


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
        _require_heeded(profile, run.flags)
        try:
            db_bench = program.find().path
        except WaltaxError:  # it does not exist yet
            return
        if not cell.knob:  # an impossible one fails only its cell
            line = run_argv(db_bench, replace(run, seconds=1))
            trial.require(profile, cell.workload, line, _options(profile, cell, {}))


def _require_heeded(profile: Profile, flags: Mapping[str, Parameter]) -> None:
    """Raise UsageError for a flag that db_bench is not told, or that it would drop."""
    for flag in profile.embedded.flags:
        raise UsageError(
            f"{profile.path}: rocksdb.flags: {flag}: a flag of our drivers, which db_bench is not "
            "told; give it as an option under [rocksdb.db] or [rocksdb.column_family]"
        )
    for flag in flags:
        if flag not in _FLAGS:
            raise UsageError(
                f"{profile.path}: dbbench.run: {flag}: found what is none of {_OPERATIONS}, "
                f"{', '.join(_FLAGS)}; an option of RocksDB stands under [rocksdb.db], "
                "[rocksdb.table] or [rocksdb.column_family]"
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


def share(campaign: Campaign) -> Share:
    """Return the share of all benchmarks together: one run is alive at a time."""
    profile, cells, embedded = campaign.profile, campaign.cells, campaign.profile.embedded
    timing, operations = profile.timing, profile.workload(cells[0].workload).run.get(_OPERATIONS)
    sets, put = dict[str, float](), dict.fromkeys(cells, 0.0)
    for cell in cells:
        what, bench = data(profile, cell.workload, cell.size), bench_of(cell.workload)
        if bench not in FILLS:
            sets[what.named] = what.raw_mib
        if bench not in READERS:  # so many operations, or as much as fits into a run's time
            in_time = _WRITTEN_MIB_PER_S * (timing.measure_s + 1)
            pairs_mib = int(operations or 0) * what.size.pair_bytes / 2**20
            put[cell] = in_time if operations is None else pairs_mib
    loaded_mib = sum(sets.values())
    # An interval needs its sessions, whatever the budget is, which the cells of a workload share.
    at_least, kinds_of_work = timing.min_sessions * timing.rounds_per_session, workloads_of(cells)
    in_budget = timing.time_budget_s / timing.measure_s * len(kinds_of_work) / len(cells)
    runs = max(at_least, in_budget)
    kinds = {cell: campaign.placements[cell.id].kind for cell in cells}
    logged = [put[cell] for cell in cells if kinds[cell] == "real"]
    written_mib = runs * (_WRITE_AMPLIFICATION * sum(put.values()) + sum(logged))
    if operations is None:
        written_mib = _FLUSHED_MIB_PER_S * timing.time_budget_s * len(kinds_of_work)
    # A log has headers, and is preallocated beyond its end.
    wal_mib = min(embedded.max_total_wal_mb * WAL_OVERSHOOT, 1.5 * max(put.values()) + 16)
    return Share(
        disk_mib=loaded_mib + _TABLES * max(put.values()) + wal_mib * bool(logged),
        written_mib=loaded_mib + written_mib,
        emulated_mib=wal_mib * ("emulated" in kinds.values()),
        processes_mib=embedded.block_cache_mb + embedded.max_total_wal_mb + _PROCESS_MIB,
        whole_runs=0 if operations is None else at_least * len(cells),
    )


@contextlib.contextmanager
def bring_up(setting: Setting) -> Iterator[BenchedCell]:
    """Yield the cell; nothing runs yet. Folders and processes are gone at the end in any case."""
    cell, kept = setting.cell, setting.folders.kept / "dbbench"
    with programs.rooms(setting, waldir.root(setting)) as placed_in:
        kept.mkdir(parents=True, exist_ok=True)
        placed, db_bench = placed_in["home"] / "run" / "data", program.find()
        wal_dir = placed_in["device"] / "run" / LOG
        options_path = kept / f"{cell.id}.options"
        options_path.write_text(_options(setting.profile, cell, {"wal_dir": str(wal_dir)}))
        run = _run(setting.profile, cell, placed / DB, options_path, setting.seed)
        live = BenchedCell(
            **placed_in,
            argv=run_argv(db_bench.path, replace(run, operations=1)),
            ready={
                "event": "ready",
                "engine": {"rocksdb_version": db_bench.version},
                "workload": {},
                "data_bytes": None,  # a slice begins anew: nothing grows from one to the next
                "generator_cpu_us_per_op": None,
                "warnings": [],
            },
            command=Command("", "", "", 0.0, rounds=1, sessions=1, log=(f"{LOG}/*",)),
            expression=None,
            kept=kept,
            setting=setting,
            db_bench=db_bench.path,
            run=run,
            env=setting.place(setting.folders.memory),
        )
        calibrate(live)
        yield live


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
