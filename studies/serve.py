"""`waltax serve`: a server with its log on a device, for other tools."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import click

from ..base.errors import UsageError
from ..base.printable import one_line
from ..engines import SERVED
from ..runners.recipe import axes, command_line
from . import frame, options
from .request import Request

_DEVICE = "nvme"


@click.command()
@options.engine(SERVED, "Whose server.", "myrocks")
@command_line.devices(f"Where the log is. Default: {_DEVICE}.")
@options.durability("When a commit is acknowledged. Default: sync.")
@options.wal_dir()
@options.several(axes.options("binlog"))
@options.ALLOW_MISMATCH
@options.profile("quick", "Whose server settings.")
@options.SEED
@options.share_machine("Serve although a campaign is running.")
@options.data_dir()
def command(**values: Any) -> None:
    """Start a server with its log on a device, for sysbench, tpcc-mysql or your application."""
    from ..runners import standalone
    from ..runners.cells.signals import noted

    given = frame.typed_flags(click.get_current_context())
    request = Request(axes=axes.read(values), results=values["data_dir"], given=given, **values)
    devices = request.devices or (_DEVICE,)
    if len(devices) != 1:
        raise UsageError("--device: a server has one log; type one device")
    recipe = replace(request.recipe("serve"), devices=devices)
    with noted() as signals:
        planned = standalone.planned(recipe, request.results, request.data_dir.absolute())
        code = standalone.serve(planned, signals, _say, share_machine=request.share_machine)
    sys.exit(code)


def _say(text: str) -> None:
    """Print a line without control characters, since a user's command may have written it."""
    click.echo(one_line(text))
