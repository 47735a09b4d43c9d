"""The report of a sweep over clients: a device costs many less, because they share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...row import Row
from ..report import Report
from ..results import CellResult, words
from ..series import Column, Plot, Series, View
from . import cell_columns, sweeps

_COLUMNS: tuple[Column[CellResult], ...] = (
    cell_columns.NAME,
    Column("threads", "clients", "count"),
    Column("cell"),
    cell_columns.OVERHEAD,
    Column("sync_us", "sync us", of="facts.sync_us"),
    Column("commits_per_group", "commits\na sync", of="facts.commits_per_group"),
    Column("cpu_share", "cores %", "%", "cpu_share"),
)
_VIEW: View[CellResult] = View(
    "By number of clients", "device threads overhead sync_us commits_per_group cpu_share"
)


def threads(campaigns: Sequence[Path]) -> Report:
    """Report each sweep over clients of these campaigns.

    Errors: UsageError if no workload was measured with two numbers of clients; else as `load`.
    """
    lacking = "one number of clients, or no overhead; a sweep over clients has two or more: see"
    return sweeps.report(
        "threads", campaigns, thread_sweeps, lacking=f"{lacking} `waltax sweep threads`",
        legend="points: measured, with 95 % intervals", size=(9.0, 4.8),
    )  # fmt: skip


def thread_sweeps(rows: list[Row]) -> list[Series[CellResult]]:
    """Return a series per engine, workload and profile measured with two numbers or more.

    Each number of clients has a baseline of its own.
    """
    every = sweeps.swept(rows, lambda result: result.threads)
    return [_sweep([result for result in group if not result.is_baseline]) for group in every]


def _sweep(points: Sequence[CellResult]) -> Series[CellResult]:
    first = points[0]
    return Series(
        axis="clients",
        subject=f"{words.subject(first)}, profile {first.profile}",
        points=points,
        columns=_COLUMNS,
        views=[_VIEW],
        sentences=[_sentence(mine) for mine in sweeps.by_device(points)],
        group=sweeps.group(first),
        at=lambda result: result.threads,
        line=cell_columns.line,
        plots=[Plot(f"overhead, % of the throughput of {first.reference}", "overhead")],
    )


def _sentence(mine: Sequence[CellResult]) -> str:
    """Say what a device costs the fewest clients and the most, and how many commits share."""
    ends = [mine[0], mine[-1]][: len(mine)]
    said = [(result.interval, f"with {words.clients(result.threads)}") for result in ends]
    groups = [result.facts["commits_per_group"] for result in ends]
    shared = " and ".join(f"{commits:.1f}" for commits in groups if commits is not None)
    clause = f"; {shared} commits share a sync" if shared else ""
    return sweeps.along(mine[0].device, *said) + clause
