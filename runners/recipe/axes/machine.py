"""Axes of all cells of a campaign: how data are read, an additional device."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

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


class WithData(Axis):
    """An additional device: the log beside the data."""

    options = (
        click.option(
            "--wal-with-data",
            is_flag=True,
            help="Measure one more device, `with-data`: the log on the data's file system.",
        ),
    )
