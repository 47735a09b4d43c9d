"""The output of `waltax devices` and `waltax devices check DIR`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base import home
from ..base.errors import UsageError, WaltaxError
from ..base.kernel import Kernel
from .catalog import CATALOG, load, names, user_config_path
from .check import check, describe
from .device import Device
from .resolve import resolve

if TYPE_CHECKING:
    from rich.console import Console


@click.command()
def devices() -> None:
    """Which devices are there, and what is each on this machine?"""
    from ..base.terminal import Terminal

    print_devices(Terminal())


@click.command("check")
@click.argument("directory", metavar="DIR")
@click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default=home.place("data"),
    show_default=home.shown("data"),
    help="Where the engine's other files would be.",
)
def check_directory(directory: str, data_dir: Path) -> None:
    """What does the directory DIR really sit on?"""
    from ..base.terminal import Terminal

    print_check(Terminal(), directory, data_dir if data_dir.exists() else home.ROOT)


def print_devices(console: Console, kernel: Kernel | None = None) -> None:
    """Print the catalog as a table."""
    from rich.table import Table
    from rich.text import Text

    from ..base.terminal import say

    table = Table(box=None, pad_edge=False)
    for heading in ("device", "here", "sync p50 (4 KiB)", "evidence", "stands for"):
        table.add_column(heading, justify="right" if "p50" in heading else "left")
    for device in map(load, names()):
        sync_us = device.typical_sync_us()
        latency = "-" if sync_us is None else f"{sync_us:,.0f} us"
        cells = (device.name, _here(device, kernel), latency, device.kind, device.stands_for)
        table.add_row(*map(Text, cells))
    console.print(table)
    say(console, f"catalog: {CATALOG}", f"real directories: {user_config_path()}")


def print_check(console: Console, directory: str | Path, data_dir: Path | None = None) -> None:
    """Print what the directory sits on, and warnings. Errors: UsageError without a directory."""
    if not str(directory):  # Path("") would be the current directory
        raise UsageError("DIR: found nothing; name a directory: waltax devices check /mnt/x")
    from ..base.terminal import say

    facts = check(Path(directory), data_dir)
    for label, text in describe(facts):
        say(console, f"{label:<12} {text}")
    for warning in facts.warnings:
        say(console, f"warning: {warning}", style="yellow")


def _here(device: Device, kernel: Kernel | None) -> str:
    """Return what the device resolves to on this machine."""
    try:
        placement = resolve(device, kernel=kernel)
    except WaltaxError as error:
        return f"refused: {error}"
    return f"real {placement.wal_root}" if placement.kind == "real" else placement.kind
