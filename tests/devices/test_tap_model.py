"""A model read in Python has the times that the tap takes."""

from __future__ import annotations

import pytest
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
