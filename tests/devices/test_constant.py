"""Devices whose syncs all take the time of their name."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax import devices
from waltax.base.errors import UsageError
from waltax.device_names import point_name
from waltax.devices import constant, device_file, tap_model
from waltax.devices.tap_model import DeviceModel

_TIMES_US = (0, 5, 11, 23, 50, 108, 5000)


def _model(name: str) -> DeviceModel:
    model = devices.load(name).model
    assert model is not None
    return model.tap_model()


def test_each_can_be_emulated_and_takes_the_time_of_its_name() -> None:
    for us in _TIMES_US:
        model, device = _model(point_name(us)), devices.load(point_name(us))
        assert device.name == point_name(us) == f"sync-{us}us"
        assert device.model is not None
        assert device.model.under_floor() is None
        wanted = max(us, tap_model.FLOOR_US)
        for size in (130, 5_000, 100_000):
            assert tap_model.mean_sync_us(model, size) == pytest.approx(wanted)
        assert model.cpu_caller_us <= wanted


def test_only_times_differ_and_the_catalog_s_nvme_and_ssd_lie_between_them() -> None:
    models = [_model(point_name(us)) for us in _TIMES_US]
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


def test_the_floor_is_said_and_asks_for_no_kernel_work() -> None:
    device = devices.load("sync-0us")
    assert "0.5 us, the tap's floor" in device.notes
    assert device.kind == "estimate"
    assert _model("sync-0us").cpu_kernel_us == 0


@pytest.mark.parametrize("name", ["sync-us", "sync-1.5us", "sync--1us", "sync-12345678us"])
def test_what_is_no_time_is_no_such_device(name: str) -> None:
    with pytest.raises(UsageError, match="unknown device"):
        devices.load(name)


def test_a_file_cannot_take_such_a_name(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(device_file.toml(constant.device(7), ""))
    with pytest.raises(UsageError, match="is taken by the catalog"):
        devices.load(tmp_path / "mine.toml")
