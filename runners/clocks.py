"""Whether a driver's clock runs as ours does: throughput is what was done by its time."""

from __future__ import annotations

from collections.abc import Sequence

from ..row import Row, driven_s

_SLICES = 5
_MOST = 1.5  # of ours over the driver's time, in the slice that was delayed least
_LEAST_S = 0.1  # by as much: to begin and to end a slice takes 5 to 40 ms


def always_slow(rows: Sequence[Row]) -> str | None:
    """Why a cell fails whose driver saw too little time pass; None: it did not.

    A busy machine delays slices, but not each of them. A clock that is too fast is contradicted by
    any slice: see `evidence.rules`.
    """
    timed = [one for one in rows if one.get("warmup_s") and one.get("machine_elapsed_s")]
    if len(timed) < _SLICES:
        return None
    pairs = ((driven_s(one), one["machine_elapsed_s"]) for one in timed)
    told, ours = min(pairs, key=lambda pair: float(pair[1] / pair[0]))
    if ours <= _MOST * told or ours - told <= _LEAST_S:
        return None
    return (
        f"in no slice did as much time pass for the driver as for waltax: {told:.3g} s of "
        f"{ours:.3g} s at most; its clock is slow, and its throughput too high"
    )
