"""The report of a sweep over clients: a device costs many less, because they share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...row import Row
from ..report import Report
from ..results import CellResult, Panel, of_panel, panels, words
from ..series import Column, Plot, Series, View
from ..sweep.curve import usable
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
    """Return a series per engine, workload, profile and size measured with two numbers or more.

    Each number of clients has an `off` of its own; few clients come first.
    """

    def alike(panel: Panel) -> tuple[str, ...]:
        cell = next(iter(panel.rows))
        return cell.engine, cell.workload, cell.profile

    swept = [_sweep(group) for group in sweeps.grouped(panels(rows), alike) if len(group) > 1]
    return [series for series in swept if series.points]


def _sweep(members: list[Panel]) -> Series[CellResult]:
    devices: dict[str, list[CellResult]] = {}
    left_out = []
    for panel in sorted(members, key=lambda panel: next(iter(panel.rows)).threads):
        results = of_panel(panel)
        for result in (result for result in results if usable(result) and not result.is_baseline):
            if result.overhead is not None and result.overhead < 1:
                devices.setdefault(result.device, []).append(result)
            else:
                why = words.FAILED if result.failed else "no overhead"
                left_out.append(
                    f"{result.device} with {words.clients(result.threads)}: {why}: left out"
                )
    ordered = sorted(devices.values(), key=lambda mine: mine[0].facts["sync_us"] or 0.0)
    first = results[0]
    subject = words.subject(first)
    title = f"{subject}, profile {first.profile}"
    return Series(
        axis="clients",
        subject=subject,
        points=[result for mine in ordered for result in mine],
        columns=_COLUMNS,
        views=[View(title, "device threads overhead sync_us commits_per_group cpu_share")],
        sentences=[_sentence(mine) for mine in ordered],
        left_out=left_out,
        group=sweeps.group(first),
        title=title,
        at=lambda result: result.threads,
        line=cell_columns.line,
        plots=[Plot(f"overhead, % of the throughput of {first.reference}", "overhead")],
    )


def _sentence(mine: Sequence[CellResult]) -> str:
    """Say what a device costs the fewest clients and the most."""
    ends = [
        (result.interval, f"with {words.clients(result.threads)}") for result in (mine[0], mine[-1])
    ]
    said = sweeps.along(mine[0].device, *ends[: len(mine)])
    groups = [result.facts["commits_per_group"] for result in (mine[0], mine[-1])]
    if len(mine) == 1 or groups[0] is None or groups[1] is None:
        return said
    return f"{said}; {groups[0]:.1f} and {groups[1]:.1f} commits share a sync"
