"""The command line. Only this module knows all rooms; each command imports what it needs.

What `--help` lists stands in `commands.py`, and imports are inside the commands: numpy, scipy,
matplotlib and pydantic take a second, and no help must.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from . import commands
from .commands import Entry
from .study import options

_ROOT = Path(__file__).parent


class _LazyGroup(click.Group):
    """Finds a room's own command there, and imports it only when it is called.

    `studies` are commands of the table of studies; their entries say where the records are.
    """

    def __init__(
        self, *, rooms: Mapping[str, Entry], studies: Mapping[str, Entry], **attributes: Any
    ) -> None:
        super().__init__(**attributes)
        self._rooms, self._studies = rooms, studies

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *self._rooms, *self._studies])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self._studies:
            from .study import frame

            return frame.command(cmd_name)
        if cmd_name not in self._rooms:
            return super().get_command(ctx, cmd_name)
        module, _, name = self._rooms[cmd_name].record.partition(":")
        command: click.Command = getattr(importlib.import_module(module, __package__), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """As click's own, which would import every command for its help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._help(ctx, name)) for name in self.list_commands(ctx)])

    def _help(self, context: click.Context, name: str) -> str:
        """The whole first sentence, which click would cut off."""
        entry = self._rooms.get(name) or self._studies.get(name)
        if entry is not None:
            return entry.help
        command = super().get_command(context, name)
        return "" if command is None else command.get_short_help_str(limit=commands.WIDEST)


class _Waltax(_LazyGroup):
    """The whole command line, whose help `__main__` prints without it."""

    def format_help(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(commands.text())


@click.group(
    cls=_Waltax,
    rooms=commands.ROOMS,
    studies=commands.STUDIES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="waltax")
def cli() -> None:
    """What does the write-ahead log cost, on this device, for this workload?"""


@cli.command()
@click.argument("campaigns", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--campaign", "also", multiple=True, type=click.Path(path_type=Path), help="One of CAMPAIGNS."
)
@options.results()
@click.option(
    "--format",
    "formats",
    multiple=True,
    help="terminal, markdown, json, csv, html, or figures (PNG and SVG). Repeatable. "
    "Default: terminal, json, csv and html.",
)
def report(
    campaigns: tuple[Path, ...], also: tuple[Path, ...], results: Path, formats: tuple[str, ...]
) -> None:
    """Draw report.html, tables and figures again, of CAMPAIGNS or of the last one.

    The own report of a study follows, as its command has it.
    """
    from .study import frame
    from .terminal import Terminal

    named = [*campaigns, *also] or [options.last_campaign(results)]
    frame.report(named, Terminal(), formats or None)


@cli.group(cls=_LazyGroup, rooms=commands.DEVICES, studies={}, invoke_without_command=True)
@click.pass_context
def devices(context: click.Context) -> None:
    """The devices, and what each resolves to on this machine."""
    if context.invoked_subcommand is None:
        from .devices import listing
        from .terminal import Terminal

        listing.print_devices(Terminal())


@devices.command()
@click.argument("directory")
@options.data_dir("Where the engine's other files would be.")
def check(directory: str, data_dir: Path) -> None:
    """What a DIRECTORY really sits on, from the kernel."""
    from .devices import listing
    from .terminal import Terminal

    listing.print_check(Terminal(), directory, data_dir if data_dir.exists() else _ROOT)
