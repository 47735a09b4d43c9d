"""Axes of all cells of a campaign: how data are read, what is counted, an additional device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ....base import perf
from ....cell import LONGEST_READ_US, Cell
from ....engines import ENGINES
from ....row import Row
from .axis import Axis

if TYPE_CHECKING:
    from ...cells.campaign import Campaign
    from ...cells.setting import Setting


class ReadLatency(Axis):
    """The least time that a read of data takes."""

    options = (
        click.option(
            "--read-latency-us",
            type=click.IntRange(0, LONGEST_READ_US),
            default=0,
            show_default="as it is",
            help="Make each read of a data file take at least so long, in every cell, as on a "
            "cloud volume.",
        ),
    )

    def columns(self, campaign: Campaign, cell: Cell) -> Row:  # noqa: ARG002
        return {"data_read_latency_us": campaign.recipe.read_latency_us}

    def place(self, setting: Setting, _memory: Path) -> Mapping[str, str]:
        latency_ns = setting.recipe.read_latency_us * 1000
        data = setting.home / "data" if ENGINES[setting.cell.engine].on_server else setting.home
        environment = {"WALTAX_TAP_DATA_DIR": str(data), "WALTAX_TAP_READ_NS": str(latency_ns)}
        return environment if latency_ns else {}


class CpuCounters(Axis):
    """The CPU's own counters of each slice."""

    options = (
        click.option(
            "--cpu-counters",
            is_flag=True,
            help="Count instructions, cycles and cache misses of each slice, where the machine "
            "allows it.",
        ),
    )

    def around(self, _campaign: Campaign, setting: Setting) -> AbstractContextManager[Axis]:
        return closing(_Counted()) if setting.recipe.cpu_counters else nullcontext(self)


class _Counted(Axis):
    """The counters of a cell's programs in each slice."""

    def __init__(self) -> None:
        self._counting = perf.Counting()

    def begin(self, pids: Sequence[int]) -> None:
        self._counting.close()  # those of a slice that failed
        self._counting = perf.begin(pids)

    def counted(self, _pids: Sequence[int], _data: Path) -> Row:
        return self._counting.end()

    def close(self) -> None:
        self._counting.close()


class WithData(Axis):
    """An additional device: the log beside the data."""

    options = (
        click.option(
            "--wal-with-data",
            is_flag=True,
            help="Measure one more device, `with-data`: the log on the data's file system.",
        ),
    )
