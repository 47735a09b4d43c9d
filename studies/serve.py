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
from ..workloads.command.workload import EMPTY
from . import frame, names, options
from .own_program import whole
from .request import Request

if TYPE_CHECKING:
    from ..runners.campaign import Recipe

_DEVICE = "nvme"


@dataclass(frozen=True)
class ServeRequest(Request):
    """For the fields see each flag's help."""

    data: str = EMPTY
    prepare: str | None = None
    timeout_s: float = 3600.0
    every_s: float = 10.0


def _moved(_context: click.Context, _option: click.Parameter, typed: str | None) -> None:
    if typed is not None:
        raise UsageError(
            "--run: it has moved; type: waltax try --engine myrocks --metric REGEX -- COMMAND"
        )


@click.command()
@options.engine(SERVED, "Whose server.", "myrocks")
@command_line.devices(f"Where the log is. Default: {_DEVICE}.")
@options.durability("When a commit is acknowledged. Default: sync.")
@options.wal_dir()
@options.several(axes.options("with-data", "binlog", "read-latency"))
@options.allow_mismatch()
@options.profile("quick", "Whose server settings.")
@click.option(
    "--data",
    default=EMPTY,
    show_default=True,
    help="What it holds: linkbench or tpcc (of the profile's size), or a data directory's copy.",
)
@click.option("--prepare", metavar="COMMAND", help="Fills the data before the server is used.")
@click.option("--run", expose_value=False, hidden=True, callback=_moved)
@options.number("--timeout", 3600.0, (0.001, None), "Seconds that --prepare may take.", "timeout_s")
@options.number(
    "--every", 10.0, (0.1, None), "Seconds between the lines that say what the log did.", "every_s"
)
@options.seed()
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
        shared = request.share_machine
        code = standalone.serve(planned, signals, request.every_s, _say, share_machine=shared)
    sys.exit(code)


def _recipe(request: ServeRequest) -> Recipe:
    from ..runners.recipe.parts import Command

    devices = names.and_with_data(request.devices or (_DEVICE,), request)
    if len(devices) != 1:
        raise UsageError("--device: a server has one log; type one device")
    served = Command(
        run="",
        metric="",
        data=whole(request.data, request.engine),
        prepare=request.prepare,
        timeout_s=request.timeout_s,
        rounds=1,
        sessions=1,
    )
    return replace(request.recipe("serve"), devices=devices, command=served)


def _say(text: str) -> None:
    """Print a line without control characters, since a user's command may have written it."""
    click.echo(one_line(text))
