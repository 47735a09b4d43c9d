"""The devices of a latency sweep's grid."""

from __future__ import annotations

import math
import os
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from waltax import devices
from waltax.base.errors import UsageError
from waltax.cell import point_name
from waltax.devices import tap_model
from waltax.devices.tap_model import DeviceModel
from waltax.studies.latency import grid


def _model(path: Path | str) -> DeviceModel:
    model = devices.load(path).model
    assert model is not None
    return model.tap_model()


@pytest.fixture
def points(tmp_path: Path) -> dict[int, Path]:
    return dict(zip(grid.LATENCIES_US, grid.write(grid.LATENCIES_US, tmp_path), strict=True))


def test_the_grid_is_log_spaced_from_nothing_to_5000_us() -> None:
    zero, *rest = grid.LATENCIES_US
    assert (zero, rest[-1]) == (0, 5000)
    assert 9 <= len(grid.LATENCIES_US) <= 12
    steps = [math.log(b / a) for a, b in pairwise(rest)]
    assert max(steps) / min(steps) < 1.1


def test_every_point_can_be_emulated_and_takes_the_time_of_its_name(
    points: dict[int, Path],
) -> None:
    for us, path in points.items():
        model = _model(path)
        device = devices.load(path)
        assert device.name == point_name(us) == f"sync-{us}us"
        assert device.model is not None
        assert device.model.under_floor() is None
        wanted = max(us, tap_model.FLOOR_US)
        for size in (130, 5_000, 100_000):
            assert tap_model.mean_sync_us(model, size) == pytest.approx(wanted)
        assert model.cpu_caller_us <= wanted


def test_only_times_differ_and_the_catalog_s_nvme_and_ssd_lie_between_the_points(
    points: dict[int, Path],
) -> None:
    models = [_model(path) for path in points.values()]
    nvme, ssd = _model("nvme"), _model("ssd")
    for model in models:
        same = (model.write_us, model.write_us_per_kib, model.bandwidth_mb_per_s, model.cache_mib)
        assert same == (
            nvme.write_us,
            nvme.write_us_per_kib,
            nvme.bandwidth_mb_per_s,
            nvme.cache_mib,
        )
    for name in ("cpu_caller_us", "cpu_kernel_us"):
        values = [getattr(model, name) for model in models]
        assert values == sorted(values)
        assert getattr(models[3], name) < getattr(nvme, name) < getattr(models[4], name)
        assert values[-1] == getattr(ssd, name)


def test_the_floor_is_said_and_asks_for_no_kernel_work(points: dict[int, Path]) -> None:
    device = devices.load(points[0])
    assert "0.5 us, the tap's floor" in device.notes
    assert device.kind == "estimate"
    assert _model(points[0]).cpu_kernel_us == 0


def test_equal_files_stay_and_changed_ones_are_written_again(tmp_path: Path) -> None:
    path, other = grid.write((0, 40), tmp_path)
    assert path.parent == tmp_path / "devices"
    os.utime(path, (1, 1))
    other.write_text("something else")
    grid.write((0, 40), tmp_path)
    assert path.stat().st_mtime == 1
    assert tomllib.loads(other.read_text())["name"] == "sync-40us"


@pytest.mark.parametrize("latencies", [(), (5,), (5, 5), (40, 5), (-1, 5)])
def test_a_grid_that_is_none_is_refused(latencies: tuple[int, ...], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="rising latencies"):
        grid.write(latencies, tmp_path)
