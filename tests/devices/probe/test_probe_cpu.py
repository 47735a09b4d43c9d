"""What a probe's readings of CPU time and sleeps become in its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from probing import MIB, facts, measured, reading
from waltax.devices import Device, load
from waltax.devices.device import SyncRow
from waltax.devices.device_file import toml
from waltax.devices.probe import record
from waltax.devices.probe.jobs import Job
from waltax.devices.probe.measure import Measured
from waltax.devices.tap_model import MAX_SLEEPS, FileState


def written(tmp_path: Path, device: Device) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(toml(device, record.ABOUT))
    return path


def row(size: int, p50_us: float) -> SyncRow:
    return SyncRow(
        bytes=size,
        quantiles_us={"p50": p50_us},
        kind="measured",
        tail_kind="measured",
        source="probe",
    )


def test_the_caller_s_cpu_time_stays_as_it_was_measured_where_it_fits() -> None:
    assert record.fitting((20.0, 0.5), (row(1024, 100.0), row(102_400, 200.0))) == (20.0, 0.5)


@pytest.mark.parametrize(
    ("cost", "medians", "kept"),
    [
        ((20.0, 0.5), (15.0, 200.0), (15.0, 0.0)),
        ((20.0, 5.0), (30.0, 120.0), (20.0, 1.0)),
        ((20.0, 1.0), (20.3333, 2000.0), (20.0, 0.333)),
        ((0.0, 0.0), (0.0, 0.1), (0.0, 0.0)),
    ],
)
def test_the_caller_s_cpu_time_never_exceeds_a_median(
    cost: tuple[float, float], medians: tuple[float, float], kept: tuple[float, float]
) -> None:
    rows = (row(1024, medians[0]), row(102_400, medians[1]))
    assert record.fitting(cost, rows) == pytest.approx(kept)


def on_disk(seen: Measured) -> Device:
    """The device that such readings would be of, were they a drive's."""
    made = record.device("mine", facts(), None, seen)
    assert made.model is not None
    return made


def readings_of(*, cpu_us: dict[int, float], sleeps: float = 3.0) -> Measured:
    """Syncs of 500 us in each state, of such sizes and CPU times."""
    states: tuple[FileState, ...] = ("preallocated", "growing", "recycled")
    found = [
        reading(500.0, size=size, state=state, cpu_us=2.0 + us, sleeps=sleeps)
        for state in states
        for size, us in cpu_us.items()
    ]
    large = replace(found[0], job=Job("sequential", "preallocated", MIB))
    return measured(*found, large)


def test_the_caller_s_cpu_time_for_each_kib_is_in_the_file(tmp_path: Path) -> None:
    made = on_disk(readings_of(cpu_us={1024: 20.5, 102_400: 70.0}))
    model = load(written(tmp_path, made)).model
    assert model is not None
    assert model.cpu_caller_us.value == pytest.approx(20.0)
    assert model.cpu_caller_us_per_kib is not None
    assert model.cpu_caller_us_per_kib.value == pytest.approx(0.5)


def test_cpu_time_that_does_not_grow_needs_no_figure_for_each_kib() -> None:
    model = on_disk(readings_of(cpu_us={1024: 20.0, 102_400: 20.0})).model
    assert model is not None
    assert model.cpu_caller_us_per_kib is None


def test_a_device_that_lets_its_caller_sleep_very_often_can_be_replayed(tmp_path: Path) -> None:
    made = on_disk(readings_of(cpu_us={1024: 20.0}, sleeps=300.0))
    model = load(written(tmp_path, made)).model
    assert model is not None
    assert model.sync_sleeps is not None
    assert model.sync_sleeps.value == MAX_SLEEPS
