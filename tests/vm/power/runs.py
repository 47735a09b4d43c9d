"""The runs whose disk loses its power, and what must come of each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """TPC-C on embedded RocksDB in one mode of its log, on ext4 mounted with `mount`.

    `keeps` says that no state may lose anything, otherwise some must: a run that shall lose and
    does not shows that the method is blind. `agrees` says that the cutter knows all that counts;
    it knows no mount option.
    """

    name: str
    what: str
    durability: str
    mount: str
    keeps: bool
    agrees: bool


RUNS = (
    Run("sync", "synced log", "sync", "defaults", keeps=True, agrees=True),
    Run("flush", "flushed log", "flush", "defaults", keeps=False, agrees=True),
    Run("nobarrier", "synced log, no barriers", "sync", "barrier=0", keeps=False, agrees=False),
)
