"""200 hosts and 1,000 sessions on a real scheduler of dask, whose sessions only send rows.

`python -m waltax.bench many-hosts [HOSTS] [SESSIONS]`: the campaign's own side is the real one, and
so is the scheduler. The workers are as many, in a few processes of this machine; their sessions
send rows as large as real ones, at the pace of real ones, and measure nothing. Told are the memory
of the scheduler and of the campaign's side, the bytes of rows, the time that hosts stood idle
between two sessions, and rows that were lost or doubled.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import click
import psutil
from rich.table import Table

from ... import analysis, proc
from ...hosts import local, tasks
from ...hosts.executor import OnHosts
from ...hosts.where import Where
from ...row import Row
from ...runners import campaign as campaigns
from ...runners import loop
from ...runners.campaign import Campaign, Recipe
from ...terminal import Terminal
from ..homes.plain import home
from . import crowd, small

_EACH = 50  # workers in a process


@dataclass
class _Peak:
    """The most memory that processes had, in MiB, and the CPU time that they used."""

    scheduler: float = 0.0
    client: float = 0.0
    cpu_s: dict[str, float] = field(default_factory=dict)


@click.command()
@click.argument("hosts", type=click.IntRange(1), default=200)
@click.argument("sessions", type=click.IntRange(1), default=1000)
def main(hosts: int, sessions: int) -> None:
    """Fails when a row is lost or doubled."""
    # Pickled by name, so that workers find them in their own process.
    tasks.greet, tasks.session = crowd.greet, crowd.session
    with home("many-hosts") as folder, ExitStack() as stack:
        planned = _planned(folder, max(3, round(sessions / hosts)))
        address, scheduler = stack.enter_context(local.scheduler(folder))
        for first in range(0, hosts, _EACH):
            stack.enter_context(_workers(folder, address, first, min(_EACH, hosts - first)))
        peak = stack.enter_context(_watched(scheduler))
        began_s = time.monotonic()
        silent = loop.Screen(print, lambda _: None, lambda _: None)
        executor = _Patient(Where(scheduler=address), hosts)
        outcome = loop.measure(planned, analysis.estimate, silent, executor)
        took_s = time.monotonic() - began_s
        _print(outcome.progress.rows, planned, peak, took_s, hosts)


class _Patient(OnHosts):
    """Waits for so many workers before it begins."""

    def __init__(self, where: Where, hosts: int) -> None:
        super().__init__(where, share_machine=True)
        self.at_least = hosts


def _planned(folder: Path, sessions: int) -> Campaign:
    """A campaign of so many whole sessions on each host, which no interval ends."""
    recipe = Recipe("rocksdb", ("linkbench",), str(small.profile(folder, 1.0)), ("nvme",), seed=1)
    planned = campaigns.new(recipe, folder / "results", folder / "data")
    timing = planned.profile.timing
    rows = timing.rounds_per_session * len(planned.cells)
    budget_s = (sessions - 0.5) * rows * (timing.warmup_s + timing.measure_s)
    wanted = {"min_sessions": 3, "time_budget_s": budget_s, "target_half_width": 1e-9}
    profile = planned.profile.model_copy(update={"timing": timing.model_copy(update=wanted)})
    return replace(planned, profile=profile)


@contextmanager
def _workers(folder: Path, address: str, first: int, count: int) -> Iterator[None]:
    argv = [sys.executable, "-m", "waltax.bench.hosts.crowd", address, str(first), str(count)]
    with (
        (folder / f"crowd-{first}").open("wb") as log,
        proc.launched_group(argv, env=local.QUIET, stdout=log, stderr=log),
    ):
        yield


@contextmanager
def _watched(scheduler: int) -> Iterator[_Peak]:
    """Look at both processes, until the end."""
    peak, ended = _Peak(), threading.Event()
    processes = {"scheduler": psutil.Process(scheduler), "client": psutil.Process()}

    before_s = {name: sum(process.cpu_times()[:2]) for name, process in processes.items()}

    def watch() -> None:
        while not ended.wait(0.5):
            for name, process in processes.items():
                mib = process.memory_info().rss / 2**20
                setattr(peak, name, max(mib, getattr(peak, name)))
                peak.cpu_s[name] = sum(process.cpu_times()[:2]) - before_s[name]

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        ended.set()
        watcher.join()


def _idle_s(rows: list[Row]) -> list[float]:
    """From the last row of a session to the first of the host's next, without what a start takes.

    All of them are of this machine's clock.
    """
    gaps, by_host = list[float](), dict[str, list[Row]]()
    for row in sorted(rows, key=lambda one: one["start_unix_s"]):
        by_host.setdefault(row["host"], []).append(row)
    for mine in by_host.values():
        for earlier, later in itertools.pairwise(mine):
            if earlier["session"] != later["session"]:
                gap_s = later["start_unix_s"] - earlier["start_unix_s"]
                gaps.append(gap_s - crowd.SETTLE_S - crowd.PACE_S)
    return gaps


def _lost(rows: list[Row], planned: Campaign) -> int:
    """How many are missing before the last row of their session: the last sessions are cut."""
    place = {cell.id: at for at, cell in enumerate(planned.cells)}
    numbers: dict[int, list[int]] = {}
    for row in rows:
        number = row["round"] * len(place) + place[row["cell"]]
        numbers.setdefault(row["session"], []).append(number)
    return sum(1 + max(mine) - len(mine) for mine in numbers.values())


def _print(rows: list[Row], planned: Campaign, peak: _Peak, took_s: float, hosts: int) -> None:
    sessions = {row["session"] for row in rows}
    lost, doubled = _lost(rows, planned), small.doubled(rows)
    idle_s, busy_s = _idle_s(rows), len(rows) * crowd.PACE_S + len(sessions) * crowd.SETTLE_S
    table = Table(box=None, show_header=False)
    for name, value in {
        "hosts, sessions, rows": f"{hosts}, {len(sessions)}, {len(rows)}",
        "rows lost, doubled": f"{lost}, {doubled}",
        "wall time": f"{took_s:.0f} s, of which a host measures {busy_s / hosts:.0f} s",
        "idle between sessions": f"median {statistics.median(idle_s):.2f} s, most "
        f"{max(idle_s):.2f} s; in all {sum(idle_s) / busy_s:.1%} of the time measured",
        "rows in rows.jsonl": f"{(planned.rows_path).stat().st_size / 2**20:.0f} MiB; over the "
        "network twice that: to the scheduler, and from it",
        "CPU time a row": ", ".join(
            f"{name} {1000 * cpu_s / len(rows):.1f} ms" for name, cpu_s in peak.cpu_s.items()
        ),
        "memory at most": f"scheduler {peak.scheduler:.0f} MiB, campaign {peak.client:.0f} MiB",
    }.items():
        table.add_row(name, value)
    Terminal(width=110).print(table)
    if lost or doubled:
        raise SystemExit("that is not what was to be shown")


if __name__ == "__main__":
    main()
