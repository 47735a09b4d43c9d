"""Axes of all cells of a campaign: where more is written, how data are read, what is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....cell import LONGEST_READ_US
from ....engines import ENGINES, SERVED
from ....errors import UsageError
from .. import typed
from .axis import Axis

if TYPE_CHECKING:
    from ..recipe import Recipe


class ReadLatency(Axis):
    """What a read of data takes at least."""

    options = (
        click.option(
            "--read-latency-us",
            type=click.IntRange(0, LONGEST_READ_US),
            default=0,
            show_default="as it is",
            help="What a read of data takes at least, emulated, in every cell: as on a cloud "
            "volume.",
        ),
    )


class CpuCounters(Axis):
    """The CPU's own counters of each slice."""

    options = (
        click.option(
            "--cpu-counters",
            is_flag=True,
            help="Count instructions, cycles and cache misses of each slice, where the machine "
            "can.",
        ),
    )


class SecondLog(Axis):
    """A server's binlog, on a device of its own or on the WAL's."""

    options = (
        click.option(
            "--binlog",
            metavar="DEVICE",
            callback=lambda _context, _option, name: None if name is None else typed.kept(name),
            help="Of servers: a binlog on DEVICE, synced with each group of commits, in every "
            "cell; `same`: on the WAL's. Default: none.",
        ),
    )

    def require(self, recipe: Recipe) -> None:
        if recipe.binlog is not None and not ENGINES[recipe.engine].on_server:
            raise UsageError(
                f"--binlog: found {recipe.binlog} with --engine {recipe.engine}, which writes no "
                f"second log; type --engine {' or '.join(SERVED)}, or leave it out"
            )


class WithData(Axis):
    """A device more: the log beside the data."""

    options = (
        click.option(
            "--wal-with-data",
            is_flag=True,
            help="Beside the devices, as `with-data`: the log on the data directory's file system.",
        ),
    )
