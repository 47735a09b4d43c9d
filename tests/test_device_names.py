from __future__ import annotations

import pytest
from waltax.device_names import is_point, point_name, point_us


@pytest.mark.parametrize("us", [0, 38, 5000])
def test_a_device_of_a_grid_is_known_by_its_name(us: int) -> None:
    assert point_us(point_name(us)) == us
    assert is_point(point_name(us))


@pytest.mark.parametrize("name", ["sync-us", "sync-3.8us", "nvme", "my-sync-5us", "sync-5us-2"])
def test_another_device_is_no_point_of_a_grid(name: str) -> None:
    assert point_us(name) is None
    assert not is_point(name)
