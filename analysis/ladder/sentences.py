"""How a ladder is put into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ... import engines, workloads
from ...axes import PAIRED
from ...cell import BINLOG_FREE
from ..numerals import measured, times
from ..results import words
from ..stats import Drawn, Interval
from .steps import Ladder, Step


def title(ladder: Ladder) -> str:
    """Return e.g. LinkBench on RocksDB, profile quick, 4 clients: from off to nvme (emulated)."""
    return f"{subject(ladder)}: from {ladder.lowest} to {device(ladder)}"


def subject(ladder: Ladder) -> str:
    top = ladder.top
    of = f"{workloads.of(top.workload).title} on {engines.of(top.engine).title}"
    values = "".join(f", {value}" for value in between(ladder))
    return f"{of}{values}, profile {top.profile}, {words.clients(top.threads)}"


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
    a = "an" if ladder.unit.request[0] in "aeiou" else "a"
    total = f"of {us(ladder.whole.added_us)} us added to {a} {ladder.unit.request}"
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


def one_sync_less(ladders: Sequence[Ladder]) -> str:
    """Say what throughput gains without the binlog's sync, over devices of one subject, and whether
    a factor of 2 or of 4 follows; empty without rungs of two logs.
    """
    gains = {of: of.gains[BINLOG_FREE] for of in ladders if BINLOG_FREE in of.gains}
    ends = sorted(gains, key=lambda of: gains[of].value or 0.0)
    if not ends:
        return ""
    named = {device(of): gains[of] for of in ends}
    each = [f"{times(gains[of])} ({device(of)})" for of in dict.fromkeys([ends[0], ends[-1]])]
    kinds = sorted({str(of.panel.rows[of.top][0]["device_kind"]) for of in ends})
    return (
        f"{subject(ends[0])}: one sync less a commit, the binlog's, gives {' to '.join(each)} "
        f"times the throughput over {len(ends)} {'device' if len(ends) == 1 else 'devices'} (kind "
        f"{', '.join(kinds)}); {'; '.join(_follows(named, factor) for factor in (2, 4))}"
    )


def _follows(gains: Mapping[str, Interval], factor: int) -> str:
    """Say on which devices the gain is as large as the factor, by its interval."""
    yes = [name for name, gain in gains.items() if gain.low is not None and gain.low >= factor]
    no = [name for name, gain in gains.items() if gain.high is not None and gain.high < factor]
    if len(no) == len(gains):
        return f"a factor of {factor} follows on none"
    open_ = [name for name in gains if name not in {*yes, *no}]
    said = f"a factor of {factor} follows on {', '.join(yes) or 'none'}"
    return f"{said}, and cannot be told on {', '.join(open_)}" if open_ else said
