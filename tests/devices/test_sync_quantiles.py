"""The distribution of a sync at any size, for what draws from it outside the tap."""

from __future__ import annotations

from itertools import pairwise

import pytest
from waltax.devices import load, names
from waltax.devices.tap_model import DeviceModel, SyncLatency, mean_sync_us, sync_quantiles

ROWS = (SyncLatency(100, ((0, 10), (50, 20), (100, 30))), SyncLatency(300, ((10, 40), (90, 60))))
MODEL = DeviceModel(ROWS, 0, 0, 2.0, 0, 0, 0, 0)


def _mean_us(quantiles: tuple[tuple[float, float], ...]) -> float:
    whole = ((0.0, quantiles[0][1]), *quantiles, (100.0, quantiles[-1][1]))
    return sum((b[0] - a[0]) / 100 * (a[1] + b[1]) / 2 for a, b in pairwise(whole))


def test_a_row_of_the_model_is_its_own_distribution() -> None:
    assert dict(sync_quantiles(MODEL, 1)) == {0: 10, 10: 12, 50: 20, 90: 28, 100: 30}


@pytest.mark.parametrize("size", [1, 100, 137, 200, 300, 5000])
def test_between_and_beyond_the_rows_its_mean_is_the_taps(size: int) -> None:
    assert _mean_us(sync_quantiles(MODEL, size)) == pytest.approx(mean_sync_us(MODEL, size))


@pytest.mark.parametrize("name", names())
def test_every_device_of_the_catalog_has_one(name: str) -> None:
    known = load(name).model
    if known is None:
        return
    model = known.tap_model()
    assert _mean_us(sync_quantiles(model, 2000)) == pytest.approx(mean_sync_us(model, 2000))
