"""The room that db_bench's cells take: its runs come one after the other, and leave nothing."""

from __future__ import annotations

from ...cell import Cell, bench_of
from ...dbbench.argv import FILLS, READERS
from ..campaign import Campaign
from ..share import Share
from .data import data

# Keys and values that a second of writing adds at most, without a WAL on two cores.
_WRITTEN_MIB_PER_S = 150.0
# Of what is written, on disk at one time: tables, and others that they are compacted into.
_TABLES = 1.5
# Over a campaign, measured with `quick` on two cores: the mean over the devices.
_FLUSHED_MIB_PER_S = 20.0
# RocksDB deletes a WAL only when all its memtables are flushed.
_WAL_OVERSHOOT = 1.5
_PROCESS_MIB = 50.0


def shares(campaign: Campaign) -> list[Share]:
    """The part of all benchmarks together, or none: one run is alive at a time."""
    cells = [cell for cell in campaign.cells if bench_of(cell.workload) is not None]
    if not cells:
        return []
    timing, embedded = campaign.profile.timing, campaign.profile.embedded
    loaded_mib = _loaded_mib(campaign, cells)
    of_a_run = [_written_mib(campaign, cell) for cell in cells]
    runs = timing.time_budget_s * len({cell.workload for cell in cells}) / timing.measure_s
    of_most_runs = [min(mib, _FLUSHED_MIB_PER_S * timing.measure_s) for mib in of_a_run]
    kinds = {campaign.placements[cell.id].kind for cell in cells}
    wal_mib = min(embedded.max_total_wal_mb * _WAL_OVERSHOOT, _wal_mib(max(of_a_run)))
    return [
        Share(
            disk_mib=loaded_mib + _TABLES * max(of_a_run) + wal_mib * ("real" in kinds),
            written_mib=loaded_mib + runs / len(cells) * sum(of_most_runs),
            emulated_mib=wal_mib * ("emulated" in kinds),
            processes_mib=embedded.block_cache_mb + embedded.max_total_wal_mb + _PROCESS_MIB,
        )
    ]


def _wal_mib(written_mib: float) -> float:
    """The log has headers, and is preallocated beyond its end."""
    return 1.5 * written_mib + 16


def _loaded_mib(campaign: Campaign, cells: list[Cell]) -> float:
    """Of every data set once, whatever runs on it."""
    wanted = [
        data(campaign.profile, cell.workload, cell.size)
        for cell in cells
        if bench_of(cell.workload) not in FILLS
    ]
    return sum(one.raw_mib for i, one in enumerate(wanted) if one not in wanted[:i])


def _written_mib(campaign: Campaign, cell: Cell) -> float:
    """By one run: so many operations, or what fits into its time."""
    bench, profile = bench_of(cell.workload), campaign.profile
    if bench in READERS:
        return 0.0
    operations = profile.workload(cell.workload).run.get("operations")
    if operations is None:
        return _WRITTEN_MIB_PER_S * (profile.timing.measure_s + 1)
    pair_bytes = data(profile, cell.workload, cell.size).size.pair_bytes
    return float(operations) * pair_bytes / 2**20
