"""A small real probe in memory, and what becomes of facts in its file."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from probing import facts, small_plan
from recorded import Recorded
from waltax.devices import Device, load
from waltax.devices.block import bare_disk
from waltax.devices.kernel import Kernel
from waltax.devices.probe import fio, measure, record, write
from waltax.devices.probe.measure import Measured
from waltax.devices.resolve import resolve
from waltax.devices.tap_model import mean_sync_us
from waltax.errors import UsageError, WaltaxError


@pytest.fixture(scope="module")
def memory() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def seen(memory: Path) -> Measured:
    found = measure.measure(fio.find(), small_plan(), memory, lambda _: None)
    assert list(memory.iterdir()) == []
    return found


@pytest.fixture(scope="module")
def device(memory: Path, seen: Measured) -> Device:
    return record.device("mine", record.target(memory, None), fio.find(), seen, 4 << 20)


def written(tmp_path: Path, device: Device) -> Path:
    path = tmp_path / "mine.toml"
    write.write(device, path)
    return path


def test_a_file_says_what_the_device_says(tmp_path: Path, device: Device) -> None:
    assert load(written(tmp_path, device)) == device


def test_a_probe_of_memory_is_called_that(device: Device) -> None:
    assert (device.device_class, device.kind, device.power_loss_protection) == (
        "ram",
        "measured",
        "no",
    )
    assert device.probe is not None
    assert device.probe.directory.fs_type == "tmpfs"
    assert any("volatile" in text for text in device.probe.warnings)
    assert not any("not durable" in text for text in device.probe.warnings)


def test_every_state_has_the_sizes_that_were_measured(device: Device) -> None:
    assert device.model is not None
    for rows in (device.model.sync, device.model.sync_growing, device.model.sync_recycled):
        assert [row.bytes for row in rows] == [1032, 10032]


def test_the_tap_gets_the_mean_that_fio_measured(device: Device, seen: Measured) -> None:
    assert device.model is not None
    model = device.model.tap_model()
    for size, (one,) in seen.of("sync").items():
        assert mean_sync_us(model, size) == pytest.approx(one.answer.sync_mean_us, rel=0.03)


def test_writers_and_bandwidth_are_evidence_beside_the_model(device: Device) -> None:
    assert device.probe is not None
    assert [row.jobs for row in device.probe.jobs] == [1, 2]
    assert all(row.syncs_per_s > 0 for row in device.probe.jobs)
    assert device.probe.sequential_mb_per_s > 0
    assert device.probe.bytes_written > 0


def test_a_run_beside_a_writer_of_large_files_is_evidence_too(device: Device) -> None:
    assert device.probe is not None
    shared = device.probe.shared
    assert shared is not None
    assert shared.bytes == 1032
    assert 0 < shared.background_mb_per_s <= 100
    assert shared.sync_us_mean > 0


def test_the_file_names_no_directory_of_this_machine(memory: Path, device: Device) -> None:
    text = write.toml(device)
    assert str(memory) not in text
    assert "/dev/shm" not in text
    assert device.path is None


def test_a_replay_of_memory_is_refused_with_what_to_do(device: Device) -> None:
    with pytest.raises(WaltaxError) as caught:
        resolve(device)
    assert "is under the tap's floor of 0.5 us; where the device itself is at hand" in str(
        caught.value
    )


def test_layers_options_and_disks_lose_their_paths(seen: Measured) -> None:
    stack = replace(
        facts("remote"),
        layers=("loop0 (loop device over /home/me/x.img)", "sda3 (LVM vg-root)"),
        disks=(bare_disk("nas:/export/me", "remote", "nfs4"),),
        warnings=("the WAL passes through loop0 (loop device over /home/me/x.img): slow",),
    )
    target = record.Target(stack, ("rw", "upperdir=/home/me", "rw", "noatime"), "remote")
    made = record.device("mine", target, fio.find(), seen, 4 << 20)
    assert made.probe is not None
    assert made.probe.directory.layers == ("loop0 (loop device over (path))", "sda3 (LVM vg-root)")
    assert made.probe.directory.mount_options == ("rw", "noatime")
    assert made.probe.disk[0].name == "(path)"
    text = write.toml(made)
    assert "/home" not in text
    assert "nas:" not in text


def test_odd_letters_of_a_disk_s_model_do_not_break_the_file(
    tmp_path: Path, seen: Measured
) -> None:
    disk = replace(facts().disks[0], model='X"\\1\x1b\x7f \N{DEGREE SIGN}')
    target = record.Target(replace(facts(), disks=(disk,)), (), "virtual")
    made = record.device("mine", target, fio.find(), seen, 4 << 20)
    assert load(written(tmp_path, made)) == made
    assert made.probe is not None
    assert made.probe.disk[0].model == 'X"\\1?? \N{DEGREE SIGN}'


def test_a_disk_s_identity_is_in_the_file(tmp_path: Path, seen: Measured) -> None:
    target = record.Target(facts("nvme"), ("rw",), "nvme")
    text = written(tmp_path, record.device("mine", target, fio.find(), seen, 4 << 20)).read_text()
    (disk,) = tomllib.loads(text)["probe"]["disk"]
    assert disk["write_cache"] == "write back"
    assert (disk["fua"], disk["rotational"]) == ("yes", "unknown")


def directory_on(tmp_path: Path, fs_type: str) -> Kernel:
    tree = Recorded(tmp_path)
    tree.mount("/data", fs_type, "odd", "0:99")
    return tree.kernel


def test_an_unknown_class_must_be_given(tmp_path: Path) -> None:
    kernel = directory_on(tmp_path, "fuse.odd")
    with pytest.raises(UsageError, match=r"does not say what class .*; name it with --class"):
        record.target(Path("/data"), None, kernel)
    assert record.target(Path("/data"), "nvme", kernel).device_class == "nvme"


def test_a_class_that_the_kernel_contradicts_is_refused(tmp_path: Path) -> None:
    kernel = directory_on(tmp_path, "tmpfs")
    with pytest.raises(UsageError, match="--class: found nvme, but /data is on ram; leave it out"):
        record.target(Path("/data"), "nvme", kernel)


def test_the_dirty_limit_is_the_kernel_s(tmp_path: Path) -> None:
    tree = Recorded(tmp_path)
    tree.file("/proc/meminfo", "MemTotal: 9 kB\nMemAvailable:   1024000 kB")
    tree.file("/proc/sys/vm/dirty_background_bytes", "0")
    tree.file("/proc/sys/vm/dirty_background_ratio", "10")
    tree.file("/proc/sys/vm/dirty_bytes", str(300 << 20))
    assert record.dirty_limit_mib(tree.kernel) == (100 + 300) / 2
