"""How a ladder is put into words."""

from __future__ import annotations

from ... import engines, workloads
from ...axes import PAIRED
from ..numerals import measured
from ..results import words
from ..results.sums import Sums
from ..stats import Drawn, Interval
from .counters import Compared, compared
from .steps import Ladder, Step


def title(ladder: Ladder) -> str:
    """Return e.g. LinkBench on RocksDB, profile quick, 4 clients: from off to nvme (emulated)."""
    top = ladder.top
    subject = f"{workloads.of(top.workload).title} on {engines.of(top.engine).title}"
    size = f", {top.size}" if top.size else ""
    values = "".join(f", {value}" for value in between(ladder))
    return (
        f"{subject}{values}, profile {top.profile}, {words.clients(top.threads)}{size}: "
        f"from off to {device(ladder)}"
    )


def between(ladder: Ladder) -> list[str]:
    """Return e.g. ["build new"]: by what it differs from other ladders to the same device."""
    return [f"{name} {value}" for name in PAIRED if (value := ladder.top.axes[name])]


def device(ladder: Ladder) -> str:
    return f"{ladder.device} (emulated)" if ladder.emulated else ladder.device


def us(value: Interval) -> str:
    """Return e.g. 12.3 [10.1, 14.2]."""
    return f"{measured(value)}{'' if value.is_known else ' (no interval)'}"


def verdict(ladder: Ladder) -> str:
    """Say which step costs most, or that none can be told from the next."""
    if not ladder.steps:
        failed = ", ".join(ladder.failures) or "a rung"
        return f"{title(ladder)}: no step is known, since {failed} has no result"
    dearest = max(ladder.steps, key=lambda step: step.added_us.value or 0.0)
    a = "an" if ladder.request[0] in "aeiou" else "a"
    total = f"of {us(ladder.total_us)} us added to {a} {ladder.request}"
    if not dearest.is_resolved or (dearest.added_us.value or 0.0) <= 0:
        return f"{title(ladder)}: no step can be told from nothing, {total}"
    rivals = [step for step in ladder.steps if step is not dearest and not _is_less(step, dearest)]
    said = f"{dearest.name} ({us(dearest.added_us)} us)"
    if not rivals:
        return f"{title(ladder)}: {said} costs most, {total}"
    others = ", ".join(f"{step.name} ({us(step.added_us)})" for step in rivals)
    return f"{title(ladder)}: {said} comes first, but cannot be told from {others}; {total}"


def _is_less(step: Step, than: Step) -> bool:
    """Compare two steps by their draws, which belong together."""
    if step.added_us.value is None or than.added_us.value is None:
        return False
    less = Drawn(than.added_us.value - step.added_us.value, than.draws - step.draws)
    return less.difference().side(0) == 1


def evidence(ladder: Ladder) -> list[str]:
    """Say what proves each rung: bytes and syncs of the log, and what became of them."""
    return [
        f"{name}: {_proof(Sums(ladder.panel.accepted(cell)))}"
        for name, cell in ladder.rungs.items()
    ]


def _proof(sums: Sums) -> str:
    names = ("wal_bytes", "tap_write_bytes", "tap_bytes_not_kept", "tap_syncs")
    engine, seen, not_kept, syncs = (words.number(sums.count(name)) for name in names)
    said = f"{engine} WAL bytes by the engine, {seen} seen by the tap"
    said += f", which kept none of {not_kept}" if sums.count("tap_bytes_not_kept") else ""
    at_once = sums.count("tap_syncs_at_once")
    answered = f", {words.number(at_once)} answered at once" if at_once else ""
    return f"{said}; {syncs} syncs{answered}"


def disagreements(ladder: Ladder) -> list[str]:
    """Name steps that the tap's clock contradicts beyond the error of both."""
    return [_disagreement(step) for step in compared(ladder) if not step.agree]


def _disagreement(compared: Compared) -> str:
    value = compared.step.added_us.value or 0.0
    more = "more: what waits for it, waits longer" if value > compared.counted_us else "less"
    return (
        f"{compared.step.name}: the tap's clock says {words.number(compared.counted_us)} us, the "
        f"intervention {us(compared.step.added_us)}, which is {more}"
    )


def remainder(ladder: Ladder) -> str:
    """Say what the remainder is, and how much."""
    if ladder.remainder_us is None:
        return ""
    us = ladder.remainder_us if abs(ladder.remainder_us) >= 1e-6 else 0.0  # sums of floats differ
    return (
        f"remainder {words.number(us)} us: the device against off in all their rounds, less the "
        f"sum of the steps in the {ladder.slots} rounds that every rung has"
    )
