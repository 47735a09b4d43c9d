from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console
from waltax.devices import load
from waltax.devices.probe import curves
from waltax.devices.probe.compare import lines, print_comparison
from waltax.devices.tap_model import DeviceModel, SyncLatency, sync_us

MODEL = DeviceModel(
    (SyncLatency(100, ((0, 10), (100, 30))), SyncLatency(300, ((0, 30), (100, 50)))),
    *(0, 0, 100, 0, 0, 0, 0),
    sync_recycled=(SyncLatency(100, ((50, 5),)),),
)


@pytest.mark.parametrize(
    ("size", "percent", "us"),
    [(100, 50, 20), (1, 50, 20), (200, 50, 30), (300, 25, 35), (1300, 50, 50)],
)
def test_times_are_read_between_sizes_and_quantiles_as_the_tap_reads_them(
    size: int, percent: float, us: float
) -> None:
    assert sync_us(MODEL, size, percent) == us


def test_a_state_without_rows_is_read_as_preallocated() -> None:
    assert sync_us(MODEL, 100, 50, "recycled") == 5
    assert sync_us(MODEL, 100, 50, "growing") == 20


def test_ratios_are_of_the_second_to_the_first() -> None:
    found = {line.what: line for line in lines(load("nvme"), load("ssd"))}
    assert found["sync 4096 B p50"].ratio == pytest.approx(1080 / 28)
    assert found["sequential writes"].ratio is None


def test_what_cpu_time_grows_by_is_compared() -> None:
    nvme = load("nvme")
    assert nvme.model is not None
    figure = nvme.model.cpu_caller_us.model_copy(update={"value": 0.5})
    model = nvme.model.model_copy(update={"cpu_caller_us_per_kib": figure})
    growing = nvme.model_copy(update={"model": model})
    found = {line.what: line for line in lines(nvme, growing)}["each KiB before it"]
    assert (found.a, found.b) == (0.0, 0.5)


def test_the_table_shows_both_and_their_ratio() -> None:
    console = Console(record=True, width=100, file=io.StringIO())
    print_comparison(console, load("nvme"), load("ssd"))
    line = next(x for x in console.export_text().splitlines() if "sync 4096 B p50" in x)
    assert line.split() == ["sync", "4096", "B", "p50", "28", "1,080", "38.6", "us"]


def test_the_curves_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "curves.png"
    curves.draw(load("nvme"), load("ssd"), path)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_each_panel_has_a_curve_per_device() -> None:
    figure = curves.figure_of(load("nvme"), load("ssd"))
    panels = figure.get_axes()
    assert len(panels) == 6
    assert panels[0].get_legend_handles_labels()[1] == ["nvme", "ssd"]
