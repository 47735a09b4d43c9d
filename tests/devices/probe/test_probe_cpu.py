"""What a probe's readings of CPU time and sleeps become in its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from probing import MIB, facts, measured, reading
from waltax.devices import Device, load
from waltax.devices.device_file import toml
from waltax.devices.probe import record
from waltax.devices.probe.jobs import Job
from waltax.devices.probe.measure import Measured
from waltax.devices.tap_model import MAX_SLEEPS


def written(tmp_path: Path, device: Device) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(toml(device, record.ABOUT))
    return path


def on_disk(seen: Measured) -> Device:
    """The device that such readings would be of, were they a drive's."""
    made = record.device("mine", facts(), None, seen)
    assert made.model is not None
    return made


def readings_of(*, cpu_us: dict[int, float], sleeps: float = 3.0) -> Measured:
    """Syncs of 500 us of such sizes and CPU times."""
    found = [
        reading(500.0, size=size, cpu_us=2.0 + us, sleeps=sleeps) for size, us in cpu_us.items()
    ]
    large = replace(found[0], job=Job("sequential", MIB))
    return measured(*found, large)


@pytest.mark.parametrize(("cpu_us", "kept"), [(20.5, 20.5), (700.0, 500.0)])
def test_the_caller_s_cpu_time_is_in_the_file_and_never_exceeds_a_median(
    tmp_path: Path, cpu_us: float, kept: float
) -> None:
    made = on_disk(readings_of(cpu_us={1024: cpu_us, 102_400: 9.0}))
    model = load(written(tmp_path, made)).model
    assert model is not None
    assert model.cpu_caller_us.value == pytest.approx(kept)


def test_a_device_that_lets_its_caller_sleep_very_often_can_be_replayed(tmp_path: Path) -> None:
    made = on_disk(readings_of(cpu_us={1024: 20.0}, sleeps=300.0))
    model = load(written(tmp_path, made)).model
    assert model is not None
    assert model.sync_sleeps is not None
    assert model.sync_sleeps.value == MAX_SLEEPS
