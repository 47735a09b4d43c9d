"""What a user asked for, before it is looked at on a machine."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from ..builds.named import Named
from ..harness.cutting import Cutting
from ..harness.memory import Bound
from ..harness.setting import Command, Endpoint


@dataclass(frozen=True)
class Recipe:
    """What a user asked for; enough to plan the same campaign again."""

    engine: str
    workloads: tuple[str, ...]  # none: all that the profile sizes
    profile: str
    devices: tuple[str, ...]
    durability: str | None = None  # None: what `cell.plan` measures then
    beside: tuple[str, ...] = ()  # durabilities measured beside it, without knobs
    threads: tuple[int, ...] = ()  # none: what the profile says
    sizes: tuple[str, ...] = ()  # of db_bench's keys and values; none: the profile's
    shards: tuple[str, ...] = ()  # how the store is cut; none: as an engine of one store is
    knobs: tuple[str, ...] = ()  # of embedded RocksDB: a cell more for each
    ladder: bool = False  # the rungs of `cell.ladder` in place of all that
    twin: bool = False  # whether a baseline of each workload is measured twice
    wal_dir: str | None = None
    allow_mismatch: bool = False
    read_latency_us: int = 0  # that a read of data takes at least, in every cell; 0: as it does
    cpu_counters: bool = False  # whether the CPU's counters are read of each slice
    seed: int = field(default_factory=lambda: secrets.randbelow(2**31))
    kind: str = "run"  # the study that planned it, goes on with it, and reports it
    builds: tuple[Named, ...] = ()  # of the engine; none: the usual one, without a name
    command: Command | None = None
    binlog: str | None = None  # the device of servers' second log, or "same"; None: none
    cutting: Cutting | None = None  # what is lost in each cell, too
    bound: Bound | None = None  # on the memory of each cell
    before: str | None = None  # commands of a shell around each session: see `around`
    after: str | None = None
    endpoints: tuple[Endpoint, ...] = ()  # servers of their owners', in place of devices
