"""Read what the kernel's scheduler did for the threads of processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

Thread = dict[str, float]
"""The kernel's counts for one thread since it began, by the names of row columns."""

_NS = 1e9
_SWITCHES = "voluntary_ctxt_switches"  # of /proc/PID/task/TID/status


def threads(pids: Sequence[int]) -> dict[tuple[int, int], Thread]:
    """Return the counters of each thread of the processes that does not end meanwhile."""
    counters: dict[tuple[int, int], Thread] = {}
    for pid in pids:
        with suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                with suppress(OSError):
                    counters[pid, int(task.name)] = dict(_thread(task))
    return counters


def difference(
    later: dict[tuple[int, int], Thread], earlier: dict[tuple[int, int], Thread]
) -> dict[str, float]:
    """Sum what happened in between, over the threads that are left.

    A thread that ended in between does not count, a new one counts from its start: no sum falls.
    """
    sums: dict[str, float] = {}
    for key, counted in later.items():
        before = earlier.get(key, {})
        for name, value in counted.items():
            since = value - before.get(name, 0.0)
            # A new thread may have the number of one that ended.
            sums[name] = sums.get(name, 0.0) + (since if since >= 0 else value)
    return {name: round(value, 6) for name, value in sums.items()}


def _thread(task: Path) -> Iterator[tuple[str, float]]:
    """Yield time on a CPU and time runnable without one, if the kernel keeps them; switches."""
    lines = (line.partition(":") for line in (task / "status").read_text().splitlines())
    status = {name: value.strip() for name, _, value in lines}
    with suppress(OSError):
        run_ns, wait_ns, _ = (task / "schedstat").read_text().split()
        yield "sched_run_s", int(run_ns) / _NS
        yield "sched_wait_s", int(wait_ns) / _NS
    if _SWITCHES in status:
        yield "sched_switches_voluntary", float(status[_SWITCHES])
