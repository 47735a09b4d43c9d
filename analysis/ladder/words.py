"""How a ladder is said."""

from __future__ import annotations

import numpy as np

from ... import engines, workloads
from .. import stats
from ..numerals import measured
from ..results import words
from ..results.sums import Sums
from ..stats import Interval
from .counters import Compared, compared
from .steps import Ladder, Step


def title(one: Ladder) -> str:
    """E.g. LinkBench on RocksDB, profile quick, 4 clients: from off to nvme (emulated)."""
    top = one.top
    subject = f"{workloads.of(top.workload).title} on {engines.of(top.engine).title}"
    size = f", {top.size}" if top.size else ""
    return (
        f"{subject}, profile {top.profile}, {words.clients(top.threads)}{size}: "
        f"from off to {device(one)}"
    )


def device(one: Ladder) -> str:
    return f"{one.device} (emulated)" if one.emulated else one.device


def us(value: Interval) -> str:
    """E.g. 12.3 [10.1, 14.2]."""
    return f"{measured(value)}{'' if value.is_known else ' (no interval)'}"


def verdict(one: Ladder) -> str:
    """Which step costs most, or that none can be told from the next."""
    if not one.steps:
        failed = ", ".join(one.failures) or "a rung"
        return f"{title(one)}: no step is known, since {failed} has no result"
    dearest = max(one.steps, key=lambda step: step.added_us.value or 0.0)
    total = f"of {us(one.total_us)} us added to {_a(one.request)}"
    if not dearest.is_resolved or (dearest.added_us.value or 0.0) <= 0:
        return f"{title(one)}: no step can be told from nothing, {total}"
    rivals = [step for step in one.steps if step is not dearest and not _is_less(step, dearest)]
    said = f"{dearest.name} ({us(dearest.added_us)} us)"
    if not rivals:
        return f"{title(one)}: {said} costs most, {total}"
    others = ", ".join(f"{step.name} ({us(step.added_us)})" for step in rivals)
    return f"{title(one)}: {said} comes first, but cannot be told from {others}; {total}"


def _is_less(step: Step, than: Step) -> bool:
    """By the draws of both, which belong together."""
    if step.added_us.value is None or than.added_us.value is None:
        return False
    drawn = than.added_us.value + than.draws - step.added_us.value - step.draws
    if not np.isfinite(drawn).any():
        return False
    return stats.percentiles(drawn)[0] > 0


def _a(request: str) -> str:
    return f"{'an' if request[0] in 'aeiou' else 'a'} {request}"


def evidence(one: Ladder) -> list[str]:
    """What proves each rung: bytes and syncs of the log, and what became of them."""
    return [f"{name}: {_proof(Sums(one.panel.accepted(cell)))}" for name, cell in one.rungs.items()]


def _proof(sums: Sums) -> str:
    engine, seen = sums.count("wal_bytes"), sums.count("tap_write_bytes")
    not_kept, syncs = sums.count("tap_bytes_not_kept"), sums.count("tap_syncs")
    at_once = sums.count("tap_syncs_at_once")
    said = f"{words.number(engine)} WAL bytes by the engine, {words.number(seen)} seen by the tap"
    said += f", which kept none of {words.number(not_kept)}" if not_kept else ""
    said += f"; {words.number(syncs)} syncs"
    return said + (f", {words.number(at_once)} answered at once" if at_once else "")


def disagreements(one: Ladder) -> list[str]:
    """Steps of which the tap's clock says otherwise, beyond the error of both."""
    return [_disagreement(found) for found in compared(one) if not found.agree]


def _disagreement(found: Compared) -> str:
    value = found.step.added_us.value or 0.0
    more = "more: what waits for it, waits longer" if value > found.counted_us else "less"
    return (
        f"{found.step.name}: the tap's clock says {words.number(found.counted_us)} us, the "
        f"intervention {us(found.step.added_us)}, which is {more}"
    )


def remainder(one: Ladder) -> str:
    """What it is, and how much."""
    if one.remainder_us is None:
        return ""
    return (
        f"remainder {words.number(_no_dust(one.remainder_us))} us: the device against off in all "
        f"their rounds, less the sum of the steps in the {one.slots} rounds that every rung has"
    )


def _no_dust(value: float) -> float:
    """Sums of floats differ in their last digits."""
    return 0.0 if abs(value) < 1e-6 else value
