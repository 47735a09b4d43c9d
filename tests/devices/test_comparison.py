from __future__ import annotations

import io

import pytest
from click.testing import CliRunner
from rich.console import Console
from waltax.devices import Device, load
from waltax.devices.comparison import compare, print_figures
from waltax.devices.tap_model import DeviceModel, SyncLatency, sync_us

MODEL = DeviceModel(
    (SyncLatency(100, ((0, 10), (100, 30))), SyncLatency(300, ((0, 30), (100, 50)))),
    *(0, 0, 100, 0, 0, 0, 0),
)


@pytest.mark.parametrize(
    ("size", "percent", "us"),
    [(100, 50, 20), (1, 50, 20), (200, 50, 30), (300, 25, 35), (1300, 50, 50)],
)
def test_times_are_read_between_sizes_and_quantiles_as_the_tap_reads_them(
    size: int, percent: float, us: float
) -> None:
    assert sync_us(MODEL, size, percent) == us


def _printed(*devices: Device) -> dict[str, list[str]]:
    """Return the table's cells by the name of the figure."""
    console = Console(record=True, width=100, file=io.StringIO())
    print_figures(console, *devices)
    lines = console.export_text().splitlines()
    cells = [[word.strip() for word in line.split("  ") if word.strip()] for line in lines]
    return {words[0]: words[1:] for words in cells if words}


def test_two_devices_stand_side_by_side_with_the_ratio_of_the_second_to_the_first() -> None:
    found = _printed(load("nvme"), load("ssd"))
    assert found["nvme"] == ["ssd", "ssd / nvme"]
    assert found["sync 4096 B p50, us"] == ["28", "1,080", "38.6"]


def test_one_device_has_no_ratio() -> None:
    assert _printed(load("nvme"))["sync 4096 B p50, us"] == ["28"]


def test_devices_without_a_model_are_not_compared() -> None:
    result = CliRunner().invoke(compare, ["nvme", "off"])
    assert "off has no [model]" in str(result.exception)
