"""Plan the room that db_bench's cells take: runs follow each other, and leave nothing."""

from __future__ import annotations

from ....cell import Cell
from ....workloads.dbbench.argv import FILLS, READERS
from ....workloads.dbbench.workload import bench_of
from ..campaign import Campaign
from ..cell_memory import WAL_OVERSHOOT
from ..life import Share
from .data import data

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


def share(campaign: Campaign) -> Share:
    """Return the share of all benchmarks together: one run is alive at a time."""
    embedded = campaign.profile.embedded
    loaded_mib = _loaded_mib(campaign)
    of_a_run = max(_put_mib(campaign, cell) for cell in campaign.cells)
    kinds = {campaign.placements[cell.id].kind for cell in campaign.cells}
    wal_mib = min(embedded.max_total_wal_mb * WAL_OVERSHOOT, _wal_mib(of_a_run))
    written = [_runs(campaign, cell) * _written_mib(campaign, cell) for cell in campaign.cells]
    counted = sum(_operations(campaign, cell) is not None for cell in campaign.cells)
    return Share(
        disk_mib=loaded_mib + _TABLES * of_a_run + wal_mib * ("real" in kinds),
        written_mib=loaded_mib + sum(written),
        emulated_mib=wal_mib * ("emulated" in kinds),
        processes_mib=embedded.block_cache_mb + embedded.max_total_wal_mb + _PROCESS_MIB,
        whole_runs=counted * _runs_at_least(campaign),
    )


def _runs_at_least(campaign: Campaign) -> int:
    """Return the runs of each cell: an interval needs its sessions, whatever the budget is."""
    timing = campaign.profile.timing
    return timing.min_sessions * timing.rounds_per_session


def _runs(campaign: Campaign, cell: Cell) -> float:
    """Return the runs of a cell, which shares the budget with the others of its workload."""
    timing = campaign.profile.timing
    beside = sum(other.workload == cell.workload for other in campaign.cells)
    in_budget = timing.time_budget_s / timing.measure_s / beside
    return max(in_budget, _runs_at_least(campaign))


def _written_mib(campaign: Campaign, cell: Cell) -> float:
    """Return what one run writes to the data's disk: tables, and the log if it is there."""
    put_mib = _put_mib(campaign, cell)
    if _operations(campaign, cell) is None:
        return min(put_mib, _FLUSHED_MIB_PER_S * campaign.profile.timing.measure_s)
    log_mib = put_mib if _logs_beside_the_data(campaign, cell) else 0.0
    return _WRITE_AMPLIFICATION * put_mib + log_mib


def _logs_beside_the_data(campaign: Campaign, cell: Cell) -> bool:
    """Return whether the log is on the data directory's disk; the directory may not exist yet."""
    placement, root = campaign.placements[cell.id], campaign.data_root.absolute()
    wal_root = placement.wal_root
    there = next(path for path in (root, *root.parents) if path.exists())
    if wal_root is None:
        return placement.with_data
    return wal_root.stat().st_dev == there.stat().st_dev


def _wal_mib(written_mib: float) -> float:
    """Return the log's size: it has headers, and is preallocated beyond its end."""
    return 1.5 * written_mib + 16


def _loaded_mib(campaign: Campaign) -> float:
    """Return the size of all data sets, each counted once, whatever runs on it."""
    wanted = [
        data(campaign.profile, cell.workload, cell.size)
        for cell in campaign.cells
        if bench_of(cell.workload) not in FILLS
    ]
    return sum(what.raw_mib for i, what in enumerate(wanted) if what not in wanted[:i])


def _put_mib(campaign: Campaign, cell: Cell) -> float:
    """Return a run's keys and values: of its number of operations, or what fits into its time."""
    profile = campaign.profile
    if bench_of(cell.workload) in READERS:
        return 0.0
    operations = _operations(campaign, cell)
    if operations is None:
        return _WRITTEN_MIB_PER_S * (profile.timing.measure_s + 1)
    pair_bytes = data(profile, cell.workload, cell.size).size.pair_bytes
    return operations * pair_bytes / 2**20


def _operations(campaign: Campaign, cell: Cell) -> float | None:
    """Return the operations of every slice, however long they take; None: a slice has its time."""
    operations = campaign.profile.workload(cell.workload).run.get("operations")
    return None if operations is None else float(operations)
