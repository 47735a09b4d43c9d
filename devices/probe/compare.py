"""A table of two device files with ratios, and the summary of one file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...base.terminal import say
from ..device import Device
from ..tap_model import DeviceModel, FileState, mean_sync_us, rows_of, sync_us

_SHOWN = (131, 1032, 4096, 10032, 64500)
_OTHERS: tuple[FileState, ...] = ("growing", "recycled")


@dataclass(frozen=True)
class Line:
    """A line of the table; a value is None if the device file lacks it."""

    what: str
    a: float | None
    b: float | None
    unit: str

    @property
    def ratio(self) -> float | None:
        """The ratio of B to A."""
        return self.b / self.a if self.a and self.b is not None else None


def lines(a: Device, b: Device) -> Iterator[Line]:
    """Yield all figures, times first; sizes that a file lacks are interpolated as in the tap."""
    model_a, model_b = model_of(a), model_of(b)

    def of_both(what: str, us: Callable[[DeviceModel], float | None]) -> Line:
        return Line(f"sync {what}", us(model_a), us(model_b), "us")

    for size in _SHOWN:
        for percent in (50.0, 99.0):
            yield of_both(f"{size} B p{percent:g}", partial(sync_us, size=size, percent=percent))
        yield of_both(f"{size} B mean", partial(mean_sync_us, size=size))
    for state in _OTHERS:
        for size in (1032, 10032):
            yield of_both(f"{size} B {state} mean", partial(_mean_in, size=size, state=state))
    yield from _scalars(a, b)


def print_comparison(console: Console, a: Device, b: Device) -> None:
    """Print what the devices are, their warnings, and every figure with the ratio of B to A."""
    for device in (a, b):
        say(console, f"{device.name}: {about(device)}")
        for text in device.probe.warnings if device.probe else ():
            say(console, f"  warning: {text}", style="yellow")
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("", no_wrap=True)
    for heading in (a.name, b.name, f"{b.name} / {a.name}"):
        table.add_column(Text(heading), justify="right")
    table.add_column("")
    for line in lines(a, b):
        ratio = "-" if line.ratio is None else _number(line.ratio)
        table.add_row(line.what, _number(line.a), _number(line.b), ratio, line.unit)
    console.print(table)


def about(device: Device) -> str:
    """Describe in a line what the device is and how it was measured."""
    text = f"{device.stands_for}; class {device.device_class}, {device.kind}"
    probe = device.probe
    if probe is None:
        return text
    return (
        f"{text}; {probe.fs_type}, journal {probe.journal}; {probe.date}, "
        f"fio {probe.fio}, {probe.cpus} CPUs of which {probe.foreign_cpu_cores:g} busy for others, "
        f"spread {probe.spread_percent:g} %"
    )


def print_summary(console: Console, device: Device) -> None:
    """Print the figures of one device: times by size, then the rest."""
    model = model_of(device)
    table = Table(title=Text(device.name), title_justify="left", box=box.SIMPLE_HEAD)
    for heading in ("bytes", "p50", "p99", "mean", "growing p50", "recycled p50"):
        table.add_column(heading, justify="right")
    for size in (row.bytes for row in model.sync):
        others = [
            sync_us(model, size, 50, state) if rows_of(model, state) else None for state in _OTHERS
        ]
        times = [sync_us(model, size, 50), sync_us(model, size, 99), mean_sync_us(model, size)]
        table.add_row(f"{size:,}", *(_number(us) for us in (*times, *others)))
    console.print(table)
    say(console, "  times of a sync in us")
    for line in _scalars(device, device):
        say(console, f"  {line.what:<24}{_number(line.a):>12} {line.unit}")


def _scalars(a: Device, b: Device) -> Iterator[Line]:
    model_a, model_b = model_of(a), model_of(b)
    for what, key, unit in (
        ("write call", "write_us", "us"),
        ("each KiB of it", "write_us_per_kib", "us"),
        ("CPU of a sync, caller", "cpu_caller_us", "us"),
        ("each KiB before it", "cpu_caller_us_per_kib", "us"),
        ("CPU of a sync, kernel", "cpu_kernel_us", "us"),
        ("directory sync", "dir_sync_us", "us"),
    ):
        yield Line(what, getattr(model_a, key), getattr(model_b, key), unit)
    # A bandwidth of 0 means no limit, and is not a figure.
    limits = [model.bandwidth_mb_per_s or None for model in (model_a, model_b)]
    yield Line("bandwidth limit", limits[0], limits[1], "MB/s")
    rates = [d.probe.sequential_mb_per_s if d.probe else None for d in (a, b)]
    yield Line("sequential writes", rates[0], rates[1], "MB/s")


def _mean_in(model: DeviceModel, size: int, state: FileState) -> float | None:
    return mean_sync_us(model, size, state) if rows_of(model, state) else None


def model_of(device: Device) -> DeviceModel:
    """Return the model in the tap's form. REQUIRES: the device has one."""
    if device.model is None:
        raise ValueError(f"{device.name} has no model")
    return device.model.tap_model()


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
