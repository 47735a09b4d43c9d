"""Compare the syncs of a log with what the block devices below it saw.

Whoever preloads a library behind the tap, filters system calls or mounts something that forgets can
answer a sync that never happens, and both the engine and the tap count it. The kernel counts what a
device was asked to do.

Between the begin and the end of a sync, what the log wrote must reach the device, and the device's
volatile cache must be flushed. So no two syncs that do not overlap share a flush, whatever other
writers do, who only add flushes. The write of one sync may have taken along what the next one is
for, so two syncs may share a write. A journal flushes twice for a file that grows, which hides
every second sync: there the times of syncs tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from .slice import Slice

_WRITTEN = 0.5  # writes per sync
_EDGES = 3.0  # at each end of a slice
_ENOUGH = 20  # syncs for a median
# A system call that copies a page into any device's queue takes longer. A sync that nobody carries
# out takes 0.06 us. TAP_NO_DEVICE_NS of devices/preload/tap/page.h is the same.
_FASTEST_US = 1.0
_FOUND_CLEAN = 0.01  # the share of syncs for which the kernel had already written all of a file
_NOTHING_TO_WAIT_FOR = "memory"  # devices/witness.py

Device = Mapping[str, Any]


def contradictions(seen: Slice) -> Iterator[str]:
    """Yield what contradicts the syncs that the engine and the tap counted, a sentence each.

    REQUIRES: a synced cell on a real device, with a tap that left out nothing.
    """
    if (seen["wal_below"] or _NOTHING_TO_WAIT_FOR).startswith(_NOTHING_TO_WAIT_FOR):
        return
    if seen.cell.nodes > 1 and seen.engine.on_server:  # nodes are judged one by one
        return
    closed = seen.closed_wal_syncs
    own, syncs = closed + seen.own_share, seen["tap_syncs"] - closed
    # Syncs that did not overlap; with O_DSYNC a device may write through its cache without a flush.
    flushes = seen["tap_syncs_apart"] - own - seen["tap_synced_writes"]
    devices = seen["wal_devices"] or ()
    for level in sorted({device.get("level", 0) for device in devices}):
        beside = [device for device in devices if device.get("level", 0) == level]
        yield from _too_few(syncs, flushes, beside)
    median, unwaited = seen.row.get("tap_sync_us_p50"), seen["tap_syncs_unwaited"]
    flushed = any(device.get("flushed") for device in devices)
    if seen["tap_syncs"] >= _ENOUGH and median is not None and median < _FASTEST_US:
        yield (
            f"the median WAL sync took {median:.3g} us, and no device answers in "
            f"{_FASTEST_US:g} us: something answers in its place"
        )
    elif flushed and unwaited > own + _FOUND_CLEAN * syncs + _EDGES:
        yield (
            f"{unwaited} of {seen['tap_syncs']} WAL syncs took less than "
            f"{_FASTEST_US:g} us, in which no device answers: something answers in its place"
        )


def _too_few(syncs: int, wanted: float, devices: list[Device]) -> Iterator[str]:
    """Check devices side by side: a flush goes to each, and a write to at least one."""
    names = ", ".join(device.get("device", "") for device in devices)
    flushes = Counter[str]()  # of each device, over all paths to it
    for device in devices:
        flushes[device.get("path_of", "")] += device.get("flushes", 0)
    most, writes = max(flushes.values()), sum(device.get("writes", 0) for device in devices)
    if all(device.get("flushed") for device in devices) and most < wanted - _EDGES:
        yield f"not durable: of {syncs} WAL syncs only {most:.0f} flushes reached {names}"
    if writes < _WRITTEN * syncs - _EDGES:
        yield f"not durable: of {syncs} WAL syncs only {writes:.0f} writes reached {names}"
