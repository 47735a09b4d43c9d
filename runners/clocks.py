"""Check that a driver's clock runs as ours does: throughput is work divided by its time."""

from __future__ import annotations

from collections.abc import Sequence

from ..row import Row, driven_s

_SLICES = 5
_MOST = 1.5  # our time over the driver's, in the slice that was delayed least
_LEAST_S = 0.1  # our time less the driver's: beginning and ending a slice takes 5 to 40 ms


def always_slow(rows: Sequence[Row]) -> str | None:
    """Say why a cell fails whose driver saw too little time pass, or return None.

    A busy machine delays slices, but not all of them. Any single slice contradicts a clock that is
    too fast: see `evidence.rules`.
    """
    timed = [row for row in rows if row.get("warmup_s") and row.get("machine_elapsed_s")]
    if len(timed) < _SLICES:
        return None
    pairs = ((driven_s(row), row["machine_elapsed_s"]) for row in timed)
    theirs, ours = min(pairs, key=lambda pair: float(pair[1] / pair[0]))
    if ours <= _MOST * theirs or ours - theirs <= _LEAST_S:
        return None
    return (
        f"in no slice did as much time pass for the driver as for waltax: {theirs:.3g} s of "
        f"{ours:.3g} s at most; its clock is slow, and its throughput too high"
    )
