"""`waltax devices import`."""

from __future__ import annotations

from pathlib import Path

import click

from ...base.errors import UsageError
from ...base.terminal import Terminal, say
from ..device_file import CLASSES, require_free_name, require_new, write
from .record import ABOUT, of_files


@click.command("import")
@click.argument("file", nargs=-1, type=click.Path(path_type=Path))
@click.option("--name", default="", help="Name of the device. Default: from the first file's.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Default: <name>.toml."
)
@click.option(
    "--class",
    "device_class",
    type=click.Choice(CLASSES),
    default="virtual",
    show_default=True,
    help="What the drive is; the files do not say.",
)
def import_files(file: tuple[Path, ...], name: str, out: Path | None, device_class: str) -> None:
    """Make a device file of what fio, pg_test_fsync or ioping printed on any machine.

    Give all FILEs that you have of one drive. Where they differ, the device gets a spread, and
    predictions say what its states make of them.
    """
    if not file:
        raise UsageError("FILE: found none; give fio's JSON, or another tool's output")
    if name:
        require_free_name(name)
    device = of_files(file, name, device_class)
    require_free_name(device.name)
    path = out or Path(f"{device.name}.toml")
    require_new(path)
    console = Terminal()
    write(console, device, path, ABOUT)
    say(console, f"from:    {device.stands_for}")
