"""One run of a program, watched or served, in place of a campaign of `waltax try`."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

import click

from ..base.errors import UsageError
from ..runners.recipe import command_line
from ..runners.recipe.parts import Command

if TYPE_CHECKING:
    from ..devices.tap_page import TapCounters
    from ..runners.campaign import Campaign
    from .request import Request

KIND = "try"
_TURN_S = 60.0  # for which nothing is looked at but whether the server has ended


def watch(request: Request, own: Command) -> int:
    """Watch one run and print what it syncs.

    Errors: as `watching.watch`; UsageError for no room.
    """
    from ..base.folders.places import require_writable
    from ..runners import plan
    from ..runners.cells.program import run
    from ..runners.cells.program import watch as watching

    require_writable("--data-dir", request.data_dir)
    plan.require_disk("--data-dir", request.data_dir, run.size_mib(own.data))
    typed = command_line.typed().removeprefix(f"{KIND} ")
    stdin = f" <{shlex.quote(own.stdin)}" if own.stdin else ""
    again = f"{command_line.program()} {KIND} {{log}} {typed}{stdin}"
    click.echo("\n".join(watching.watch(own, request.data_dir).lines(again)))
    return 0


def serve(request: Request, campaign: Campaign) -> int:
    """Start the server with its log on the device, until Ctrl-C.

    Say where it is, and at the end what the log did. Nothing of it is kept. Errors:
    UsageError for several devices; WaltaxError with the server's last words when it does not start
    or ends by itself.
    """
    from ..base import proc
    from ..runners import lives, local, plan
    from ..runners.cells.program.cell import ProgramCell
    from ..runners.workspace import workspace

    if len(request.devices) != 1:
        raise UsageError("--device: a server without --load has one log; name one device")
    cell = next(each for each in campaign.cells if each.durability == "sync")
    with local.holding(campaign, click.echo, share=request.share_machine):
        plan.require_room(campaign)
        with (
            workspace(campaign) as home,
            lives.bring_up(home, cell, None, 0) as live,
        ):
            assert isinstance(live, ProgramCell)
            with live.begun(live.home / "said") as (placed, pages, _, server):
                assert server is not None
                click.echo(f"log      on {cell.device}, in {placed.log}")
                click.echo(f"data     {placed.data}")
                click.echo(f"sockets  {placed.sockets}")
                click.echo(f"stop     Ctrl-C, or: kill {os.getpid()}")
                before = pages.snapshot()  # a start and a stop write records of their own
                try:
                    while not proc.any_ended([server], _TURN_S):
                        pass
                finally:
                    click.echo(_account(pages.snapshot().minus(before)))
    return 0


def _account(seen: TapCounters) -> str:
    """Say what the tap saw of the log."""
    from ..devices.tap_page import percentile

    p50, p99 = (percentile(seen.sync_achieved, q) for q in (50, 99))
    took = "" if p50 is None else f", p50 {p50:,.1f} us, p99 {p99:,.1f} us"
    written = f"{seen.write_bytes:,} bytes in {seen.writes:,} writes"
    return f"the log: {written}, {seen.syncs:,} syncs{took}"
