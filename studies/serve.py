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
from ..workloads import DEFAULT
from . import frame, names, options
from .own_program import SERVED_BEFORE
from .request import Request

if TYPE_CHECKING:
    from ..runners.campaign import Recipe

_DEVICE = "nvme"


@dataclass(frozen=True)
class ServeRequest(Request):
    """For the fields see each flag's help."""

    data: str | None = None
    every_s: float = 10.0


def _data_set(_context: click.Context, _option: click.Parameter, typed: str | None) -> str | None:
    if typed in (None, "empty", *DEFAULT):
        return None if typed == "empty" else typed
    raise UsageError(
        f"--data: found {typed!r}, want {' or '.join(DEFAULT)}; to measure a copy of your own data "
        "type: waltax try --data FOLDER --log redo/ --serve ... -- 'mariadbd ...' (docs/try.md)"
    )


@click.command()
@options.engine(SERVED, "Whose server.", "myrocks")
@command_line.devices(f"Where the log is. Default: {_DEVICE}.")
@options.durability("When a commit is acknowledged. Default: sync.")
@options.wal_dir()
@options.several(axes.options("with-data", "binlog", "read-latency"))
@options.ALLOW_MISMATCH
@options.profile("quick", "Whose server settings.")
@click.option(
    "--data",
    metavar="NAME",
    callback=_data_set,
    help="What it holds: linkbench or tpcc, of the profile's size. Default: nothing.",
)
@options.gone("--run", SERVED_BEFORE)
@options.gone(
    "--prepare", "leave it out, and run it beside `waltax serve`, which prints the socket: {}"
)
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
        data, every_s, shared = request.data, request.every_s, request.share_machine
        code = standalone.serve(planned, data, signals, every_s, _say, share_machine=shared)
    sys.exit(code)


def _recipe(request: ServeRequest) -> Recipe:
    devices = names.and_with_data(request.devices or (_DEVICE,), request)
    if len(devices) != 1:
        raise UsageError("--device: a server has one log; type one device")
    return replace(request.recipe("serve"), devices=devices)


def _say(text: str) -> None:
    """Print a line without control characters, since a user's command may have written it."""
    click.echo(one_line(text))
