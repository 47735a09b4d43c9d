"""`waltax serve`: a server with its log on a device, for other tools."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import UsageError
from ..base.printable import one_line
from ..engines import SERVED
from ..runners.recipe import axes, command_line
from . import frame, names, options
from .request import Request

if TYPE_CHECKING:
    from ..runners.campaign import Recipe

_DEVICE = "nvme"


@dataclass(frozen=True)
class ServeRequest(Request):
    """`every_s` is the time between two lines that say what the log did."""

    every_s: float = 10.0


@click.command()
@options.engine(SERVED, "Whose server.", "myrocks")
@command_line.devices(f"Where the log is. Default: {_DEVICE}.")
@options.durability("When a commit is acknowledged. Default: sync.")
@options.wal_dir()
@options.several(axes.options("with-data", "binlog", "read-latency"))
@options.ALLOW_MISMATCH
@options.profile("quick", "Whose server settings.")
@options.number(
    "--every", 10.0, (0.1, None), "Seconds between the lines that say what the log did.", "every_s"
)
@options.SEED
@options.share_machine("Serve although a campaign is running.")
@options.data_dir()
def command(**values: Any) -> None:
    """Start a server with its log on a device, for sysbench, tpcc-mysql or your application."""
    from ..runners import standalone
    from ..runners.cells.signals import noted

    given = frame.typed_flags(click.get_current_context())
    request = ServeRequest(results=values["data_dir"], given=given, **values)
    with noted() as signals:
        planned = standalone.planned(_recipe(request), request.results, request.data_dir.absolute())
        every_s, shared = request.every_s, request.share_machine
        code = standalone.serve(planned, signals, every_s, _say, share_machine=shared)
    sys.exit(code)


def _recipe(request: ServeRequest) -> Recipe:
    devices = names.and_with_data(request.devices or (_DEVICE,), request)
    if len(devices) != 1:
        raise UsageError("--device: a server has one log; type one device")
    return replace(request.recipe("serve"), devices=devices)


def _say(text: str) -> None:
    """Print a line without control characters, since a user's command may have written it."""
    click.echo(one_line(text))
