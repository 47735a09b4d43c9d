"""The figures of devices side by side: `waltax devices compare`, and what a probe has found."""

from __future__ import annotations

from collections.abc import Iterator

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..base.errors import UsageError
from ..base.terminal import Terminal, say
from . import load
from .device import Device
from .tap_model import DeviceModel, mean_sync_us, sync_us

_SIZES = (131, 1032, 4096, 10032, 64500)
_NUMBERS = {
    "write call, us": "write_us",
    "each KiB of it, us": "write_us_per_kib",
    "CPU of a sync, caller, us": "cpu_caller_us",
    "CPU of a sync, kernel, us": "cpu_kernel_us",
    "directory sync, us": "dir_sync_us",
    "bandwidth, MB/s": "bandwidth_mb_per_s",
}


@click.command()
@click.argument("a")
@click.argument("b")
def compare(a: str, b: str) -> None:
    """Compare two devices, by name or by file."""
    print_figures(Terminal(), load(a), load(b))


def print_figures(console: Console, *devices: Device) -> None:
    """Print what each device is, its warnings and its figures; of two also the ratio of B to A.

    Errors: UsageError for a device without a model.
    """
    columns = [_figures(device) for device in devices]
    headings = [device.name for device in devices]
    if len(devices) == 2:
        headings.append(f"{headings[1]} / {headings[0]}")
        a, b = columns
        columns.append({what: b[what] / a[what] if a[what] else 0.0 for what in a})
    for device in devices:
        what = f"{device.stands_for}; class {device.device_class}, {device.kind}"
        say(console, f"{device.name}: {what}")
        for text in device.probe.warnings if device.probe else ():
            say(console, f"warning: {text}", style="yellow")
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("", no_wrap=True)
    for heading in headings:
        table.add_column(Text(heading), justify="right")
    for what in columns[0]:
        table.add_row(what, *(_number(column[what]) for column in columns))
    console.print(table)


def _figures(device: Device) -> dict[str, float]:
    """Return a device's figures; 0 stands for one that its file lacks."""
    if device.model is None:
        raise UsageError(f"{device.name} has no [model], so there is nothing to compare")
    model = device.model.tap_model()
    return {
        **dict(_sync_times(model)),
        **{what: getattr(model, key) for what, key in _NUMBERS.items()},
    }


def _sync_times(model: DeviceModel) -> Iterator[tuple[str, float]]:
    """Yield times in us; those of sizes that a file lacks are interpolated as in the tap."""
    for size in _SIZES:
        for percent in (50, 99):
            yield f"sync {size} B p{percent}, us", sync_us(model, size, percent)
        yield f"sync {size} B mean, us", mean_sync_us(model, size)


def _number(value: float) -> str:
    if not value:
        return "-"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
